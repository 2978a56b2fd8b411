package tandem.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tandem.client.Client;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Station;
import tandem.cluster.Conductor;
import tandem.cluster.Coordinator;
import tandem.cluster.Duty;
import tandem.cluster.Member;
import tandem.consistency.Consistency;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.link.Shape;
import tandem.math.Mix;
import tandem.server.Rules;
import tandem.server.Server;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.TableSpec;

/// A cluster over sockets whose workers count their clocks in a table, one key each, and look at everyone's count
/// before each clock. Every node has a ground of its own, as if it were a process.
final class Counting implements AutoCloseable {

    static final int WORKERS = 3;
    static final int SERVERS = 2;
    static final long SILENCE_NANOS = 20_000_000_000L;
    private static final long RESEND_NANOS = 20_000_000;

    /// Of the members; fast enough not to matter.
    private static final Shape SHAPE = new Shape(1e9, 50_000);

    private static final TableSpec COUNTS = TableSpec.sparse("counts", 1).withShards(12);

    private final int clocks;
    private final Consistency consistency;
    private final List<Sockets> grounds = new ArrayList<>();
    private final List<CompletableFuture<Void>> running = new ArrayList<>();
    private final ConcurrentLinkedQueue<Read> reads = new ConcurrentLinkedQueue<>();
    private final Consumer<Read> watch;
    private final long[] keys = IntStream.range(0, WORKERS)
            .mapToLong(Mix::mix)
            .boxed()
            .sorted(Long::compareUnsigned)
            .mapToLong(Long::longValue)
            .toArray();
    private final Sockets home;
    private final Coordinator coordinator;

    /// What a worker at `clock` saw of everyone.
    record Read(int worker, long clock, float[] seen) {

        void isWithin(int staleness) {
            for (float count : seen) {
                assertTrue(clock - count <= staleness, this::toString);
            }
            assertEquals(clock, (long) seen[worker], () -> "not its own: " + this);
        }

        @Override
        public String toString() {
            return "worker " + worker + " at clock " + clock + " saw " + Arrays.toString(seen);
        }
    }

    /// @param places where the nodes listen, the coordinator first, then servers and workers
    /// @param watch  told of every read, on the worker's thread
    Counting(List<Place> places, int clocks, Consistency consistency, Consumer<Read> watch) throws IOException {
        this.clocks = clocks;
        this.consistency = consistency;
        this.watch = watch;
        coordinator = new Coordinator(SERVERS, WORKERS, WORKERS, List.of(COUNTS), RESEND_NANOS);
        home = ground(new Sockets(places.getFirst(), LinkLimits.DEFAULT));
        home.add(Address.COORDINATOR, coordinator);
        for (int s = 0; s < SERVERS; s++) {
            Sockets ground = ground(new Sockets(places.get(1 + s), home.place(), LinkLimits.DEFAULT, SHAPE));
            member(ground, Address.server(s), new Server(s, new Rules(), 1), (_, _) -> _ -> Duty.OVER);
        }
        for (int w = 0; w < WORKERS; w++) {
            int worker = w;
            Sockets ground = ground(new Sockets(places.get(1 + SERVERS + w), home.place(), LinkLimits.DEFAULT, SHAPE));
            Client client = new Client(RESEND_NANOS);
            member(
                    ground,
                    Address.worker(w),
                    client,
                    (self, station) -> _ -> work(worker, new Session(self, client, station, SILENCE_NANOS)));
        }
    }

    private interface Job {
        Duty at(Address self, Station station);
    }

    private Sockets ground(Sockets ground) {
        grounds.add(ground);
        return ground;
    }

    private static void member(Sockets ground, Address self, tandem.wire.Party party, Job job) {
        Member member = new Member(party, 1, ground.place().toString(), RESEND_NANOS);
        ground.add(self, member);
        ground.loop(self, station -> job.at(self, station).run(self, member, station, SILENCE_NANOS));
    }

    /// Counts to the end; the counts as last read.
    float[] count() throws Exception {
        for (Sockets ground : grounds.subList(1, grounds.size())) {
            running.add(CompletableFuture.runAsync(
                    ground::run, command -> Thread.ofPlatform().daemon().start(command)));
        }
        float[] counted = new float[WORKERS];
        home.run(station -> conduct(new Conductor(coordinator, station, SILENCE_NANOS), counted));
        for (CompletableFuture<Void> one : running) {
            one.get(20, TimeUnit.SECONDS);
        }
        return counted;
    }

    private void conduct(Conductor conductor, float[] counted) {
        List<Address> workers =
                IntStream.range(0, WORKERS).mapToObj(Address::worker).toList();
        Stream<Address> servers = IntStream.range(0, SERVERS).mapToObj(Address::server);
        conductor.awaitAll(SILENCE_NANOS, () -> {});
        conductor.order(workers, new byte[] {1}, SILENCE_NANOS, () -> {});
        float[] now = new float[WORKERS];
        conductor.reader(SILENCE_NANOS).read(new Slice(0, Keys.once(keys, WORKERS), now));
        System.arraycopy(now, 0, counted, 0, WORKERS);
        conductor.dismiss(Stream.concat(servers, workers.stream()).toList(), SILENCE_NANOS);
    }

    private byte[] work(int worker, Session session) {
        long[] mine = {keys[worker]};
        for (long clock = 0; clock < clocks; clock++) {
            float[] seen = new float[WORKERS];
            session.await(session.pull(
                    worker,
                    consistency.after(session.clock(worker), session.sent(worker)),
                    new Slice(0, Keys.once(keys, WORKERS), seen)));
            Read read = new Read(worker, clock, seen);
            reads.add(read);
            watch.accept(read);
            session.update(worker, clock + 1, new Slice(0, Keys.once(mine, 1), new float[] {1}));
        }
        session.end(worker);
        return Duty.OVER;
    }

    Iterable<Read> reads() {
        return reads;
    }

    /// The ground of a node: 0 for the coordinator, then servers, then workers.
    Sockets ground(int node) {
        return grounds.get(node);
    }

    @Override
    public void close() {
        grounds.forEach(Sockets::close);
    }
}
