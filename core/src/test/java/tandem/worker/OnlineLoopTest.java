package tandem.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.data.Data;
import tandem.math.Mix;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.server.Hogwild;
import tandem.server.Table;
import tandem.solver.Ftrl;

class OnlineLoopTest {

    private static final Loss LOGISTIC = Loss.named("logistic");
    private static final Separable ELASTIC = Separable.l1(0.3).withL2(0.7);
    private static final int ROWS = 3_000;

    @TempDir
    Path directory;

    private Data data;
    private final long[][] ids = new long[ROWS][];
    private final float[][] values = new float[ROWS][];
    private final double[] labels = new double[ROWS];

    @BeforeEach
    void someExamples() throws IOException {
        Random random = new Random(17);
        StringBuilder text = new StringBuilder();
        for (int r = 0; r < ROWS; r++) {
            int length = 1 + random.nextInt(12);
            ids[r] = random.longs(length * 3L, 0, 300).distinct().limit(length).toArray();
            values[r] = new float[ids[r].length];
            double score = 0;
            for (int e = 0; e < values[r].length; e++) {
                values[r][e] = random.nextInt(4) == 0 ? random.nextInt(1, 40) / 8f : 1;
                score += values[r][e] * ((ids[r][e] % 7) - 3) * 0.3;
            }
            labels[r] = random.nextDouble() < 1 / (1 + Math.exp(-score)) ? 1 : -1;
            text.append((int) labels[r]);
            for (int e = 0; e < values[r].length; e++) {
                text.append(' ').append(ids[r][e]).append(':').append(values[r][e]);
            }
            text.append('\n');
        }
        Path file = directory.resolve("some.svm");
        Files.writeString(file, text);
        data = Data.of(file.toString()).withBatchRows(100);
    }

    @Test
    void one_thread_learns_what_a_plain_loop_learns() throws IOException {
        for (int rows : new int[] {1, 7, 100}) {
            Table table = new Table(new Ftrl(0.1, 1, ELASTIC));
            Table intercept = new Table(new Ftrl(0.1, 1, Separable.NONE));
            Learned learned = learn(table, intercept, rows, 1);
            PlainLoop plain = new PlainLoop(0.1, 1, 0.3, 0.7);
            // Batches of a chunk differ in length by at most one row; these all have 100.
            for (int from = 0; from < ROWS; from += 100) {
                for (int start = from; start < from + 100; start += rows) {
                    plain.learn(start, Math.min(from + 100, start + rows));
                }
            }
            assertEquals(ROWS, learned.examples());
            assertEquals(plain.loss / ROWS, learned.meanLoss(), 1e-5, "rows " + rows);
            table.forEach((key, entries, at) ->
                    assertEquals(plain.weight(Mix.unmix(key)), entries[at], 1e-4, "rows " + rows));
            assertEquals(plain.entries.size() - 1, table.size());
        }
    }

    @Test
    void two_threads_learn_about_as_well_as_one() throws IOException {
        double one = learn(new Table(new Ftrl(0.1, 1, ELASTIC)), null, 4, 1).meanLoss();
        double two = learn(new Table(new Ftrl(0.1, 1, ELASTIC)), null, 4, 2).meanLoss();
        assertEquals(one, two, 0.02 * one);
        assertTrue(one < 0.66, "a loss of " + one + " is no better than a coin's 0.693");
    }

    /// With races and without, however updates of several threads meet.
    @ParameterizedTest
    @EnumSource(Hogwild.class)
    void threads_that_share_weights_end_within_a_hundredth_of_the_loss_of_one(Hogwild hogwild) throws IOException {
        double one = learn(new Table(new Ftrl(0.1, 1, ELASTIC)), null, 4, 1).meanLoss();
        double four = learn(new Table(new Ftrl(0.1, 1, ELASTIC), 0, hogwild), null, 4, 4)
                .meanLoss();
        assertEquals(one, four, 0.01 * one);
    }

    @Test
    void one_thread_repeats_bit_for_bit() throws IOException {
        Learned first = learn(new Table(new Ftrl(0.1, 1, ELASTIC)), null, 4, 1);
        Learned second = learn(new Table(new Ftrl(0.1, 1, ELASTIC)), null, 4, 1);
        assertEquals(Double.doubleToLongBits(first.loss()), Double.doubleToLongBits(second.loss()));
    }

    @Test
    void a_stopped_pass_has_learned_its_first_batches_and_goes_on_after_them() throws IOException {
        for (int threads : new int[] {1, 3}) {
            for (boolean cached : new boolean[] {false, true}) {
                try (Batches batches = cached ? data.cache(directory, _ -> {}, 1) : data.stream();
                        Threads crew = new Threads(threads)) {
                    Table table = new Table(new Ftrl(0.1, 1, ELASTIC));
                    OnlineLoop loop =
                            new OnlineLoop(new OnlineTask(LOGISTIC, Target.number(), 1, table, null, 10), crew);
                    Batches.Pass pass = batches.pass(0, 0);
                    Batches.Pass stopping = new Batches.Pass() {
                        @Override
                        public boolean next(Batch into) throws IOException {
                            if (loop.batches() >= 4) {
                                loop.stop();
                            }
                            return pass.next(into);
                        }

                        @Override
                        public void pause() {
                            pass.pause();
                        }

                        @Override
                        public void goOn() {
                            pass.goOn();
                        }
                    };
                    assertFalse(loop.run(stopping));
                    long learned = loop.batches();
                    assertTrue(learned >= 4, "stopped before the fourth batch");
                    Batches.Pass rest = batches.pass(0, learned);
                    Batch batch = new Batch();
                    long left = 0;
                    while (rest.next(batch)) {
                        left += batch.rows();
                    }
                    assertEquals(ROWS, loop.learned().examples() + left);
                }
            }
        }
    }

    @Test
    void a_failing_pass_fails_the_loop() {
        try (Threads crew = new Threads(2)) {
            OnlineLoop loop = new OnlineLoop(
                    new OnlineTask(LOGISTIC, Target.number(), 1, new Table(new Ftrl(0.1, 1, ELASTIC)), null, 10), crew);
            IOException e = assertThrows(
                    IOException.class,
                    () -> loop.run(_ -> {
                        throw new IOException("the disk is gone");
                    }));
            assertEquals("the disk is gone", e.getMessage());
        }
    }

    private Learned learn(Table table, Table intercept, int rows, int threads) throws IOException {
        try (Batches batches = data.stream();
                Threads crew = new Threads(threads)) {
            OnlineLoop loop =
                    new OnlineLoop(new OnlineTask(LOGISTIC, Target.number(), 1, table, intercept, rows), crew);
            assertTrue(loop.run(batches.pass(0, 0)));
            return loop.learned();
        }
    }

    /// FTRL over maps, one number at a time, in double: the formulas as the paper has them.
    private final class PlainLoop {

        private static final long INTERCEPT = -1;

        private final double alpha;
        private final double beta;
        private final double l1;
        private final double l2;
        /// z and n by id.
        final Map<Long, double[]> entries = new TreeMap<>();
        double loss;

        PlainLoop(double alpha, double beta, double l1, double l2) {
            this.alpha = alpha;
            this.beta = beta;
            this.l1 = l1;
            this.l2 = l2;
        }

        double weight(long id) {
            double[] zn = entries.computeIfAbsent(id, _ -> new double[2]);
            double one = id == INTERCEPT ? 0 : l1;
            double two = id == INTERCEPT ? 0 : l2;
            return Math.abs(zn[0]) <= one
                    ? 0
                    : -(zn[0] - Math.signum(zn[0]) * one) / ((beta + Math.sqrt(zn[1])) / alpha + two);
        }

        void learn(int from, int to) {
            Map<Long, Double> gradients = new TreeMap<>();
            for (int r = from; r < to; r++) {
                double score = weight(INTERCEPT);
                for (int e = 0; e < ids[r].length; e++) {
                    score += weight(ids[r][e]) * values[r][e];
                }
                loss += Math.log1p(Math.exp(-labels[r] * score));
                double slope = -labels[r] / (1 + Math.exp(labels[r] * score));
                gradients.merge(INTERCEPT, slope, Double::sum);
                for (int e = 0; e < ids[r].length; e++) {
                    gradients.merge(ids[r][e], slope * values[r][e], Double::sum);
                }
            }
            gradients.forEach((id, g) -> {
                double w = weight(id);
                double[] zn = entries.get(id);
                double sigma = (Math.sqrt(zn[1] + g * g) - Math.sqrt(zn[1])) / alpha;
                zn[0] += g - sigma * w;
                zn[1] += g * g;
            });
        }
    }
}
