package tandem.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.CacheUse;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Placement;
import tandem.Solver;
import tandem.Watch;
import tandem.Where;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.model.LinearModel;
import tandem.model.ModelDirectory;

/// A run that others read from while it trains.
class JobTest {

    private static final String NAME = "test-" + ProcessHandle.current().pid();

    @TempDir
    private Path at;

    private Path data;

    @BeforeEach
    void data() throws IOException {
        data = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(6_000).withFeatures(2_000).write(data, 1, _ -> {});
    }

    @Test
    void a_run_is_evaluated_and_predicted_with_while_it_trains_and_does_not_mind() throws IOException {
        Visitor visitor = new Visitor(0);
        LinearModel visited = train(new Where.Processes(Where.Transport.UNIX, NAME), visitor, "visited");
        LinearModel alone = train(new Where.Embedded(), Watch.SILENT, "alone");
        assertTrue(visitor.said.getFirst().contains("AUC"), visitor.said::toString);
        assertTrue(visitor.taken.contains("a job of that name runs already"), visitor.taken);
        assertEquals(6_000, Files.readAllLines(at.resolve("p")).size());
        assertArrayEquals(alone.ids(), visited.ids());
        assertArrayEquals(alone.weights()[0], visited.weights()[0]);
        String told = Call.bad(1, "evaluate", "--job", NAME, "--data", data);
        assertTrue(told.contains("no job called " + NAME + " is running"), told);
    }

    @Test
    void a_factorisation_machine_is_scored_with_while_it_trains() throws IOException {
        Visitor visitor = new Visitor(0);
        Solver.Factors solver = Solver.Factors.PLAIN.withDimension(2);
        train(
                solver.withWeights(solver.weights().withPasses(6)),
                new Where.Processes(Where.Transport.UNIX, NAME),
                visitor,
                "machine");
        assertTrue(visitor.said.getFirst().contains("AUC"), visitor.said::toString);
        assertEquals(6_000, Files.readAllLines(at.resolve("p")).size());
    }

    /// Features have other keys there than anywhere else, which who reads them finds out.
    @Test
    void a_run_with_placed_features_is_evaluated_while_it_trains() throws IOException {
        Visitor visitor = new Visitor(0.5);
        LinearTraining.of(
                        Linear.DEFAULT
                                .withThreads(1)
                                .withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(6)),
                        Data.of(data.toString()))
                .withCache(new CacheUse.Auto(at.resolve("cache")))
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(2, 2)
                        .withBatchRows(64)
                        .withWhere(new Where.Processes(Where.Transport.UNIX, NAME))
                        .withPlacement(Placement.PARSA))
                .withModel(at.resolve("placed"), false)
                .withWatch(visitor)
                .run();
        String said = visitor.said.getFirst();
        double auc = Double.parseDouble(said.replaceAll("(?s).*AUC +([0-9.]+).*", "$1"));
        assertTrue(auc > 0.65, said);
    }

    /// Comes by once, when a pass is under way and training is so far.
    private final class Visitor implements Watch {

        private final List<String> said = new ArrayList<>();
        private final double from;
        private String taken;

        Visitor(double from) {
            this.from = from;
        }

        @Override
        public void progress(String stage, double done, long examples, double loss) {
            if (stage.startsWith("pass") && examples > 0 && done >= from && said.isEmpty()) {
                said.add(Call.good("evaluate", "--job", NAME, "--data", data).out());
                Call.good("predict", "--job", NAME, "--data", data, "--out", at.resolve("p"));
                taken = Call.bad(
                        2,
                        "train",
                        "linear",
                        "--data",
                        data,
                        "--model",
                        at.resolve("other"),
                        "--runtime",
                        "processes",
                        "--job",
                        NAME);
            }
        }
    }

    private LinearModel train(Where where, Watch watch, String name) throws IOException {
        train(Solver.Online.of(Solver.Rule.FTRL).withPasses(6), where, watch, name);
        return ModelDirectory.load(at.resolve(name));
    }

    private void train(Solver solver, Where where, Watch watch, String name) throws IOException {
        LinearTraining.of(Linear.DEFAULT.withThreads(1).withSolver(solver), Data.of(data.toString()))
                .withCache(new CacheUse.Auto(at.resolve("cache")))
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(1, 2)
                        .withConsistency("bsp")
                        .withBatchRows(64)
                        .withWhere(where))
                .withModel(at.resolve(name), false)
                .withWatch(watch)
                .run();
    }

    @Test
    void what_cannot_be_read_from_is_refused() {
        assertTrue(Call.bad(2, "evaluate", "--job", "../else", "--data", data).contains("a job is named by"));
        assertTrue(Call.bad(2, "evaluate", "--job", "a", "--model", "m", "--data", data)
                .contains("keep one of them"));
        assertTrue(Call.bad(2, "train", "linear", "--data", data, "--model", at.resolve("m"), "--job", "a")
                .contains("it is for --runtime processes"));
    }
}
