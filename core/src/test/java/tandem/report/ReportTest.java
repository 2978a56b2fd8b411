package tandem.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.problem.Link;

class ReportTest {

    @TempDir
    Path dir;

    @Test
    void every_key_is_there_and_what_a_run_lacks_is_null() throws IOException {
        new Report("train linear").write(dir.resolve("r.json"));
        JsonNode tree = new ObjectMapper().readTree(dir.resolve("r.json").toFile());
        assertEquals("train linear", tree.get("command").asText());
        for (String key : List.of(
                "seed",
                "seconds",
                "examples",
                "examplesPerSecond",
                "objective",
                "metrics",
                "iterations",
                "bytes",
                "workers",
                "staleness",
                "servers",
                "factors",
                "peakMemoryBytes",
                "step",
                "certificate",
                "simulated",
                "reason",
                "curve")) {
            assertTrue(tree.has(key) && tree.get(key).isNull(), key);
        }
    }

    @Test
    void numbers_that_are_not_finite_are_written_as_null() throws IOException {
        LearningCurve curve = new LearningCurve();
        curve.add(new LearningCurve.Point(10, 0.5, 0.7, Double.NaN, Double.NaN, Double.NaN));
        TwoClass tally = new TwoClass(Link.LOGISTIC);
        tally.add(1, 1, 1);
        Path file = dir.resolve("r.json");
        new Report("x")
                .seed(7)
                .work(0, 10)
                .objective(Double.POSITIVE_INFINITY)
                .metrics(tally.metrics())
                .certificate(new Report.Certificate(1e-6, Double.NaN))
                .workers(List.of(new Report.Worker(1, 0.5, 0.25, 3)))
                .bytes(new Report.Bytes(10, 20, 5, Map.of("keys", new Report.Filtered(30, 10))))
                .curve(curve)
                .write(file);
        String text = Files.readString(file);
        assertFalse(text.contains("NaN") || text.contains("Infinity"), text);
        JsonNode tree = new ObjectMapper().readTree(text);
        assertTrue(tree.get("objective").isNull());
        assertTrue(tree.get("examplesPerSecond").isNull());
        assertTrue(tree.at("/metrics/auc").isNull());
        assertEquals(1, tree.at("/metrics/accuracy").asDouble());
        assertTrue(tree.at("/certificate/dualityGap").isNull());
        assertEquals(1e-6, tree.at("/certificate/kktResidual").asDouble());
        assertEquals(0.7, tree.at("/curve/0/progressiveLoss").asDouble());
        assertEquals(10, tree.at("/bytes/byFilter/keys/after").asLong());
        assertEquals(3, tree.at("/workers/0/clock").asLong());
    }

    @Test
    void content_that_cannot_be_made_leaves_the_old_file_and_says_why_itself() throws IOException {
        Path file = dir.resolve("r.json");
        Files.writeString(file, "old");
        IOException error = assertThrows(
                IOException.class,
                () -> AtomicFile.write(file, out -> {
                    out.write(new byte[100_000]);
                    throw new IOException("a.svm:3: no number");
                }));
        assertEquals("a.svm:3: no number", error.getMessage());
        assertEquals("old", Files.readString(file));
        try (var files = Files.list(dir)) {
            assertEquals(1, files.count());
        }
    }

    @Test
    void a_full_disk_is_told_with_the_file() {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full) && !Files.isRegularFile(full), "this system has no /dev/full");
        IOException error =
                assertThrows(IOException.class, () -> AtomicFile.write(full, out -> out.write(new byte[100_000])));
        assertEquals(
                "/dev/full could not be written: No space left on device; delete something there, or choose another"
                        + " place",
                error.getMessage());
    }

    @Test
    void a_missing_directory_is_named() {
        Path file = dir.resolve("no/r.json");
        IOException error = assertThrows(IOException.class, () -> new Report("x").write(file));
        assertTrue(error.getMessage().contains("its directory does not exist"), error.getMessage());
    }
}
