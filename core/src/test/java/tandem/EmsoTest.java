package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.worker.Local;
import tandem.worker.Local.Emso.By;

class EmsoTest {

    @TempDir
    private Path directory;

    /// Two rows x = 1 with the label 1 under the squared loss have the gradient −2 at 0. Where γ is 8, a step of
    /// minibatch SGD of length 1/γ goes to 2/8, and the minimum of the subproblem is at 2/(2 + 8).
    @Test
    void one_gradient_step_is_minibatch_sgd_and_a_coordinate_step_the_minimum() throws IOException {
        Data two = Data.of(Files.writeString(directory.resolve("two.svm"), "1 1:1\n1 1:1\n")
                .toString());
        Linear settings = Linear.DEFAULT
                .withLoss(Loss.named("squared"))
                .withPenalty(Separable.NONE)
                .withIntercept(false);
        double gamma = 8 / Math.sqrt(2);
        for (By by : By.values()) {
            Local.Emso how = Local.Emso.by(by).withInner(1).withGamma(gamma);
            Solver solver = Solver.Online.emso(by).withPasses(1).withLocal(how);
            Trained trained = job(settings.withSolver(solver), two)
                    .withCluster(plan(1).withBatchRows(2))
                    .run();
            assertEquals(by == By.GRADIENT ? 0.25 : 0.2, trained.model().weights()[0][0], 1e-7, by.toString());
        }
    }

    /// At clock t a step of one length 1/γ√(t·b) in b rows, where features are in all rows: so is that of SGD whose
    /// rate falls with the root of its pushes.
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 20})
    void gradient_steps_of_batch_after_batch_are_those_of_minibatch_sgd(int rows) throws IOException {
        Random random = new Random(6);
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 8 * rows; row++) {
            double[] x = random.doubles(3, -1, 1).toArray();
            text.append(String.format("%.4f 1:%.4f 2:%.4f 3:%.4f%n", 3 * x[0] - x[1], x[0], x[1], x[2]));
        }
        Data dense =
                Data.of(Files.writeString(directory.resolve("dense.svm"), text).toString());
        Linear settings = Linear.DEFAULT
                .withLoss(Loss.named("squared"))
                .withPenalty(Separable.NONE)
                .withIntercept(false);
        double gamma = 6;
        Solver emso = Solver.Online.emso(By.GRADIENT)
                .withPasses(3)
                .withPatience(0)
                .withLocal(Local.Emso.by(By.GRADIENT).withInner(1).withGamma(gamma));
        Solver sgd = Solver.Online.of(Solver.Rule.SGD)
                .withPasses(3)
                .withPatience(0)
                .withAlpha(1 / (gamma * Math.sqrt(rows)))
                .withBeta(0);
        ClusterPlan plan = plan(1).withBatchRows(rows);
        double[] expected = job(settings.withSolver(sgd), dense)
                .withCluster(plan)
                .run()
                .model()
                .weights()[0];
        double[] found = job(settings.withSolver(emso), dense)
                .withCluster(plan)
                .run()
                .model()
                .weights()[0];
        assertTrue(expected[0] > 0.3, "nothing was learned: " + expected[0]);
        assertArrayEquals(expected, found, 2e-6);
    }

    /// Each of two workers has one such row, finds the minimum at 1/(1 + 4), and sends half of the way there.
    @Test
    void weights_become_the_mean_of_what_workers_find() throws IOException {
        Data two = Data.of(Files.writeString(directory.resolve("two.svm"), "1 1:1\n1 1:1\n")
                .toString());
        Linear settings = Linear.DEFAULT
                .withLoss(Loss.named("squared"))
                .withPenalty(Separable.NONE)
                .withIntercept(false)
                .withSolver(Solver.Online.emso(By.COORDINATE)
                        .withPasses(1)
                        .withLocal(Local.Emso.by(By.COORDINATE).withGamma(4)));
        // Deterministic, so that neither sees what the other sends for the same clock.
        ClusterPlan together = plan(2).withBatchRows(1).withStreams(2).withRhythm(new Rhythm("bsp", false, 1, 0, true));
        Trained trained = job(settings, two).withCluster(together).run();
        assertEquals(0.2, trained.model().weights()[0][0], 1e-7);
    }

    /// Who has no batch finds nothing, and does not count in the mean.
    @Test
    void streams_without_a_batch_do_not_hold_weights_back() throws IOException {
        Data data = clicks(300, 100);
        Linear settings =
                Linear.DEFAULT.withSolver(Solver.Online.emso(By.COORDINATE).withPasses(3));
        double alone = objective(job(settings, data).withCluster(plan(1).withBatchRows(300)));
        double among = objective(
                job(settings, data).withCluster(plan(2).withBatchRows(300).withStreams(8)));
        assertEquals(alone, among, 1e-9 * alone);
    }

    /// With all rows in one batch and almost no γ the subproblem is the problem.
    @ParameterizedTest
    @EnumSource
    void a_batch_of_all_rows_that_is_free_to_go_far_reaches_the_optimum(By by) throws IOException {
        Data data = clicks(400, 100);
        Linear settings = Linear.DEFAULT
                .withPenalty(Separable.l2(10).withL1(0.5))
                .withIntercept(false)
                .withThreads(1);
        double least = objective(job(settings.withSolver(Solver.Batch.DEFAULT), data));
        Local.Emso far = Local.Emso.by(by).withGamma(1e-6).withEnough(0).withInner(by == By.GRADIENT ? 3_000 : 300);
        Solver once = Solver.Online.emso(by).withPasses(1).withLocal(far);
        double reached = objective(job(settings.withSolver(once), data).withCluster(plan(1).withBatchRows(400)));
        assertEquals(least, reached, 1e-6 * least);
    }

    /// What it is for: batches that are 32 times as large cost minibatch AdaGrad much of what it learns in a pass,
    /// and EMSO little (Li et al. 2014: a rate of 1/√N instead of 1/√N + b/N).
    @Test
    void what_a_pass_learns_does_not_fall_with_the_size_of_batches() throws IOException {
        Clicks clicks = Clicks.DEFAULT.withRows(12_000).withFeatures(2_000).withSeed(5);
        Data train = write(clicks, "train.svm");
        Data held = write(clicks.next(4_000), "held.svm");
        Solver emso = Solver.Online.emso(By.COORDINATE).withPasses(1);
        Solver adaGrad = Solver.Online.of(Solver.Rule.ADAGRAD).withPasses(1);
        double small = loss(emso, 64, train, held);
        double large = loss(emso, 2_048, train, held);
        double smallSteps = loss(adaGrad, 64, train, held);
        double largeSteps = loss(adaGrad, 2_048, train, held);
        String all = small + " to " + large + ", adagrad " + smallSteps + " to " + largeSteps;
        assertTrue(large < 1.05 * small, all);
        assertTrue(largeSteps > 1.15 * smallSteps, all);
        assertTrue(small < 1.02 * smallSteps, all);
    }

    @Test
    void a_loss_with_a_kink_and_settings_without_sense_are_refused() {
        Linear hinge = Linear.DEFAULT.withLoss(Loss.named("hinge"));
        Solver emso = Solver.Online.emso(By.GRADIENT);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> hinge.withSolver(emso))
                .getMessage()
                .contains("emso-gd solver needs a smooth loss"));
        assertThrows(
                IllegalArgumentException.class, () -> Local.Emso.by(By.GRADIENT).withGamma(0));
        assertThrows(
                IllegalArgumentException.class, () -> Local.Emso.by(By.GRADIENT).withInner(0));
    }

    /// Held-out loss after a pass in simulated time, with two workers at the same clock.
    private double loss(Solver solver, int rows, Data train, Data held) throws IOException {
        return job(Linear.DEFAULT.withThreads(1).withSolver(solver), train)
                .withValidation(held)
                .withCluster(plan(2).withBatchRows(rows).withWhere(Where.Simulated.DEFAULT))
                .run()
                .report()
                .tree()
                .at("/metrics/logloss")
                .asDouble();
    }

    private static double objective(LinearTraining job) throws IOException {
        return job.run().report().tree().path("objective").asDouble();
    }

    private Data clicks(int rows, int features) throws IOException {
        return write(Clicks.DEFAULT.withRows(rows).withFeatures(features), "clicks.svm");
    }

    private Data write(Clicks clicks, String name) throws IOException {
        Path file = directory.resolve(name);
        clicks.write(file, 1, _ -> {});
        return Data.of(file.toString());
    }

    private LinearTraining job(Linear settings, Data data) {
        return LinearTraining.of(settings, data).withCache(new CacheUse.Always(directory.resolve("cache")));
    }

    private static ClusterPlan plan(int workers) {
        return ClusterPlan.DEFAULT.withNodes(workers, 1).withConsistency("bsp");
    }
}
