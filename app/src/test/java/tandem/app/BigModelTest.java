package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.math.Mix;
import tandem.model.KeyRange;
import tandem.model.ModelCard;
import tandem.model.ModelDraft;
import tandem.model.Precision;
import tandem.model.RangeFile;

/// A model that is larger than the memory of who uses it.
class BigModelTest {

    private static final int RANGES = 6;
    private static final int WEIGHTS = 1 << 20;
    private static final String HEAP = "-Xmx32m";

    @TempDir
    private Path at;

    @Test
    void a_model_of_twice_the_heap_predicts_and_evaluates() throws Exception {
        long[] some = write();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < some.length; i++) {
            text.append(i % 2 == 0 ? "1 " : "-1 ")
                    .append(Long.toUnsignedString(some[i]))
                    .append(":1\n");
        }
        Path data = Files.writeString(at.resolve("d.svm"), text);
        Path out = at.resolve("p");
        run("predict", "--model", "m", "--data", data.toString(), "--kind", "scores", "--out", out.toString());
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < some.length; i++) {
            expected.add(Double.toString(0.5 + (i % 2 == 0 ? 1 : -1)));
        }
        assertEquals(expected, Files.readAllLines(out));
        String said = run("evaluate", "--model", "m", "--data", data.toString());
        assertTrue(said.contains("AUC                   1.0000"), said);
        // To hold it whole takes more than there is.
        assertTrue(Files.size(at.resolve("m/weights-00001-of-00006.safetensors")) * RANGES > 64 << 20);
    }

    /// Weights at even distances, +1 and -1 in turn; gives some of their ids.
    private long[] write() throws IOException {
        long step = Long.divideUnsigned(-1, (long) RANGES * WEIGHTS);
        List<RangeFile> files = new ArrayList<>();
        try (ModelDraft draft = ModelDraft.of(at.resolve("m"), false)) {
            for (int r = 0; r < RANGES; r++) {
                long[] keys = new long[WEIGHTS];
                double[] weights = new double[WEIGHTS];
                for (int i = 0; i < WEIGHTS; i++) {
                    keys[i] = ((long) r * WEIGHTS + i) * step;
                    weights[i] = i % 2 == 0 ? 1 : -1;
                }
                KeyRange range = new KeyRange(0, r + 1, RANGES, keys[0]);
                files.add(RangeFile.write(draft.directory(), range, keys, weights, Precision.F32));
            }
            draft.publish(
                    new ModelCard("logistic", List.of("-1", "1"), Precision.F32, null, null),
                    new double[] {0.5},
                    files);
        }
        long[] some = new long[1000];
        for (int i = 0; i < some.length; i++) {
            some[i] = Mix.unmix((i * 6001L + i % 2 - i * 6001L % 2) * step);
        }
        return some;
    }

    private String run(String... args) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Tandem.class.getName()));
        command.addAll(List.of(args));
        Path said = at.resolve("said");
        Process process = new ProcessBuilder(command)
                .directory(at.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue(), Files.readString(said));
        return Files.readString(said);
    }
}
