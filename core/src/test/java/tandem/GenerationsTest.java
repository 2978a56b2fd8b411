package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.model.KeyRange;
import tandem.model.Precision;
import tandem.model.RangeFile;
import tandem.wire.Keys;
import tandem.wire.Part;
import tandem.wire.Reached;
import tandem.wire.Values;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GenerationsTest {

    private static final int SHARDS = 3;

    @TempDir
    Path directory;

    /// Rows that tell which generation they are of.
    private static List<Part> rows(int shard, long generation) {
        long[] keys = {1, 5, 900};
        Values values = Values.of(generation, shard, 0.5f, -1f, 2f, 3f);
        return List.of(new Part(0, shard, Keys.once(keys, 3), 0, 3, 1, values));
    }

    private static void publish(Generations generations, long number) throws IOException {
        Path draft = generations.begin(number);
        List<ShardFile> files = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            files.add(ShardFile.write(draft, new ShardFile.Place(0, shard), rows(shard, number)));
        }
        KeyRange range = new KeyRange(0, 1, 1, 0);
        RangeFile weights = RangeFile.write(draft, range, new long[] {4}, new double[] {number}, Precision.F32);
        SavedProblem saved = new SavedProblem(List.of(weights), WeightSums.NONE, 0.25, null);
        generations.publish(
                number,
                new Manifest(
                        Manifest.FORMAT,
                        "{}",
                        SHARDS,
                        new Reached(new long[] {number, 7}, new long[] {number, 3}),
                        new Manifest.Place(1, 2, number),
                        List.of(saved),
                        Manifest.Best.NONE,
                        files));
    }

    /// The generation that is found, once all of it is seen to be of one.
    private static long found(Generations generations, List<String> notes) throws IOException {
        Generations.Found found = generations.newest(notes::add);
        long number = found.manifest().place().rounds();
        assertEquals(number, found.manifest().reached().sequence(0));
        assertEquals(Double.POSITIVE_INFINITY, found.manifest().best().loss());
        for (int shard = 0; shard < SHARDS; shard++) {
            List<Part> parts = new ArrayList<>();
            ShardFile.read(found.directory(), new ShardFile.Place(0, shard), parts::add);
            Values.Floats values = (Values.Floats) parts.getFirst().values();
            assertEquals(number, values.array()[values.at()]);
            assertEquals(shard, values.array()[values.at() + 1]);
        }
        return number;
    }

    @Test
    void the_newest_is_found_and_only_so_many_stay() throws IOException {
        Generations generations = new Generations(directory.resolve("kept"), 2);
        for (long number = 1; number <= 4; number++) {
            publish(generations, number);
            assertEquals(number, found(generations, new ArrayList<>()));
        }
        assertEquals(List.of(4L, 3L), generations.numbers());
        generations.forget();
        assertTrue(Files.notExists(directory.resolve("kept")));
    }

    @Test
    void a_draft_that_was_left_is_no_checkpoint_and_goes() throws IOException {
        Generations generations = new Generations(directory, 2);
        publish(generations, 1);
        Path draft = generations.begin(2);
        ShardFile.write(draft, new ShardFile.Place(0, 0), rows(0, 2));
        assertEquals(1, found(generations, new ArrayList<>()));
        publish(generations, 2);
        try (Stream<Path> files = Files.list(directory)) {
            assertEquals(2, files.count());
        }
    }

    @Test
    void a_damaged_one_is_told_and_the_one_before_it_taken() throws IOException {
        Generations generations = new Generations(directory, 3);
        publish(generations, 1);
        publish(generations, 2);
        Path file = new ShardFile.Place(0, 1).in(Generations.place(directory, 2));
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 40));
        List<String> notes = new ArrayList<>();
        assertEquals(1, found(generations, notes));
        assertTrue(
                notes.getFirst().contains("generation-000002 cannot be used: shard-0000-00001.rows"), notes::toString);
        Files.delete(Generations.place(directory, 1).resolve(Manifest.FILE));
        String said = assertThrows(IOException.class, () -> generations.newest(notes::add))
                .getMessage();
        assertTrue(said.contains("and there is no other"), said);
    }

    @Test
    void one_with_a_file_that_it_does_not_name_is_not_whole() throws IOException {
        Generations generations = new Generations(directory, 1);
        publish(generations, 1);
        Files.createFile(Generations.place(directory, 1).resolve("more"));
        String said = assertThrows(IOException.class, () -> generations.newest(_ -> {}))
                .getMessage();
        assertTrue(said.contains("it has other files than it says"), said);
    }

    @Test
    void a_manifest_of_another_format_says_so() throws IOException {
        publish(new Generations(directory, 1), 1);
        String manifest = Files.readString(Generations.place(directory, 1).resolve(Manifest.FILE));
        String other = manifest.replaceFirst("(\"format\" *: *)" + Manifest.FORMAT, "$19");
        String said = assertThrows(IOException.class, () -> Manifest.decode(other.getBytes(StandardCharsets.UTF_8)))
                .getMessage();
        assertEquals("manifest.json has format 9; this version reads " + Manifest.FORMAT, said);
        assertThrows(IOException.class, () -> Manifest.decode("null".getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void a_checkpoint_cannot_name_files_outside_its_directory() throws IOException {
        Generations generations = new Generations(directory, 1);
        publish(generations, 1);
        Path there = Generations.place(directory, 1);
        Path outside = Files.writeString(directory.resolve("outside"), "not for a model");
        Manifest good = Manifest.read(there);
        for (String name : List.of("../outside", outside.toString(), "weights-00001-of-00001.safetensors/../x")) {
            RangeFile escape = new RangeFile(name, 0, "0", 1, Files.size(outside), ShardFile.sha256(outside));
            SavedProblem saved = new SavedProblem(List.of(escape), WeightSums.NONE, 0.25, null);
            Manifest bad = new Manifest(
                    Manifest.FORMAT,
                    good.settings(),
                    good.shards(),
                    good.reached(),
                    good.place(),
                    List.of(saved),
                    good.best(),
                    good.rows());
            String said =
                    assertThrows(IOException.class, () -> bad.verify(there)).getMessage();
            assertEquals("it names a file that no run writes", said);
        }
    }

    /// Bits flipped, bytes overwritten, files cut, lengthened, exchanged and gone.
    @Test
    void ten_thousand_damages_are_all_found() throws IOException {
        Generations generations = new Generations(directory, 1);
        publish(generations, 1);
        Path there = Generations.place(directory, 1);
        List<Path> files;
        try (Stream<Path> list = Files.list(there)) {
            files = list.sorted().toList();
        }
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 10_000; round++) {
            Path file = files.get(random.nextInt(files.size()));
            byte[] whole = Files.readAllBytes(file);
            byte[] damaged = damaged(whole, random);
            if (damaged == null) {
                Files.delete(file);
            } else {
                Files.write(file, damaged);
            }
            String what = "round " + round + ", " + file.getFileName();
            assertThrows(IOException.class, () -> Manifest.read(there), what);
            Files.write(file, whole);
        }
        assertEquals(1, found(generations, new ArrayList<>()));
    }

    /// Something else, or null for a file that is gone.
    private static byte[] damaged(byte[] whole, SplittableRandom random) {
        byte[] damaged = whole.clone();
        int at = random.nextInt(whole.length);
        switch (random.nextInt(8)) {
            case 0 -> {
                return null;
            }
            case 1 -> damaged = Arrays.copyOf(whole, at);
            case 2 -> damaged = Arrays.copyOf(whole, whole.length + 1 + random.nextInt(9));
            case 3 -> {
                int from = random.nextInt(at + 1);
                for (int k = from; k <= at; k++) {
                    damaged[k] = (byte) (whole[k] + 1 + random.nextInt(255));
                }
            }
            default -> damaged[at] ^= (byte) (1 << random.nextInt(8));
        }
        return damaged;
    }

    /// Publishes one generation after the other in a process of its own, until it is killed.
    static final class Writer {

        private Writer() {}

        public static void main(String[] args) throws IOException {
            Generations generations = new Generations(Path.of(args[0]), 1);
            long next = generations.numbers().stream().findFirst().orElse(0L);
            while (true) {
                publish(generations, ++next);
                System.out.println(next);
            }
        }
    }

    /// What there is while a process is stopped is what would be left if it were killed there.
    @Test
    void a_writer_that_is_stopped_at_any_point_has_left_whole_generations() throws Exception {
        Generations generations = new Generations(directory.resolve("kept"), 1);
        SplittableRandom random = new SplittableRandom(1);
        for (int life = 0; life < 2; life++) {
            Process writer = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Writer.class.getName(),
                            directory.resolve("kept").toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            AtomicLong told = new AtomicLong();
            try {
                Thread.ofVirtual().start(() -> writer.inputReader().lines().forEach(l -> told.set(Long.parseLong(l))));
                while (told.get() == 0) {
                    assertTrue(writer.isAlive());
                    Thread.onSpinWait();
                }
                for (int stop = 0; stop < 150; stop++) {
                    TimeUnit.MICROSECONDS.sleep(random.nextInt(2_000));
                    signal(writer, "STOP");
                    long written = told.get();
                    List<String> notes = new ArrayList<>();
                    long found = found(generations, notes);
                    assertTrue(found >= written, found + " was found; " + written + " had been written");
                    assertEquals(List.of(), notes);
                    signal(writer, "CONT");
                }
            } finally {
                writer.destroyForcibly().waitFor();
            }
            assertTrue(found(generations, new ArrayList<>()) > 0);
        }
    }

    private static void signal(Process process, String name) throws Exception {
        String pid = Long.toString(process.pid());
        assertEquals(0, new ProcessBuilder("kill", "-" + name, pid).start().waitFor());
        Path state = Path.of("/proc", pid, "stat");
        while (name.equals("STOP") && !Files.readString(state).contains(") T ")) {
            Thread.onSpinWait();
        }
    }
}
