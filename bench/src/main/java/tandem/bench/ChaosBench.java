package tandem.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Station;
import tandem.cluster.Cast;
import tandem.cluster.Conductor;
import tandem.cluster.Coordinator;
import tandem.cluster.Standing;
import tandem.filter.Filters;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.runtime.Crew;
import tandem.runtime.Sockets;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.TableSpec;

/// `bench chaos`: real processes, killed one after the other while workers count.
@Command(
        name = "chaos",
        header = "Is anything lost or counted twice when processes are killed?",
        description = "Workers in processes of their own add to rows on servers that each hold copies; one process"
                + " after the other, a server or a worker, is killed with signal 9 and replaced. In the end every row"
                + " must be what was pushed, exactly. Beside that: how long pushes stood still.",
        sortOptions = false)
final class ChaosBench implements Callable<Integer> {

    private static final long LOST_NANOS = 5_000_000_000L;
    private static final long EVERY_NANOS = 10_000_000;
    private static final long MOST_WAIT_NANOS = 60_000_000_000L;

    @Option(names = "--rounds", paramLabel = "N", description = "Processes to kill. Default: 20.")
    private int rounds = 20;

    @Option(names = "--servers", paramLabel = "N", description = "Default: 3.")
    private int servers = 3;

    @Option(names = "--workers", paramLabel = "N", description = "Default: 2.")
    private int workers = 2;

    @Option(names = "--replicas", paramLabel = "N", description = "Copies of each row besides the first. Default: 1.")
    private int replicas = 1;

    @Option(names = "--seed", paramLabel = "N", description = "Decides who is killed. Default: 1.")
    private long seed = 1;

    @Option(names = "--json", description = "Print one JSON object instead of tables.")
    private boolean json;

    private final PrintStream out;
    private final Notes notes;

    ChaosBench(PrintStream out, Notes notes) {
        this.out = out;
        this.notes = notes;
    }

    /// One line: what was done to a role, and what came of it.
    ///
    /// @param kills   how many of its processes were killed
    /// @param exact   rows that are what was pushed, of `rows`
    /// @param seconds how long it took until pushes went on, sorted
    record ChaosRow(String part, String system, int kills, int exact, int rows, double[] seconds) implements Measured {

        @Override
        public List<Cell> cells() {
            return List.of(
                    new Cell("killed", system),
                    new Cell("kills", Integer.toString(kills)),
                    new Cell("rows exact", exact + " of " + rows),
                    new Cell("pushes go on after, s: median", Outcome.fixed(2, quantile(0.5))),
                    new Cell("99 %", Outcome.fixed(2, quantile(0.99))),
                    new Cell("most", Outcome.fixed(2, quantile(1))));
        }

        private double quantile(double share) {
            return seconds.length == 0 ? Double.NaN : seconds[Math.max(0, (int) Math.ceil(share * seconds.length) - 1)];
        }
    }

    @Override
    public Integer call() throws IOException {
        if (rounds < 1 || workers < 1 || replicas < 1 || servers <= replicas) {
            throw new IllegalArgumentException(rounds + " rounds with " + servers + " servers, " + workers
                    + " workers and " + replicas + " replicas; use 1 or more of each, and more servers than replicas");
        }
        Path directory = Files.createTempDirectory("tandem-chaos-");
        try (Sockets ground = new Sockets(new Place.Unix(directory.resolve("coordinator")), LinkLimits.DEFAULT)) {
            Cast cast =
                    Cast.of(servers, workers, workers).withSeats(2 * servers).withReplicas(replicas, LOST_NANOS);
            TableSpec counts = TableSpec.sparse("counts", 1).withDoubles().withShards(8 * servers);
            Coordinator coordinator = new Coordinator(cast, List.of(counts), new Filters(), ground.resendNanos());
            coordinator.start(System.nanoTime(), ground.add(Address.COORDINATOR, coordinator));
            Crew.Launch launch = (among, node, life) -> among.start(
                    node.toString(),
                    ChaosNode.class,
                    node.role().name(),
                    Integer.toString(node.number()),
                    new Place.Unix(directory.resolve(node.role() + "-" + node.number() + "-" + life)).toString(),
                    ground.place().toString(),
                    Integer.toString(life),
                    Long.toString(LOST_NANOS * 8 / 10));
            Crew.Care care = new Crew.Care(true, Integer.MAX_VALUE, LOST_NANOS / 1_000_000);
            List<String> options = List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
            List<ChaosRow> rows = new ArrayList<>();
            try (Crew crew = new Crew(ground, coordinator, cast, options, launch, care, notes::progress)) {
                for (int s = 0; s < servers; s++) {
                    crew.start(Address.server(s));
                }
                for (int w = 0; w < workers; w++) {
                    crew.start(Address.worker(w));
                }
                ground.run(station -> rows.addAll(new Havoc(coordinator, station).wreak()));
            }
            return print(rows);
        } finally {
            try (Stream<Path> all = Files.walk(directory)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    private int print(List<ChaosRow> rows) {
        boolean allExact = rows.stream().allMatch(row -> row.exact == row.rows);
        Outcome outcome = new Outcome(
                "chaos",
                "Is anything lost or counted twice when processes are killed?",
                "./tandem bench chaos --rounds " + rounds,
                Machine.here(),
                seed,
                workers + " workers that count, " + servers + " servers, each row on " + (replicas + 1)
                        + " of them; Unix sockets",
                rows,
                List.of(),
                List.of(),
                notes.remarks());
        out.print(json ? outcome.json() : outcome.text());
        out.flush();
        return allExact ? 0 : 1;
    }

    /// The coordinator's loop.
    private final class Havoc {

        private final Coordinator coordinator;
        private final Station station;
        private final Conductor conductor;
        private final SplittableRandom chance = new SplittableRandom(seed);
        private final List<Double> serverSeconds = new ArrayList<>();
        private final List<Double> workerSeconds = new ArrayList<>();

        Havoc(Coordinator coordinator, Station station) {
            this.coordinator = coordinator;
            this.station = station;
            this.conductor = new Conductor(coordinator, station, ChaosNode.SILENCE_NANOS);
        }

        List<ChaosRow> wreak() {
            conductor.awaitAll(EVERY_NANOS, () -> {});
            Coordinator.Round counting = conductor.beginAll(new byte[] {1});
            for (int round = 0; round < rounds; round++) {
                awaitRest();
                boolean ofServer = chance.nextBoolean();
                List<Standing> all = standings().stream()
                        .filter(one -> (one.node().role() == Address.Role.SERVER) == ofServer)
                        .toList();
                Standing victim = all.get(chance.nextInt(all.size()));
                double seconds = kill(victim, ofServer);
                (ofServer ? serverSeconds : workerSeconds).add(seconds);
                notes.progress("round %d of %d: %s killed, pushes went on after %.2f s"
                        .formatted(round + 1, rounds, victim.node(), seconds));
            }
            awaitRest();
            conductor.leave(counting);
            conductor.awaitEnough(counting, EVERY_NANOS, () -> {});
            long[] sent = new long[workers];
            for (Coordinator.Order order : conductor.orders(counting)) {
                byte[] told = conductor.result(order, EVERY_NANOS, () -> {});
                sent[order.to().number()] = Math.max(
                        sent[order.to().number()], ByteBuffer.wrap(told).getLong());
            }
            int exact = compare(sent);
            conductor.dismiss(conductor.workers(), EVERY_NANOS);
            conductor.dismiss(conductor.servers(), EVERY_NANOS);
            notes.remark("%,d updates were acknowledged"
                    .formatted(Arrays.stream(sent).sum()));
            return List.of(row("a server", serverSeconds, exact), row("a worker", workerSeconds, exact));
        }

        private ChaosRow row(String who, List<Double> seconds, int exact) {
            double[] sorted =
                    seconds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            return new ChaosRow("kill -9", who, sorted.length, exact, workers + ChaosNode.SHARED, sorted);
        }

        private List<Standing> standings() {
            return station.turn((now, _) -> coordinator.standings(now));
        }

        /// Kills a process; the seconds until pushes go on that need what it did. A worker's own go on with its
        /// successor; where a server was lost, those of all workers.
        private double kill(Standing victim, boolean isServer) {
            long start = System.nanoTime();
            long[] before = updates();
            ProcessHandle.of(victim.pid()).ifPresent(ProcessHandle::destroyForcibly);
            await(() -> {
                boolean replaced = standings().stream().noneMatch(one -> one.pid() == victim.pid());
                long[] now = updates();
                int worker = victim.node().number();
                return replaced
                        && (isServer
                                ? IntStream.range(0, workers).allMatch(w -> now[w] > before[w] + 2L * SLACK)
                                : now[worker] > before[worker] + SLACK);
            });
            return (System.nanoTime() - start) * 1e-9;
        }

        /// Updates that may have been under way when a process was killed.
        private static final int SLACK = 16;

        /// By worker, how many updates its stream has, as last heard.
        private long[] updates() {
            long[] updates = new long[workers];
            standings().stream()
                    .filter(one -> one.node().role() == Address.Role.WORKER)
                    .forEach(one -> updates[one.node().number()] = one.examples());
            return updates;
        }

        /// Waits until every row has all its copies again.
        private void awaitRest() {
            await(() -> station.turn((_, _) -> Arrays.stream(
                                    coordinator.layout().chains())
                            .allMatch(chain -> chain.whole() == replicas + 1 && chain.servers().length == replicas + 1))
                    && standings().size() == servers + workers);
        }

        private void await(BooleanSupplier due) {
            long deadline = System.nanoTime() + MOST_WAIT_NANOS;
            while (!due.getAsBoolean()) {
                if (System.nanoTime() > deadline) {
                    throw new IllegalStateException("the cluster did not recover within 60 s: " + standings());
                }
                try {
                    Thread.sleep(5);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("interrupted", e);
                }
            }
        }

        /// How many rows are what was pushed.
        private int compare(long[] sent) {
            Session reader = conductor.reader(ChaosNode.SILENCE_NANOS);
            int exact = 0;
            for (int w = 0; w < workers; w++) {
                exact += read(reader, ChaosNode.ownKey(w)) == sent[w] ? 1 : 0;
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

        private double read(Session reader, long key) {
            double[] row = {Double.NaN};
            reader.read(new Slice(0, Keys.once(new long[] {key}, 1), row));
            return row[0];
        }
    }
}
