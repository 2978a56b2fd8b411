package tandem.data;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// How fast are parsing, packing and decoding on one thread? Rows of 13 numbers and 26 categories.
final class DataSpeed {

    private static final int ROWS = 20_000;
    private static final int ROUNDS = 15;

    private DataSpeed() {}

    public static void main(String[] args) throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder text = new StringBuilder();
        for (int r = 0; r < ROWS; r++) {
            text.append(random.nextInt(4) == 0 ? "1" : "0");
            for (int e = 1; e <= 13; e++) {
                text.append(' ').append(e).append(':').append(random.nextInt(1, 9_999) / 1000.0);
            }
            for (int e = 0; e < 26; e++) {
                double u = random.nextDouble();
                text.append(' ')
                        .append(14 + e * 384_000 + (long) (u * u * u * u * 384_000))
                        .append(":1");
            }
            text.append('\n');
        }
        Chunk chunk = new Chunk(0);
        chunk.bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        chunk.to = chunk.bytes.length;
        chunk.file = "speed";
        chunk.firstLine = 1;
        for (int round = 0; round < ROUNDS; round++) {
            System.out.println(parseAndPack(chunk));
        }
        decode(chunk);
    }

    private static String parseAndPack(Chunk chunk) throws IOException {
        LibSvmParser parser = new LibSvmParser(new LabelReader(new LabelRule.Collect(), name -> 0));
        Rows rows = new Rows();
        long start = cpuNanos();
        parser.parse(chunk, rows, new Faults(new BadLines.Fail()));
        long parsed = cpuNanos();
        Packer packer = new Packer(64, false);
        Batch batch = new Batch();
        long keys = 0;
        for (int r = 0; r + 512 <= rows.count; r += 512) {
            packer.pack(rows, r, r + 512, 0, batch);
            keys += batch.keyCount();
        }
        long packed = cpuNanos();
        return "parse %.0f MB/s, pack %.1f ns an entry, %d keys in %d entries"
                .formatted(
                        chunk.to * 1e3 / (parsed - start),
                        (packed - parsed) / (double) rows.entries,
                        keys,
                        rows.entries);
    }

    /// Processor time of this thread, so that other work on the machine does not count.
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static void decode(Chunk chunk) throws IOException {
        Path directory = Files.createTempDirectory("speed");
        try {
            Path file = directory.resolve("a.svm");
            Files.write(file, chunk.bytes);
            try (Batches batches = Data.of(List.of(file.toString())).cache(directory, at -> {}, 2)) {
                Batch batch = new Batch();
                for (int round = 0; round < 20 * ROUNDS; round++) {
                    long start = cpuNanos();
                    Batches.Pass pass = batches.pass(round, 0);
                    while (pass.next(batch)) {}
                    if (round % 30 == 29) {
                        System.out.printf("decode %.2f M rows/s%n", ROWS * 1e3 / (cpuNanos() - start));
                    }
                }
            }
            try (Stream<Path> files = Files.list(directory)) {
                for (Path made : files.toList()) {
                    System.out.printf("%s: %d bytes a row%n", made.getFileName(), Files.size(made) / ROWS);
                }
            }
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path made : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(made);
                }
            }
        }
    }
}
