package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.data.BadData;
import tandem.data.BadLines;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.model.Scorer;
import tandem.model.StoredModel;
import tandem.problem.Ball;
import tandem.problem.Diverged;
import tandem.problem.Loss;
import tandem.problem.Separable;

class LinearTrainingTest {

    private static final Watch STOPPING = new Watch() {
        @Override
        public boolean stopping() {
            return true;
        }
    };

    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(Solver.Rule.class)
    void every_online_rule_learns_clicks_untuned(Solver.Rule rule) throws IOException {
        Clicks clicks = Clicks.DEFAULT.withRows(40_000).withFeatures(20_000).withSeed(3);
        Data train = clicks(clicks, "train.svm");
        Data held = clicks(clicks.next(10_000), "held.svm");
        JsonNode report = job(Linear.DEFAULT.withSolver(Solver.Online.of(rule).withPasses(2)), train)
                .withValidation(held)
                .run()
                .report()
                .tree();
        double auc = report.at("/metrics/auc").asDouble();
        assertTrue(auc > 0.74, rule + " reached an AUC of " + auc);
    }

    @ParameterizedTest
    @EnumSource(Solver.Rule.class)
    void every_online_rule_goes_to_the_objective_that_it_reports_where_features_are_rare(Solver.Rule rule)
            throws IOException {
        Data train = clicks(Clicks.DEFAULT.withRows(2_000).withFeatures(2_000), "train.svm");
        Linear l1 = Linear.DEFAULT.withPenalty(Separable.l1(1)).withThreads(1);
        double optimum = objective(l1.withSolver(Solver.Batch.DEFAULT), train);
        Solver.Online online = Solver.Online.of(rule);
        double soon = objective(l1.withSolver(online.withPasses(10)), train);
        double late = objective(l1.withSolver(online.withPasses(40)), train);
        assertTrue(late < soon && late < 1.06 * optimum, "optimum " + optimum + ", " + soon + ", " + late);
    }

    private double objective(Linear settings, Data train) throws IOException {
        return job(settings, train).run().report().tree().get("objective").asDouble();
    }

    @Test
    void a_stream_and_a_cache_learn_about_the_same() throws IOException {
        Clicks clicks = Clicks.DEFAULT.withRows(30_000).withFeatures(20_000);
        Data train = clicks(clicks, "train.svm");
        Data held = clicks(clicks.next(10_000), "held.svm");
        Linear once =
                Linear.DEFAULT.withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(1));
        LinearTraining job = job(once, train).withValidation(held);
        double stream = logloss(job.withCache(new CacheUse.Off()).run());
        double cached = logloss(job.withCache(new CacheUse.Always(directory)).run());
        assertEquals(stream, cached, 0.01);
    }

    @ParameterizedTest
    @ValueSource(strings = {"squared", "huber", "quantile"})
    void regression_finds_the_line(String loss) throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(5);
        for (int r = 0; r < 20_000; r++) {
            double x = random.nextDouble(-1, 1);
            double z = random.nextDouble(-1, 1);
            text.append(3 + 2 * x - z + 0.1 * random.nextGaussian()).append(" 1:" + x + " 2:" + z + "\n");
        }
        Linear line = Linear.DEFAULT
                .withLoss(Loss.named(loss))
                .withPenalty(Separable.NONE)
                .withSolver(Solver.Online.of(Solver.Rule.ADAGRAD).withAlpha(0.5).withPasses(5));
        Scorer scorer = new Scorer(job(line, file("line.svm", text)).run().model());
        assertEquals(3, scorer.predict(new long[0], new float[0]), 0.05);
        assertEquals(5, scorer.predict(new long[] {1}, new float[] {1}), 0.1);
        assertEquals(2, scorer.predict(new long[] {2}, new float[] {1}), 0.1);
    }

    /// The unit of labels changes that of predictions, and nothing else.
    @ParameterizedTest
    @EnumSource(Solver.Rule.class)
    void numbers_are_learned_alike_in_any_unit(Solver.Rule rule) throws IOException {
        Linear settings = Linear.DEFAULT
                .withLoss(Loss.named("squared"))
                .withThreads(1)
                .withSolver(Solver.Online.of(rule).withPasses(rule == Solver.Rule.FTRL ? 1 : 3));
        CacheUse use = rule == Solver.Rule.FTRL ? new CacheUse.Off() : new CacheUse.Auto(directory.resolve("cache"));
        double[] predicted = new double[3];
        double[] units = {1, 1e5, 1e-3};
        for (int k = 0; k < units.length; k++) {
            StringBuilder text = new StringBuilder();
            Random random = new Random(5);
            for (int r = 0; r < 5_000; r++) {
                double x = random.nextGaussian();
                text.append(units[k] * (30 + 2 * x + 0.1 * random.nextGaussian()))
                        .append(" 1:" + x + "\n");
            }
            LinearTraining job = job(settings, file("line-" + k + ".svm", text)).withCache(use);
            predicted[k] = new Scorer(job.run().model()).predict(new long[] {1}, new float[] {1}) / units[k];
        }
        assertEquals(32, predicted[0], 0.2);
        assertEquals(predicted[0], predicted[1], 1e-3);
        assertEquals(predicted[0], predicted[2], 1e-3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"huber", "quantile"})
    void losses_with_bounded_slopes_reach_labels_of_any_unit(String loss) throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(5);
        for (int r = 0; r < 20_000; r++) {
            double x = random.nextDouble(-1, 1);
            text.append(1e5 * (3 + 2 * x + 0.1 * random.nextGaussian())).append(" 1:" + x + "\n");
        }
        Linear line = Linear.DEFAULT.withLoss(Loss.named(loss)).withPenalty(Separable.NONE);
        Scorer scorer = new Scorer(job(line, file("line.svm", text)).run().model());
        assertEquals(5e5, scorer.predict(new long[] {1}, new float[] {1}), 2e4);
    }

    /// Rates are found by the first rows, which are learned from all the same.
    @ParameterizedTest
    @ValueSource(strings = {"squared", "huber"})
    void data_that_can_be_read_once_loses_no_row(String loss) throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(5);
        for (int r = 0; r < 5_000; r++) {
            text.append(random.nextGaussian()).append(" 1:1\n");
        }
        Linear line = Linear.DEFAULT
                .withLoss(Loss.named(loss))
                .withThreads(1)
                .withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(1));
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)));
        try {
            LinearTraining job =
                    job(line, Data.of("-")).withCache(new CacheUse.Off()).withMeasured(false);
            assertEquals(5_000, job.run().report().tree().get("examples").asInt());
        } finally {
            System.setIn(before);
        }
    }

    /// That is what they are chosen for.
    @ParameterizedTest
    @CsvSource({"huber, FTRL", "huber, ADAGRAD", "quantile, FTRL", "quantile, ADAGRAD"})
    void losses_with_bounded_slopes_stand_labels_that_are_far_off(String loss, Solver.Rule rule) throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(5);
        for (int r = 0; r < 20_000; r++) {
            double x = random.nextGaussian();
            text.append(r % 200 == 7 ? 1e6 : 5 + 4 * x + 0.1 * random.nextGaussian())
                    .append(" 1:" + x + "\n");
        }
        Linear line = Linear.DEFAULT
                .withLoss(Loss.named(loss))
                .withPenalty(Separable.NONE)
                .withThreads(1)
                .withSolver(Solver.Online.of(rule).withPasses(1));
        Scorer scorer = new Scorer(job(line, file("line.svm", text)).run().model());
        assertEquals(9, scorer.predict(new long[] {1}, new float[] {1}), 0.3);
    }

    @ParameterizedTest
    @EnumSource(Solver.Rule.class)
    void features_that_every_row_has_do_not_take_what_belongs_to_the_intercept(Solver.Rule rule) throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(6);
        for (int r = 0; r < 20_000; r++) {
            text.append(random.nextInt(100) == 0 ? 1 : -1).append(" 1:1 2:1 3:1 " + random.nextInt(4, 50) + ":1\n");
        }
        Linear rare = Linear.DEFAULT.withSolver(Solver.Online.of(rule)).withThreads(1);
        Scorer scorer = new Scorer(job(rare, file("rare.svm", text)).run().model());
        assertEquals(0.01, scorer.probability(new long[] {99}, new float[] {1}), 0.005);
    }

    @ParameterizedTest
    @EnumSource(Solver.Rule.class)
    void rows_of_any_length_are_learned_untuned(Solver.Rule rule) throws IOException {
        for (double scale : new double[] {0.2, 1, 20}) {
            StringBuilder text = new StringBuilder();
            Random random = new Random(7);
            for (int r = 0; r < 5_000; r++) {
                double x = random.nextGaussian();
                boolean positive = random.nextDouble() < 1 / (1 + Math.exp(-2 * x));
                text.append(positive ? 1 : -1).append(" 1:" + scale * x + " 2:" + scale * random.nextGaussian() + "\n");
            }
            Linear scaled = Linear.DEFAULT.withSolver(Solver.Online.of(rule)).withThreads(1);
            JsonNode report =
                    job(scaled, file("scaled.svm", text)).run().report().tree();
            assertEquals(0.46, report.at("/metrics/logloss").asDouble(), 0.02, rule + " at " + scale);
        }
    }

    @Test
    void more_than_two_labels_are_told_apart_one_against_the_rest() throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(6);
        String[] names = {"ant", "bee", "cat"};
        for (int r = 0; r < 6_000; r++) {
            int k = random.nextInt(3);
            text.append(names[k])
                    .append(" ")
                    .append(10 + k)
                    .append(":1 ")
                    .append(20 + random.nextInt(50))
                    .append(":1\n");
        }
        Trained trained = job(Linear.DEFAULT, file("three.svm", text)).run();
        assertEquals(java.util.List.of("ant", "bee", "cat"), trained.model().classes());
        Scorer scorer = new Scorer(trained.model());
        for (int k = 0; k < 3; k++) {
            assertEquals(names[k], scorer.label(new long[] {10 + k}, new float[] {1}));
        }
        assertEquals(1, trained.report().tree().at("/metrics/accuracy").asDouble());
    }

    @Test
    void a_label_chosen_as_positive_is_the_positive_class() throws IOException {
        Data data = file("two.svm", "a 1:1\nb 2:1\n".repeat(500));
        Trained trained = job(Linear.DEFAULT.withPositive("a"), data).run();
        assertEquals(java.util.List.of("b", "a"), trained.model().classes());
        assertTrue(new Scorer(trained.model()).probability(new long[] {1}, new float[] {1}) > 0.7);
    }

    @Test
    void training_stops_early_and_keeps_the_best_pass() throws IOException {
        // Noise: the more it is learned, the worse the held-out loss.
        Data train = noise("train.svm", 1);
        Data held = noise("held.svm", 2);
        Linear eager = Linear.DEFAULT
                .withPenalty(Separable.NONE)
                .withSolver(Solver.Online.of(Solver.Rule.FTRL)
                        .withAlpha(1)
                        .withPasses(20)
                        .withPatience(1));
        JsonNode report = job(eager, train).withValidation(held).run().report().tree();
        assertEquals("early", report.get("stopped").asText());
        assertTrue(report.get("iterations").asInt() < 20);
        double best = Double.POSITIVE_INFINITY;
        for (JsonNode point : report.get("curve")) {
            best = Math.min(best, point.get("validationLoss").asDouble(Double.POSITIVE_INFINITY));
        }
        assertEquals(best, report.at("/metrics/logloss").asDouble(), 1e-6);
    }

    @Test
    void a_warm_start_goes_on_from_the_model() throws IOException {
        Clicks clicks = Clicks.DEFAULT.withRows(20_000).withFeatures(20_000);
        Data train = clicks(clicks, "train.svm");
        Linear once =
                Linear.DEFAULT.withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(1));
        Trained first = job(once, train).run();
        Trained second = job(once, train).withStart(first.model()).run();
        double cold = first.report().tree().get("progressiveLoss").asDouble();
        double warm = second.report().tree().get("progressiveLoss").asDouble();
        assertTrue(warm < cold - 0.02, "cold " + cold + ", warm " + warm);
    }

    @Test
    void a_start_from_other_classes_or_features_is_refused() throws IOException {
        Trained three = job(Linear.DEFAULT, three()).run();
        Data two = file("two.svm", "1 1:1 3:1\n0 2:1 3:1\n".repeat(50));
        IOException classes = assertThrows(
                IOException.class,
                () -> job(Linear.DEFAULT, two).withStart(three.model()).run());
        assertTrue(classes.getMessage().contains("tells the classes 0, 1, 2, but the data have"), classes.getMessage());
        Data table = file("table.csv", "click,age,city\n1,30,Rome\n0,40,Oslo\n1,31,Rome\n0,41,Oslo\n");
        Trained hashed = job(Linear.DEFAULT, table).run();
        IOException features = assertThrows(
                IOException.class,
                () -> job(Linear.DEFAULT, two).withStart(hashed.model()).run());
        assertTrue(features.getMessage().contains("trained from csv, not libsvm"), features.getMessage());
        Data signs = file("signs.svm", "1 1:1 3:1\n-1 2:1 3:1\n".repeat(50));
        Trained zeros = job(Linear.DEFAULT, two).run();
        assertTrue(job(Linear.DEFAULT, signs).withStart(zeros.model()).run().finished());
    }

    @Test
    void an_objective_that_is_no_number_is_a_failure() throws IOException {
        Data huge = file("huge.svm", "1e300 1:1\n-1e300 2:1\n".repeat(50));
        Linear squared = Linear.DEFAULT.withSolver(Solver.Batch.DEFAULT).withLoss(Loss.named("squared"));
        Diverged e = assertThrows(Diverged.class, () -> job(squared, huge).run());
        assertTrue(e.getMessage().startsWith("the objective is "), e.getMessage());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_interrupted_run_resumes_to_the_same_bits(boolean cached) throws IOException {
        Data train = clicks(Clicks.DEFAULT.withRows(30_000).withFeatures(20_000), "train.svm");
        Linear settings = Linear.DEFAULT
                .withThreads(1)
                .withSolver(Solver.Online.of(cached ? Solver.Rule.ADAGRAD : Solver.Rule.FTRL)
                        .withPasses(cached ? 3 : 1));
        LinearTraining job =
                job(settings, train).withCache(cached ? new CacheUse.Always(directory) : new CacheUse.Off());
        Trained whole = job.run();

        Path checkpoint = directory.resolve("checkpoint");
        LinearTraining interrupted = job.withCheckpointing(hourly(checkpoint)).withWatch(STOPPING);
        Trained half = interrupted.run();
        assertNull(half.model());
        assertFalse(half.finished());
        assertTrue(Files.exists(checkpoint));

        Trained resumed = job.withCheckpointing(hourly(checkpoint).resumed()).run();
        assertArrayEquals(whole.model().ids(), resumed.model().ids());
        assertArrayEquals(whole.model().weights()[0], resumed.model().weights()[0]);
        assertArrayEquals(whole.model().intercepts(), resumed.model().intercepts());
        assertFalse(Files.exists(checkpoint), "the checkpoint of a finished run is left behind");
    }

    @Test
    void a_checkpoint_of_other_settings_is_refused() throws IOException {
        Data train = clicks(Clicks.DEFAULT.withRows(2_000).withFeatures(20_000), "train.svm");
        Path checkpoint = directory.resolve("checkpoint");
        new Checkpoint("something else", java.util.List.of(), Checkpoint.Progress.START)
                .write(hourly(checkpoint).file());
        IOException e = assertThrows(
                IOException.class,
                () -> job(Linear.DEFAULT, train)
                        .withCheckpointing(hourly(checkpoint).resumed())
                        .run());
        assertTrue(e.getMessage().contains("is of another run"), e.getMessage());
    }

    @Test
    void the_batch_solver_gives_an_optimum_that_its_objective_and_certificate_agree_on() throws IOException {
        Data train = clicks(Clicks.DEFAULT.withRows(5_000).withFeatures(20_000), "train.svm");
        Linear l1 = Linear.DEFAULT.withPenalty(Separable.l1(2)).withSolver(Solver.Batch.DEFAULT);
        JsonNode report = job(l1, train).run().report().tree();
        assertEquals("converged", report.get("stopped").asText());
        double objective = report.get("objective").asDouble();
        assertTrue(
                TrainingKit.gap(report) < 1e-3 * objective,
                report.get("certificate").toString());
        assertTrue(report.at("/weights/nonZero").asInt()
                < report.at("/weights/seen").asInt() / 4);

        // Online training of the same objective ends above the optimum, but not far.
        Linear online = Linear.DEFAULT
                .withPenalty(Separable.l1(2))
                .withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(10));
        double above = job(online, train).run().report().tree().get("objective").asDouble();
        assertTrue(above > objective && above < 1.2 * objective, "optimum " + objective + ", online " + above);
    }

    @Test
    void group_lasso_drops_whole_groups() throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(8);
        for (int r = 0; r < 2_000; r++) {
            boolean yes = random.nextBoolean();
            text.append(yes ? 1 : 0);
            for (int id = 1; id <= 6; id++) {
                boolean useful = id <= 3;
                text.append(' ').append(id).append(':').append(random.nextGaussian() + (useful && yes ? 1 : 0));
            }
            text.append('\n');
        }
        Path groups = directory.resolve("groups");
        Files.writeString(groups, "useful: 1-3\nuseless: 4-6\n");
        Linear grouped = Linear.DEFAULT
                .withSolver(Solver.Batch.DEFAULT)
                .withPenalty(new Penalty.Grouped(60, Groups.read(groups)));
        double[] weights = job(grouped, file("grouped.svm", text)).run().model().weights()[0];
        for (int id = 1; id <= 6; id++) {
            assertEquals(id <= 3, weights[id - 1] != 0, "weight " + id + " is " + weights[id - 1]);
        }
    }

    @Test
    void labels_of_one_class_are_refused() throws IOException {
        Data data = file("one.svm", "1 1:1\n1 2:1\n");
        for (CacheUse use : new CacheUse[] {new CacheUse.Off(), new CacheUse.Always(directory)}) {
            Exception e = assertThrows(
                    Exception.class,
                    () -> job(Linear.DEFAULT, data).withCache(use).run());
            assertTrue(e.getMessage().contains("every example has the label 1"), e.getMessage());
        }
    }

    @Test
    void rows_of_weight_0_are_no_examples_of_a_class() throws IOException {
        Data data = file("weighed.svm", "1 1:1\n-1 2:1\n1 3:1\n-1 4:1\n");
        Linear squared = Linear.DEFAULT.withLoss(Loss.named("squared"));
        for (CacheUse use : new CacheUse[] {new CacheUse.Off(), new CacheUse.Always(directory)}) {
            for (Linear settings : new Linear[] {Linear.DEFAULT, squared}) {
                assertRefused("every example has the weight 0", job(settings, weighed(data, "0\n0\n0\n0\n")), use);
            }
            assertRefused("every example has the label -1", job(Linear.DEFAULT, weighed(data, "0\n1\n0\n1\n")), use);
        }
        Data words = file("words.svm", "ant 1:1\nbee 2:1\nant 3:1\nbee 4:1\n");
        assertRefused(
                "every example has the label bee",
                job(Linear.DEFAULT, weighed(words, "0\n1\n0\n1\n")),
                new CacheUse.Always(directory));
        Scorer scorer = new Scorer(job(Linear.DEFAULT, data).run().model());
        Exception e = assertThrows(
                IOException.class, () -> Evaluation.of(scorer, weighed(data, "0\n0\n0\n0\n"), 2, Watch.SILENT));
        assertTrue(e.getMessage().contains("every example has the weight 0"), e.getMessage());
    }

    private Data weighed(Data data, String weights) throws IOException {
        return data.withWeights(file("weights", weights).paths().getFirst());
    }

    private static void assertRefused(String why, LinearTraining job, CacheUse use) {
        Exception e = assertThrows(Exception.class, () -> job.withCache(use).run());
        assertTrue(e.getMessage().contains(why), e.getMessage());
    }

    @Test
    void one_class_against_all_others_is_evaluated_on_its_own_data() throws IOException {
        for (String text : new String[] {"1 1:1\n2 2:1\n3 3:1\n", "ant 1:1\n2 2:1\ncat 3:1\n"}) {
            Data data = file("three.svm", text.repeat(200));
            Trained trained = job(Linear.DEFAULT.withPositive("2"), data).run();
            Evaluation held = Evaluation.of(new Scorer(trained.model()), data, 2, Watch.SILENT);
            assertEquals(600, held.metrics().examples());
            assertEquals(1, held.metrics().accuracy());
            assertEquals(1 / 3.0, held.metrics().labelMean(), 1e-9);
        }
    }

    @Test
    void other_labels_than_those_of_training_are_bad_lines() throws IOException {
        Linear once =
                Linear.DEFAULT.withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(1));
        for (String negative : new String[] {"-1", "0"}) {
            Data train = file("train" + negative, ("1 1:1\n" + negative + " 2:1\n").repeat(100));
            Data either = file("either", "1 1:1\n0 2:1\n-1 2:1\n");
            Scorer scorer = new Scorer(job(once, train).run().model());
            assertEquals(
                    1, Evaluation.of(scorer, either, 1, Watch.SILENT).metrics().accuracy());
            for (String other : new String[] {"cat", "5"}) {
                Data held = file("held", "1 1:1\n" + other + " 2:1\n");
                String wrong = held.paths().getFirst() + ":2: label '" + other + "'; the labels here are -1, 0, 1.";
                for (Linear settings : new Linear[] {once, Linear.DEFAULT}) {
                    Exception e = assertThrows(
                            BadData.class,
                            () -> job(settings, train).withValidation(held).run());
                    assertTrue(e.getMessage().startsWith(wrong), e.getMessage());
                }
                Exception e = assertThrows(BadData.class, () -> Evaluation.of(scorer, held, 1, Watch.SILENT));
                assertTrue(e.getMessage().startsWith(wrong), e.getMessage());
                Data skipping = held.withBadLines(new BadLines.Skip(1));
                assertEquals(
                        1,
                        Evaluation.of(scorer, skipping, 1, Watch.SILENT)
                                .metrics()
                                .examples());
            }
        }
    }

    @Test
    void labels_mean_the_same_streamed_and_cached() throws IOException {
        Data data = file("three.svm", "1 1:1\n0 2:1\n-1 3:1\n".repeat(200));
        Linear once =
                Linear.DEFAULT.withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(1));
        assertEquals(
                java.util.List.of("-1", "0", "1"), job(once, data).run().model().classes());
        Data negative = file("negative.svm", "0 1:1\n-1 3:1\n".repeat(200));
        assertEquals(
                java.util.List.of("-1", "0"), job(once, negative).run().model().classes());
        Data zeros = file("zeros.svm", "0 1:1\n1 3:1\n".repeat(200));
        assertEquals(java.util.List.of("0", "1"), job(once, zeros).run().model().classes());
    }

    @Test
    void a_run_that_is_stopped_while_reading_gives_no_model() throws IOException {
        Data train = clicks(Clicks.DEFAULT.withRows(20_000).withFeatures(20_000), "train.svm");
        Trained trained = job(Linear.DEFAULT, train).withWatch(STOPPING).run();
        assertFalse(trained.finished());
        assertEquals("interrupted", trained.report().tree().get("stopped").asText());
    }

    /// Three classes of which each has its own feature, and noise.
    private Data three() throws IOException {
        StringBuilder text = new StringBuilder();
        SplittableRandom random = new SplittableRandom(4);
        for (int row = 0; row < 600; row++) {
            text.append(row % 3).append(' ').append(row % 3 + 1).append(":1");
            text.append(' ').append(4 + random.nextInt(30)).append(":1\n");
        }
        return file("three.svm", text);
    }

    /// Asks to stop once the line of progress, or a note, begins with `what`.
    private static Watch stoppingAt(String what) {
        return new Watch() {
            private boolean seen;

            @Override
            public void progress(String stage, double done, long examples, double loss) {
                seen |= stage.startsWith(what);
            }

            @Override
            public void note(String line) {
                seen |= line.startsWith(what);
            }

            @Override
            public boolean stopping() {
                return seen;
            }
        };
    }

    @Test
    void a_certificate_covers_the_classes_that_were_done_before_a_resume() throws IOException {
        Path checkpoint = directory.resolve("checkpoint");
        LinearTraining job = job(Linear.DEFAULT.withSolver(new Solver.Batch(1e-2, 100)), three());
        JsonNode whole = job.run().report().tree();
        Trained half = job.withCheckpointing(hourly(checkpoint))
                .withWatch(stoppingAt("class 3/3"))
                .run();
        assertFalse(half.finished());
        assertFalse(half.report().tree().get("certificate").isObject(), "not all classes are done");
        JsonNode resumed = job.withCheckpointing(hourly(checkpoint).resumed())
                .run()
                .report()
                .tree();
        assertEquals("converged", resumed.get("stopped").asText());
        assertEquals(TrainingKit.gap(whole), TrainingKit.gap(resumed), 1e-9);
        assertTrue(TrainingKit.gap(whole) > 1e-3);
    }

    static List<LinearTraining> kinds() {
        ClusterPlan plan = ClusterPlan.DEFAULT.withBatchRows(64);
        Data data = Data.of("none.svm");
        Linear usual = Linear.DEFAULT.withThreads(1);
        Solver.Factors machine = Solver.Factors.PLAIN.withDimension(2);
        Linear factors = usual.withSolver(machine.withWeights(machine.weights().withPasses(1)));
        return List.of(
                LinearTraining.of(usual.withSolver(Solver.Batch.DEFAULT), data),
                LinearTraining.of(usual, data),
                LinearTraining.of(usual, data).withCluster(plan),
                LinearTraining.of(usual.withSolver(Solver.Lbfgs.DEFAULT), data),
                LinearTraining.of(factors, data).withCluster(plan));
    }

    /// What training has found is whole by then, and nothing is to be gone on with.
    @ParameterizedTest
    @MethodSource("kinds")
    void who_stops_the_scoring_of_a_model_has_it_and_a_report_without_metrics(LinearTraining kind) throws IOException {
        Path checkpoint = directory.resolve("checkpoint");
        Path place = directory.resolve("model");
        Trained trained = job(kind.settings(), three())
                .withCluster(kind.cluster())
                .withModel(place, false)
                .withCheckpointing(hourly(checkpoint))
                .withWatch(stoppingAt("scoring"))
                .run();
        assertTrue(trained.finished());
        assertEquals(3, StoredModel.at(place).card().outputs());
        assertFalse(Files.exists(checkpoint.resolve("run.checkpoint")));
        JsonNode report = trained.report().tree();
        assertEquals("interrupted", report.get("scoring").asText());
        assertFalse(report.path("metrics").isObject(), report.toString());
        boolean exact = !(kind.settings().solver() instanceof Solver.Online
                || kind.settings().solver() instanceof Solver.Factors);
        assertEquals(exact ? "converged" : "passes", report.get("stopped").asText());
        assertEquals(exact, report.at("/certificate/dualityGap").isNumber(), report.toString());
    }

    @Test
    void a_model_that_cannot_be_written_leaves_the_checkpoint() throws IOException {
        Path checkpoint = directory.resolve("checkpoint");
        Path models = Files.createDirectory(directory.resolve("models"));
        Data data = clicks(Clicks.DEFAULT.withRows(2_000).withFeatures(2_000), "train.svm");
        Checkpointing often = new Checkpointing(checkpoint, Duration.ofNanos(1));
        LinearTraining job = job(Linear.DEFAULT.withThreads(1), data).withModel(models.resolve("m"), false);
        assertThrows(
                IOException.class,
                () -> job.withCheckpointing(often)
                        .withWatch(new Watch() {

                            @Override
                            public void learned() {
                                replace(models);
                            }
                        })
                        .run());
        Files.delete(models);
        assertTrue(job.withCheckpointing(often.resumed()).run().finished());
        assertFalse(Files.exists(checkpoint));
        assertTrue(Files.exists(models.resolve("m")));
    }

    private static void replace(Path directory) {
        try {
            Files.delete(directory);
            Files.createFile(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_checkpoint_of_changed_data_is_refused() throws IOException {
        Data train = clicks(Clicks.DEFAULT.withRows(20_000).withFeatures(20_000), "train.svm");
        Path checkpoint = directory.resolve("checkpoint");
        LinearTraining job = job(Linear.DEFAULT, train).withCheckpointing(hourly(checkpoint));
        train.cache(directory.resolve("cache"), _ -> {}, 1).close();
        job.withWatch(STOPPING).run();
        assertTrue(job.checkpointing().isResumable());
        IOException other = assertThrows(
                IOException.class,
                () -> job(Linear.DEFAULT.withSeed(7), Data.of(directory + "/./train.svm"))
                        .withCheckpointing(hourly(checkpoint).resumed())
                        .run());
        assertTrue(other.getMessage().contains("another run: --seed was 1 and is now 7. Go on"), other.getMessage());
        clicks(Clicks.DEFAULT.withRows(20_000).withFeatures(20_000).withSeed(9), "train.svm");
        IOException e = assertThrows(
                IOException.class,
                () -> job.withCheckpointing(hourly(checkpoint).resumed()).run());
        assertTrue(e.getMessage().contains("is of another run: file 1 of --data "), e.getMessage());
    }

    @Test
    void a_pair_that_no_solver_handles_is_refused() {
        assertThrows(
                IllegalArgumentException.class,
                () -> Linear.DEFAULT.withSolver(Solver.Batch.DEFAULT).withLoss(Loss.named("hinge")));
        assertThrows(IllegalArgumentException.class, () -> Linear.DEFAULT.withPenalty(new Ball(1)));
        assertThrows(
                IllegalArgumentException.class,
                () -> Linear.DEFAULT.withPositiveWeight(2).withLoss(Loss.named("squared")));
    }

    private LinearTraining job(Linear settings, Data data) {
        return LinearTraining.of(settings, data).withCache(new CacheUse.Auto(directory.resolve("cache")));
    }

    private static double logloss(Trained trained) {
        return trained.report().tree().at("/metrics/logloss").asDouble();
    }

    private Data clicks(Clicks clicks, String name) throws IOException {
        Path file = directory.resolve(name);
        clicks.write(file, 1, _ -> {});
        return Data.of(file.toString());
    }

    private Data noise(String name, long seed) throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(seed);
        for (int r = 0; r < 2_000; r++) {
            text.append(random.nextInt(2));
            int at = 0;
            for (int e = 0; e < 10; e++) {
                at += 1 + random.nextInt(200);
                text.append(' ').append(at).append(":1");
            }
            text.append('\n');
        }
        return file(name, text);
    }

    private Data file(String name, CharSequence text) throws IOException {
        Path file = directory.resolve(name);
        Files.writeString(file, text);
        return Data.of(file.toString());
    }

    private static Checkpointing hourly(Path directory) {
        return new Checkpointing(directory, Duration.ofHours(1));
    }
}
