package tandem.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import tandem.client.Client;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.consistency.Consistency;
import tandem.server.Rules;
import tandem.server.Server;
import tandem.simulate.Network;
import tandem.simulate.Simulation;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.TableSpec;

/// Workers that minimise one function together in simulated time: logistic regression by steps of a fixed size, a
/// minibatch a task, until the objective over all examples is low enough. Real arithmetic; only time is modelled.
final class Race {

    static final int WORKERS = 8;
    private static final int SERVERS = 2;
    private static final int FEATURES = 200;
    private static final int EXAMPLES = 4_000;
    private static final int PER_ROW = 12;
    private static final int LOOKS = 10;
    private static final int BATCH = 40;
    private static final long SILENCE_NANOS = 1_000_000_000_000L;

    /// How long a task takes that takes 1.
    private static final double TASK_NANOS = 1e6;

    private static final TableSpec WEIGHTS =
            TableSpec.dense("weights", FEATURES, 1).withShards(SERVERS);

    /// How long the tasks of a worker take, where 1 is usual.
    @FunctionalInterface
    interface Pace {

        /// @param task which task of the worker it is
        /// @param now  the time, in usual tasks
        double of(int worker, long task, double now);
    }

    /// When to stop, and what a step is.
    ///
    /// @param target the objective to reach, the mean loss of an example
    /// @param tasks  the most tasks of all workers together
    /// @param step   how far each gradient moves the weights
    /// @param own    whether each worker has examples of its own, which are alike; otherwise all draw from all
    record Goal(double target, long tasks, double step, boolean own) {}

    /// How it went.
    ///
    /// @param seconds   virtual time until the objective was reached; NaN if it was not
    /// @param idle      the share of their time that workers waited
    /// @param tasks     how many were done by all workers
    /// @param objective the mean over the last half of the run
    /// @param staleness mean and variance, in clocks, over all reads
    record Result(double seconds, double idle, long tasks, double objective, double staleness, double variance) {}

    private final Goal goal;
    private final Consistency consistency;
    private final boolean readsAhead;
    private final Simulation simulation;
    private final Server[] servers = new Server[SERVERS];
    private final int[][] ids = new int[EXAMPLES][PER_ROW];
    private final double[] labels = new double[EXAMPLES];
    private final long[] taskOf = new long[WORKERS];
    private final double[] waited = new double[WORKERS];
    private final double[] finished = new double[WORKERS];
    private final SplittableRandom[] draws = new SplittableRandom[WORKERS];

    /// Examples that are alike side by side.
    private int[] order;

    private double reads;
    private double staleSum;
    private double staleSquares;
    private long tasks;
    private double reached = Double.NaN;
    private final List<Double> objectives = new ArrayList<>();
    private boolean over;

    Race(long seed, String consistency, Pace pace, Goal goal) {
        this.goal = goal;
        this.consistency = Consistency.named(consistency);
        // Asynchronous workers could, too; but then it would not be known whether waiting or reading ahead mattered.
        readsAhead = consistency.startsWith("bounded") && this.consistency.ahead() > 0;
        Simulation[] clock = {null};
        simulation = new Simulation(
                seed,
                Network.DEFAULT,
                (node, _) -> Math.round(TASK_NANOS
                        * pace.of(node.number(), taskOf[node.number()]++, clock[0].nowNanos() / TASK_NANOS)));
        clock[0] = simulation;
        // The same examples whatever the seed, so that one objective means the same.
        draw(new SplittableRandom(1));
        int[] owners = IntStream.range(0, SERVERS).toArray();
        Layout layout = new Layout(1, new TableSpec[] {WEIGHTS}, new int[][] {owners}, WORKERS);
        for (int s = 0; s < SERVERS; s++) {
            servers[s] = new Server(s, new Rules(), 0);
            servers[s].receive(Address.COORDINATOR, placed(layout), 0, simulation.add(Address.server(s), servers[s]));
        }
        for (int w = 0; w < WORKERS; w++) {
            Address address = Address.worker(w);
            Client client = new Client(simulation.resendNanos());
            draws[w] = new SplittableRandom(seed * 31 + w);
            client.receive(
                    Address.COORDINATOR, placed(layout, new Lease(w, 1, false)), 0, simulation.add(address, client));
            simulation.loop(
                    address, station -> work(address.number(), new Session(address, client, station, SILENCE_NANOS)));
        }
    }

    private static Message placed(Layout layout, Lease... leases) {
        return new Message.Placed(layout, new String[SERVERS], leases);
    }

    Result run() {
        simulation.run();
        double mean = staleSum / reads;
        double busy = Arrays.stream(finished).sum();
        return new Result(
                reached * 1e-9,
                Arrays.stream(waited).sum() / busy,
                tasks,
                mean(objectives.subList(objectives.size() / 2, objectives.size())),
                mean,
                staleSquares / reads - mean * mean);
    }

    /// Examples whose labels follow from planted weights, with noise; popular features occur in most of them.
    private void draw(SplittableRandom chance) {
        double[] truth = chance.doubles(FEATURES, -2, 2).toArray();
        for (int e = 0; e < EXAMPLES; e++) {
            double score = 0;
            for (int k = 0; k < PER_ROW; k++) {
                ids[e][k] = (int) (FEATURES * Math.pow(chance.nextDouble(), 2));
                score += truth[ids[e][k]];
            }
            labels[e] = chance.nextDouble() < 1 / (1 + Math.exp(-score)) ? 1 : -1;
        }
        order = IntStream.range(0, EXAMPLES)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(e -> labels[e]).thenComparingInt(e -> ids[e][0]))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private void work(int worker, Session session) {
        float[] weights = new float[FEATURES];
        float[] next = new float[FEATURES];
        Ticket pull = pull(worker, 0, session, weights);
        while (!over) {
            Ticket ahead = readsAhead ? pull(worker, 1, session, next) : null;
            session.await(pull);
            if (over) {
                break;
            }
            float[] gradient = gradient(worker, weights);
            session.station().worked(1);
            session.update(worker, session.clock(worker) + 1, new Slice(0, Keys.range(0, FEATURES), gradient));
            look(worker, session);
            pull = ahead != null ? ahead : pull(worker, 0, session, next);
            float[] used = weights;
            weights = next;
            next = used;
        }
        long[] behind = session.staleness().histogram();
        for (int clocks = 0; clocks < behind.length; clocks++) {
            reads += behind[clocks];
            staleSum += (double) clocks * behind[clocks];
            staleSquares += (double) clocks * clocks * behind[clocks];
        }
        session.end(worker);
    }

    private Ticket pull(int worker, int before, Session session, float[] into) {
        return session.pull(
                worker,
                consistency.after(session.clock(worker) + before, session.sent(worker) + before),
                new Slice(0, Keys.range(0, FEATURES), into));
    }

    private float[] gradient(int worker, float[] weights) {
        float[] gradient = new float[FEATURES];
        for (int b = 0; b < BATCH; b++) {
            int drawn = draws[worker].nextInt(EXAMPLES);
            int e = order[goal.own ? (worker * EXAMPLES + drawn) / WORKERS : drawn];
            double margin = labels[e] * score(e, weights);
            float step = (float) (goal.step * labels[e] / (1 + Math.exp(margin)) / BATCH);
            for (int id : ids[e]) {
                gradient[id] += step;
            }
        }
        return gradient;
    }

    private double score(int example, float[] weights) {
        double score = 0;
        for (int id : ids[example]) {
            score += weights[id];
        }
        return score;
    }

    /// Notes the time once the objective is low enough; looking takes none.
    private void look(int worker, Session session) {
        if (over) {
            return;
        }
        waited[worker] = session.waitedNanos();
        finished[worker] = simulation.nowNanos();
        if (++tasks % WORKERS != 0) {
            return;
        }
        double objective = objective();
        objectives.add(objective);
        int looks = objectives.size();
        // A lucky moment does not count.
        if (looks >= LOOKS && mean(objectives.subList(looks - LOOKS, looks)) <= goal.target) {
            reached = simulation.nowNanos();
        }
        over = !Double.isNaN(reached) || tasks >= goal.tasks || !(objective < 100);
    }

    private static double mean(List<Double> numbers) {
        return numbers.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    private double objective() {
        float[] weights = new float[FEATURES];
        for (int s = 0; s < SERVERS; s++) {
            servers[s].forEach(0, s, row -> weights[(int) row.key()] = (float) row.weight(0));
        }
        double sum = 0;
        for (int e = 0; e < EXAMPLES; e++) {
            sum += Math.log1p(Math.exp(-labels[e] * score(e, weights)));
        }
        return sum / EXAMPLES;
    }
}
