package tandem.bench.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.bench.Addition;
import tandem.bench.Notes;
import tandem.bench.Ratio;
import tandem.bench.Workspace;

class SparkBenchTest {

    private final Notes notes = new Notes(new PrintStream(PrintStream.nullOutputStream()));

    @Test
    @Timeout(300)
    void both_systems_come_within_a_thousandth_of_the_optimum_on_the_same_rows(@TempDir Path folder) throws Exception {
        SparkSettings settings = new SparkSettings();
        settings.rows = 4_000;
        settings.rounds = 1;
        settings.heap = "600m";
        try (Workspace work = new Workspace(folder)) {
            Findings found = new LogisticPart(Clicked.of(settings, work, 100, notes), 1, 3, notes).run();
            assertEquals(2, found.rows().size());
            SparkRow tandem = found.rows().getFirst();
            SparkRow mllib = found.rows().getLast();
            assertTrue(tandem.system().startsWith("tandem"), tandem::system);
            assertTrue(mllib.system().startsWith("MLlib"), mllib::system);
            for (SparkRow row : found.rows()) {
                assertTrue(row.above() <= 1e-3 && row.above() > -1e-5, row::toString);
                assertTrue(row.logloss() > 0.3 && row.logloss() < 0.7, row::toString);
                assertTrue(row.wallSeconds() > 0 && row.cpuSeconds() > 0, row::toString);
                double slots = row.computeSeconds() + row.moveSeconds() + row.idleSeconds();
                assertTrue(row.computeSeconds() > 0 && slots >= 2 * row.wallSeconds() - 1e-9, row::toString);
                assertTrue(row.heapBytes() > 0 && row.peakBytes() > row.heapBytes() / 2, row::toString);
            }
            assertTrue(found.ratios().stream().map(Ratio::what).anyMatch(what -> what.contains("times as fast")));
        }
    }

    @Test
    void a_session_that_runs_out_of_memory_says_so(@TempDir Path folder) throws Exception {
        SparkSettings settings = new SparkSettings();
        settings.rows = 1_000;
        settings.heap = "2m";
        try (Workspace work = new Workspace(folder)) {
            Clicked clicks = Clicked.of(settings, work, 100, notes);
            StageProcess.Ended ended =
                    assertThrows(StageProcess.Ended.class, () -> clicks.logistic(Play.System.MLLIB, 1e-5, 1));
            assertTrue(ended.getMessage().startsWith("a session of Spark's ended early: "), ended::getMessage);
        }
    }

    @Test
    void the_command_is_found() {
        assertTrue(ServiceLoader.load(Addition.class).stream()
                .anyMatch(addition -> addition.type() == SparkAddition.class));
    }

    @Test
    void a_loss_is_right_for_scores_of_any_size() {
        assertEquals(Math.log(2), Scores.loss(1, 0), 1e-15);
        assertEquals(800, Scores.loss(0, 800), 1e-12);
        assertEquals(0, Scores.loss(1, 800), 1e-12);
        assertEquals(Math.log1p(Math.exp(-2)), Scores.loss(0, -2), 1e-15);
    }
}
