package tandem.bench;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import tandem.Cluster;
import tandem.Worker;
import tandem.client.SharedRows;
import tandem.math.Hash;
import tandem.simulate.Network;
import tandem.simulate.Simulation;
import tandem.wire.Address;
import tandem.wire.TableSpec;

/// Workers that fit a linear function together in simulated time, by gradient steps on weights that they share. Each
/// has examples of its own; a clock is a tenth of a pass over them.
final class EagerRace {

    private static final int WORKERS = 8;
    private static final int SERVERS = 2;
    private static final int EXAMPLES = 4_000;
    private static final int ROWS = 25;
    private static final int WIDTH = 4;
    private static final int CLOCKS_A_PASS = 10;
    private static final int PASSES = 60;
    private static final double STEP = 0.7;
    private static final double TARGET = 0.002;

    /// How long a clock takes on average.
    private static final double CLOCK_NANOS = 1e6;

    private static final TableSpec WEIGHTS =
            TableSpec.dense("weights", ROWS, WIDTH).withDoubles().withShards(2 * SERVERS);

    /// How it went.
    ///
    /// @param passes    until predictions were off by less than the target, on average; NaN if they never were
    /// @param seconds   virtual time until then
    /// @param staleness mean and variance, in clocks, over all reads
    /// @param bytes     sent and received by workers in all
    record Result(double passes, double seconds, double staleness, double variance, double bytes) {}

    private final String consistency;
    private final Simulation simulation;
    private final double[][] examples = new double[EXAMPLES][];
    private final double[] labels = new double[EXAMPLES];
    private final double[] errors = new double[PASSES];
    private final double[] endNanos = new double[PASSES];
    private final long[] stale = new long[1 << 11];

    EagerRace(long seed, String consistency) {
        this.consistency = consistency;
        simulation = new Simulation(
                seed,
                Network.DEFAULT,
                (node, clock) -> Math.round(CLOCK_NANOS
                        * (0.9 + 0.2 * Hash.fraction(Hash.number(seed, Hash.number(node.number(), clock))))));
        SplittableRandom chance = new SplittableRandom(seed);
        double[] truth = chance.doubles(ROWS * WIDTH, -1, 1).toArray();
        for (int e = 0; e < EXAMPLES; e++) {
            examples[e] = chance.doubles(truth.length, -1, 1).toArray();
            labels[e] = dot(examples[e], truth);
        }
    }

    Result run() {
        Cluster.embedded(WORKERS, SERVERS, WEIGHTS)
                .in(simulation)
                .withConsistency(consistency)
                .run(this::work);
        double reads = Arrays.stream(stale).sum();
        double mean = 0;
        double squares = 0;
        for (int behind = 0; behind < stale.length; behind++) {
            mean += behind * stale[behind] / reads;
            squares += (double) behind * behind * stale[behind] / reads;
        }
        int pass = 0;
        while (pass < PASSES && !(Math.sqrt(errors[pass] / EXAMPLES) < TARGET)) {
            pass++;
        }
        double bytes = 0;
        for (int w = 0; w < WORKERS; w++) {
            bytes += simulation.traffic(Address.worker(w)).sent()
                    + simulation.traffic(Address.worker(w)).received();
        }
        boolean there = pass < PASSES;
        return new Result(
                there ? pass + 1 : Double.NaN,
                there ? endNanos[pass] * 1e-9 : Double.NaN,
                mean,
                squares - mean * mean,
                bytes);
    }

    private void work(Worker worker) {
        SharedRows rows = worker.rows();
        int first = worker.number() * EXAMPLES / WORKERS;
        int count = (worker.number() + 1) * EXAMPLES / WORKERS - first;
        long[] keys = LongStream.range(0, ROWS).toArray();
        for (int clock = 0; clock < PASSES * CLOCKS_A_PASS; clock++) {
            double[] weights = Arrays.stream(rows.get(0, keys))
                    .flatMapToDouble(Arrays::stream)
                    .toArray();
            double[] steps = new double[weights.length];
            int from = first + clock % CLOCKS_A_PASS * count / CLOCKS_A_PASS;
            int to = first + (clock % CLOCKS_A_PASS + 1) * count / CLOCKS_A_PASS;
            for (int e = from; e < to; e++) {
                double error = labels[e] - dot(examples[e], weights);
                errors[clock / CLOCKS_A_PASS] += error * error;
                for (int v = 0; v < steps.length; v++) {
                    steps[v] += STEP / (WORKERS * (to - from)) * error * examples[e][v];
                }
            }
            for (int row = 0; row < ROWS; row++) {
                rows.inc(0, row, Arrays.copyOfRange(steps, row * WIDTH, (row + 1) * WIDTH));
            }
            worker.session().station().worked(clock);
            rows.clock();
            endNanos[clock / CLOCKS_A_PASS] = worker.session().station().nowNanos();
        }
        long[] reads = worker.session().staleness().histogram();
        for (int behind = 0; behind < reads.length; behind++) {
            stale[behind] += reads[behind];
        }
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int v = 0; v < a.length; v++) {
            sum += a[v] * b[v];
        }
        return sum;
    }
}
