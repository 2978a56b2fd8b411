package tandem.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Station;
import tandem.cluster.Conductor;
import tandem.cluster.Coordinator;
import tandem.cluster.Standing;
import tandem.wire.Address;
import tandem.wire.Keys;

/// Strikes a cluster that counts, sees how long it takes until all goes on, and whether every row is what was pushed.
/// Belongs to the thread of the coordinator's loop.
final class Havoc {

    private static final long EVERY_NANOS = 10_000_000;
    private static final long MOST_WAIT_NANOS = 90_000_000_000L;
    private static final long LOOK_MILLIS = 5;
    private static final Duration DAY = Duration.ofDays(1);

    /// Updates of each worker that must be acknowledged before and after something is done.
    private static final int MOVING = 50;

    private final ChaosCluster cluster;
    private final Coordinator coordinator;
    private final Station station;
    private final Conductor conductor;
    private final SplittableRandom chance;
    private final int workers;

    /// Nodes that nothing deadly is done to.
    private final Predicate<Address> spared;

    private Standstill standstill;

    Havoc(ChaosCluster cluster, Station station, long seed, Predicate<Address> spared) {
        this.cluster = cluster;
        this.coordinator = cluster.coordinator();
        this.station = station;
        this.conductor = new Conductor(coordinator, station, ChaosNode.SILENCE_NANOS);
        this.chance = new SplittableRandom(seed);
        this.workers = cluster.cast().workers();
        this.spared = spared;
    }

    /// What came of one strike.
    ///
    /// @param rows         how many rows there are, of which `exact` are what was pushed
    /// @param seconds      how long the pushes of a worker stood still, at most
    /// @param acknowledged updates so far
    record Blow(ChaosKind kind, String whom, int exact, int rows, double seconds, long acknowledged) {

        boolean isExact() {
            return exact == rows;
        }
    }

    void begin() {
        conductor.awaitAll(EVERY_NANOS, () -> {});
    }

    /// One round: all is well, workers count, something is done, they go on, they stop, and rows are compared.
    Blow strike(ChaosKind kind) throws IOException {
        awaitRest();
        Coordinator.Round counting = conductor.beginAll(ChaosNode.COUNT);
        standstill = new Standstill(new long[workers], System.nanoTime());
        awaitMoving();
        standstill = new Standstill(standstill.acknowledged(), System.nanoTime());
        String whom = act(kind);
        cluster.network().heal();
        awaitMoving();
        double seconds = standstill.longestSeconds();
        awaitRest();
        long[] sent = stop(counting, kind);
        return new Blow(
                kind,
                whom,
                compare(sent),
                workers + ChaosNode.SHARED,
                seconds,
                Arrays.stream(sent).sum());
    }

    void end() {
        conductor.dismiss(conductor.workers(), EVERY_NANOS);
        conductor.dismiss(conductor.servers(), EVERY_NANOS);
    }

    /// Does it, and says to whom.
    private String act(ChaosKind kind) throws IOException {
        BadNetwork network = cluster.network();
        return switch (kind) {
            case KILL_SERVER -> end(any(Address.Role.SERVER, kind), one -> signal("KILL", one));
            case KILL_WORKER -> end(any(Address.Role.WORKER, kind), one -> signal("KILL", one));
            case KILL_COORDINATOR -> throw new IllegalStateException("that of this cluster is this process");
            case MEMORY -> end(any(kind), one -> cluster.makeGreedy(one.pid()));
            case STOP -> end(any(kind), one -> signal("STOP", one));
            case ALONE -> end(any(kind), one -> surround(one.node(), new Trouble.Hole()));
            case PAUSE, LONG_PAUSE -> {
                Standing one = any(kind);
                signal("STOP", one);
                look(kind.length());
                signal("CONT", one);
                yield one.node().toString();
            }
            case CUT -> {
                Address worker = any(Address.Role.WORKER, kind).node();
                Address server = oneOf(standings().stream()
                                .filter(one -> !one.leads().isEmpty())
                                .toList())
                        .node();
                network.set(worker, server, new Trouble.Cut());
                look(kind.length());
                yield worker + " and " + server;
            }
            case ONE_WAY -> {
                Address from = any(kind).node();
                Address to = any(kind).node();
                network.set(from, to.equals(from) ? Address.COORDINATOR : to, new Trouble.Hole());
                look(kind.length());
                yield from + " to " + (to.equals(from) ? Address.COORDINATOR : to);
            }
            case HOLE -> {
                Address one = any(kind).node();
                surround(one, new Trouble.Hole());
                look(kind.length());
                yield one.toString();
            }
            case LOSS -> everywhere(new Trouble.Loss(0.05), kind);
            case CORRUPTION -> everywhere(new Trouble.Flip(0.01), kind);
            case DELAY -> everywhere(new Trouble.Delay(Duration.ofMillis(20)), kind);
            case SLOW_WORKER -> {
                Standing one = any(Address.Role.WORKER, kind);
                long over = System.nanoTime() + kind.length().toNanos();
                while (System.nanoTime() - over < 0) {
                    signal("STOP", one);
                    look(Duration.ofMillis(90));
                    signal("CONT", one);
                    look(Duration.ofMillis(10));
                }
                yield one.node().toString();
            }
            case SLOW_READER -> {
                Address one = any(kind).node();
                others(one).forEach(other -> network.set(other, one, new Trouble.Rate(20_000)));
                look(kind.length());
                yield one.toString();
            }
            case STRANGERS -> {
                try (Strangers strangers = new Strangers(chance.nextLong())) {
                    long over = System.nanoTime() + kind.length().toNanos();
                    while (System.nanoTime() - over < 0) {
                        cluster.places().forEach(strangers::call);
                        look(Duration.ofMillis(10));
                    }
                    yield strangers.said() + " calls";
                }
            }
            case CLOCK -> {
                cluster.clock().jumpTo(chance.nextBoolean() ? DAY : DAY.negated());
                look(kind.length());
                yield "all nodes";
            }
        };
    }

    private String everywhere(Trouble trouble, ChaosKind kind) {
        long before = cluster.network().harmed();
        cluster.network().setAll(trouble);
        look(kind.length());
        long harmed = cluster.network().harmed() - before;
        return harmed == 0 ? "all frames" : harmed + " frames";
    }

    /// Something that a node can do or suffer.
    @FunctionalInterface
    private interface Deed {
        void on(Standing one) throws IOException;
    }

    /// Does something to a node that it does not survive, and waits until another has its place.
    private String end(Standing one, Deed deed) throws IOException {
        deed.on(one);
        await(() -> standings().stream().noneMatch(other -> other.pid() == one.pid()));
        return one.node().toString();
    }

    private void surround(Address node, Trouble trouble) {
        others(node).forEach(other -> {
            cluster.network().set(node, other, trouble);
            cluster.network().set(other, node, trouble);
        });
    }

    private List<Address> others(Address node) {
        return Stream.concat(
                        Stream.of(Address.COORDINATOR), standings().stream().map(Standing::node))
                .filter(other -> !other.equals(node))
                .toList();
    }

    private Standing any(ChaosKind kind) {
        return any(chance.nextBoolean() ? Address.Role.SERVER : Address.Role.WORKER, kind);
    }

    private Standing any(Address.Role role, ChaosKind kind) {
        return oneOf(standings().stream()
                .filter(one -> one.node().role() == role && !(kind.isDeadly() && spared.test(one.node())))
                .toList());
    }

    private Standing oneOf(List<Standing> all) {
        return all.get(chance.nextInt(all.size()));
    }

    private static void signal(String name, Standing to) throws IOException {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(to.pid()))
                    .start()
                    .waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private List<Standing> standings() {
        return station.turn((now, _) -> coordinator.standings(now));
    }

    /// Sees how far all workers are.
    private void see() {
        long[] updates = new long[workers];
        standings().stream()
                .filter(one -> one.node().role() == Address.Role.WORKER)
                .forEach(one -> updates[one.node().number()] = one.examples());
        standstill.see(updates, System.nanoTime());
    }

    private void look(Duration length) {
        long over = System.nanoTime() + length.toNanos();
        await(() -> System.nanoTime() - over >= 0);
    }

    /// Waits until updates of all workers are acknowledged that are not yet.
    private void awaitMoving() {
        long[] before = standstill.acknowledged();
        await(() -> {
            long[] now = standstill.acknowledged();
            return IntStream.range(0, workers).allMatch(worker -> now[worker] >= before[worker] + MOVING);
        });
    }

    /// Waits until every row has all its copies again.
    private void awaitRest() {
        int copies = cluster.cast().replicas() + 1;
        await(() -> station.turn((_, _) -> Arrays.stream(coordinator.layout().chains())
                        .allMatch(chain -> chain.whole() == copies && chain.servers().length == copies))
                && standings().size() == cluster.cast().servers() + workers);
    }

    private void await(BooleanSupplier due) {
        long deadline = System.nanoTime() + MOST_WAIT_NANOS;
        while (!due.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the cluster did not recover within 90 s: " + standings());
            }
            if (standstill != null) {
                see();
            }
            try {
                Thread.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    /// Has workers stop; by worker, what it has pushed in all.
    private long[] stop(Coordinator.Round counting, ChaosKind kind) throws IOException {
        conductor.leave(counting);
        conductor.awaitEnough(counting, EVERY_NANOS, () -> {});
        long[] sent = new long[workers];
        for (Coordinator.Order order : conductor.orders(counting)) {
            ByteBuffer told = ByteBuffer.wrap(conductor.result(order, EVERY_NANOS, () -> {}));
            int worker = order.to().number();
            sent[worker] = Math.max(sent[worker], told.getLong());
            long jumped = Math.abs(told.getLong() - System.currentTimeMillis());
            if (kind == ChaosKind.CLOCK && jumped < DAY.toMillis() / 2) {
                throw new IllegalStateException("the time of day of " + order.to() + " did not jump");
            }
        }
        if (kind == ChaosKind.CLOCK) {
            cluster.clock().jumpTo(Duration.ZERO);
        }
        return sent;
    }

    /// How many rows are what was pushed.
    private int compare(long[] sent) {
        Session reader = conductor.reader(ChaosNode.SILENCE_NANOS);
        int exact = 0;
        for (int worker = 0; worker < workers; worker++) {
            exact += read(reader, ChaosNode.ownKey(worker)) == sent[worker] ? 1 : 0;
        }
        for (int number = 0; number < ChaosNode.SHARED; number++) {
            int shared = number;
            long pushed = Arrays.stream(sent)
                    .map(all -> all / ChaosNode.SHARED + (all % ChaosNode.SHARED >= shared && shared > 0 ? 1 : 0))
                    .sum();
            exact += read(reader, ChaosNode.sharedKey(number)) == pushed ? 1 : 0;
        }
        return exact;
    }

    private static double read(Session reader, long key) {
        double[] row = {Double.NaN};
        reader.read(new Slice(0, Keys.once(new long[] {key}, 1), row));
        return row[0];
    }

    /// What nodes hold now that have nothing to do.
    List<Weight> weigh() {
        List<Standing> all = standings();
        List<byte[]> heaps =
                conductor.order(all.stream().map(Standing::node).toList(), ChaosNode.WEIGH, EVERY_NANOS, () -> {});
        return IntStream.range(0, all.size())
                .mapToObj(node -> Weight.of(
                        all.get(node).node(),
                        all.get(node).pid(),
                        ByteBuffer.wrap(heaps.get(node)).getLong()))
                .toList();
    }
}
