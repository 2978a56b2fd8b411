package tandem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import tandem.client.Client;
import tandem.client.Session;
import tandem.client.Station;
import tandem.cluster.Cast;
import tandem.cluster.Conductor;
import tandem.cluster.Coordinator;
import tandem.cluster.Duty;
import tandem.cluster.Ground;
import tandem.cluster.Member;
import tandem.consistency.Consistency;
import tandem.filter.Direction;
import tandem.filter.Filters;
import tandem.filter.Tally;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.link.Secret;
import tandem.link.Shape;
import tandem.link.Trust;
import tandem.runtime.Embedded;
import tandem.runtime.Sockets;
import tandem.server.Rules;
import tandem.server.Server;
import tandem.simulate.Simulation;
import tandem.topology.AllReduce;
import tandem.topology.Peers;
import tandem.wire.Address;
import tandem.wire.TableSpec;

/// A cluster for a program of one's own: tables on servers, and a body that every worker runs.
///
/// ```java
/// TableSpec counts = TableSpec.sparse("counts", 1);
/// Cluster.embedded(4, 2, counts).run(worker -> worker.push(…));
/// ```
///
/// The same body runs on threads ([#embedded]), over sockets ([#overSockets]), in processes ([#coordinate],
/// [#join]) and in simulated time ([#in]). Settings are changed by `with…`, each of which gives another
/// cluster; [#run] starts one and ends it.
public final class Cluster {

    private static final Duration SILENCE = Duration.ofSeconds(30);
    private static final long TICK_NANOS = 50_000_000;
    private static final long HEARTBEAT_NANOS = 200_000_000;
    private static final byte[] WORK = {1};

    private final int workers;
    private final int servers;
    private final List<TableSpec> tables;
    private final Settings settings;

    /// Where the nodes of the cluster are put.
    private final Grounds grounds;

    /// @param rules what servers can do with a push, besides `add`, `ftrl`, `adagrad` and `sgd`
    /// @param filters what tables may name as their filters, besides the usual ones
    /// @param trust what all processes know each other by; null for nothing
    private record Settings(
            UnaryOperator<Rules> rules,
            UnaryOperator<Filters> filters,
            Consistency consistency,
            Duration silence,
            Trust trust) {

        Filters filterKinds() {
            return filters.apply(new Filters());
        }
    }

    /// The work of one worker. What it throws ends the whole run.
    @FunctionalInterface
    public interface Body {
        void run(Worker worker) throws Exception;
    }

    private Cluster(int workers, int servers, List<TableSpec> tables, Settings settings, Grounds grounds) {
        if (workers < 1 || servers < 1) {
            throw new IllegalArgumentException(workers + " workers and " + servers + " servers; use 1 or more of each");
        }
        this.workers = workers;
        this.servers = servers;
        this.tables = tables;
        this.settings = settings;
        this.grounds = grounds;
    }

    /// All nodes in this process, each worker on a thread of its own; bulk-synchronous unless said otherwise.
    public static Cluster embedded(int workers, int servers, TableSpec... tables) {
        Settings settings = new Settings(rules -> rules, filters -> filters, Consistency.bsp(), SILENCE, null);
        return new Cluster(workers, servers, List.of(tables), settings, () -> new OneGround(new Embedded(), ""));
    }

    /// The same nodes in this process, each with a socket of its own, as if they were processes.
    public Cluster overSockets(Where.Transport transport) {
        return new Cluster(workers, servers, tables, settings, () -> new SocketGrounds(transport));
    }

    /// The same in simulated time. A simulation is for one run, and can be asked afterwards how that went.
    public Cluster in(Simulation simulation) {
        return new Cluster(workers, servers, tables, settings, () -> new OneGround(simulation, ""));
    }

    public Cluster withConsistency(Consistency consistency) {
        return with(new Settings(settings.rules, settings.filters, consistency, settings.silence, settings.trust));
    }

    /// A preset by its name, such as `ssp:3`.
    public Cluster withConsistency(String name) {
        return withConsistency(Consistency.named(name));
    }

    /// Update rules of one's own: what is done to the rules of each server before it starts, such as
    /// `rules -> rules.with("max", _ -> new Max())`.
    public Cluster withRules(UnaryOperator<Rules> rules) {
        return with(new Settings(rules, settings.filters, settings.consistency, settings.silence, settings.trust));
    }

    /// Filters of one's own: what is done to the filters of each node before it starts, such as
    /// `filters -> filters.with("top", setting -> new Top(setting.number("0.1")))`.
    public Cluster withFilters(UnaryOperator<Filters> filters) {
        return with(new Settings(settings.rules, filters, settings.consistency, settings.silence, settings.trust));
    }

    /// How long a node that is waited for may be silent before the run gives up.
    public Cluster withSilence(Duration silence) {
        return with(new Settings(settings.rules, settings.filters, settings.consistency, silence, settings.trust));
    }

    /// What all processes of the cluster have to know, for [#coordinate] and [#join]: they then talk through TLS, and
    /// may listen where other machines reach them.
    public Cluster withSecret(Secret secret) {
        return withTrust(Trust.of(secret));
    }

    /// The same with certificates, or with both.
    public Cluster withTrust(Trust trust) {
        return with(new Settings(settings.rules, settings.filters, settings.consistency, settings.silence, trust));
    }

    private Cluster with(Settings other) {
        return new Cluster(workers, servers, tables, other, grounds);
    }

    /// Runs the body on every worker, and returns when all have returned.
    public void run(Body body) {
        run(body, _ -> null);
    }

    /// Runs the body on every worker, then `last` with a session that reads the tables as they are in the end; what
    /// it returns is returned.
    public <T> T run(Body body, Function<Session, T> last) {
        try (Placing placing = grounds.open()) {
            Ground home = placing.ground(Address.COORDINATOR);
            Coordinator coordinator = coordinator(home);
            for (Address server : addresses(Address.Role.SERVER, servers)) {
                serve(placing, server);
            }
            for (Address worker : addresses(Address.Role.WORKER, workers)) {
                work(placing, worker, one -> live(body, one));
            }
            List<T> result = new ArrayList<>();
            placing.run(station -> result.add(conduct(coordinator, station, last)));
            return result.getFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (BodyFailed e) {
            switch (e.getCause()) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case Throwable cause -> throw new IllegalStateException(cause.getMessage(), cause);
            }
        }
    }

    /// Coordinates a cluster whose other nodes are processes that [#join] it, and returns what `last` returns.
    ///
    /// @param listen    where to be reached, such as [Place#loopback]
    /// @param listening told where that really is, before anybody is waited for
    public <T> T coordinate(Place listen, Consumer<Place> listening, Function<Session, T> last) throws IOException {
        try (Sockets ground = new Sockets(listen, null, settings.trust, LinkLimits.DEFAULT, Shape.NONE)) {
            Coordinator coordinator = coordinator(ground);
            listening.accept(ground.place());
            List<T> result = new ArrayList<>();
            ground.run(station -> result.add(conduct(coordinator, station, last)));
            return result.getFirst();
        }
    }

    /// Is one node of a cluster of processes, and returns when the coordinator sends it home. Every process has to
    /// describe the same cluster.
    ///
    /// @param self        which server or worker this is
    /// @param coordinator where [#coordinate] can be reached
    /// @param body        what a worker does; if it fails, the coordinator fails with what it says
    public void join(Address self, Place listen, Place coordinator, Body body) throws IOException {
        try (Sockets ground = new Sockets(listen, coordinator, settings.trust, LinkLimits.DEFAULT, Shape.NONE)) {
            Placing here = new OneGround(ground, ground.place().toString());
            switch (self.role()) {
                case SERVER -> serve(here, self);
                case WORKER -> work(here, self, worker -> tell(body, worker));
                case COORDINATOR -> throw new IllegalArgumentException("the coordinator does not join; it coordinates");
                case READER ->
                    throw new IllegalArgumentException(self + " cannot join: a cluster has servers and workers. What"
                            + " reads the tables in the end is given to the coordinator");
            }
            ground.run();
        }
    }

    private Coordinator coordinator(Ground home) {
        Coordinator coordinator =
                new Coordinator(Cast.of(servers, workers, workers), tables, settings.filterKinds(), home.resendNanos());
        coordinator.checking(this::check);
        home.add(Address.COORDINATOR, coordinator);
        return coordinator;
    }

    /// Refuses a table that the nodes of this cluster could not make.
    private void check(TableSpec table) {
        settings.rules.apply(SolverRules.all()).check(table);
        Filters kinds = settings.filterKinds();
        if (kinds.stack(table.push(), Direction.PUSH, new Tally()).chooses() && table.variable()) {
            throw new IllegalArgumentException("table " + table.name() + " has rows of lengths of their own, which are"
                    + " all pushed; leave out the filter that leaves some out");
        }
        if (kinds.stack(table.pull(), Direction.PULL, new Tally()).chooses()) {
            throw new IllegalArgumentException("table " + table.name() + " has a filter that leaves out what is pulled;"
                    + " only the solver dbpg knows what to make of that, so have it for what is pushed");
        }
    }

    private <T> T conduct(Coordinator coordinator, Station station, Function<Session, T> last) {
        Conductor conductor = new Conductor(coordinator, station, silenceNanos());
        List<Address> all = addresses(Address.Role.WORKER, workers);
        conductor.awaitAll(TICK_NANOS, () -> {});
        conductor.order(all, WORK, TICK_NANOS, () -> {});
        T result = last.apply(conductor.reader(silenceNanos()));
        List<Address> everyone = new ArrayList<>(addresses(Address.Role.SERVER, servers));
        everyone.addAll(all);
        conductor.dismiss(everyone, TICK_NANOS);
        return result;
    }

    private void serve(Placing placing, Address address) throws IOException {
        Server server = new Server(
                address.number(),
                settings.rules.apply(SolverRules.all()),
                settings.filterKinds(),
                Server.Ways.usual(ThreadLocalRandom.current().nextLong()));
        Ground ground = placing.ground(address);
        Member member = new Member(server, 1, placing.place(address), HEARTBEAT_NANOS);
        ground.add(address, member);
        Duty idle = _ -> Duty.OVER;
        ground.loop(address, station -> idle.run(address, member, station, silenceNanos()));
    }

    private void work(Placing placing, Address address, Function<Worker, byte[]> life) throws IOException {
        Ground ground = placing.ground(address);
        Client client = new Client(ground.resendNanos(), settings.filterKinds());
        AllReduce sums = new AllReduce(client, address.number(), Math.min(ground.resendNanos(), HEARTBEAT_NANOS));
        Member member = new Member(sums, 1, placing.place(address), HEARTBEAT_NANOS);
        ground.add(address, member);
        ground.loop(address, station -> {
            Session session = new Session(address, client, station, silenceNanos());
            Peers peers = new Peers(address, sums, station, silenceNanos());
            Duty duty = _ -> life.apply(new Worker(address.number(), workers, session, settings.consistency, peers));
            duty.run(address, member, station, silenceNanos());
        });
    }

    private static byte[] live(Body body, Worker worker) {
        try {
            body.run(worker);
            worker.end();
        } catch (Exception | Error e) {
            // Not the failure of an order, which waits until the other workers are done: they may wait for this one.
            throw new BodyFailed(e);
        }
        return Duty.OVER;
    }

    /// The same in a process of its own: what fails is told to the coordinator.
    private static byte[] tell(Body body, Worker worker) {
        try {
            body.run(worker);
            worker.end();
        } catch (Exception | Error e) {
            throw new IllegalStateException(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        }
        return Duty.OVER;
    }

    private long silenceNanos() {
        return settings.silence.toNanos();
    }

    private static List<Address> addresses(Address.Role role, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> new Address(role, number))
                .toList();
    }

    /// Opens places for the nodes of one run.
    private interface Grounds {
        Placing open() throws IOException;
    }

    /// The grounds of a run, for as long as it takes.
    interface Placing extends AutoCloseable {

        /// Where a node goes.
        Ground ground(Address node) throws IOException;

        /// Where others can reach it.
        String place(Address node) throws IOException;

        /// Runs all nodes until the coordinator is done.
        void run(Ground.Body coordinator);

        @Override
        void close();
    }

    /// One ground for all.
    private record OneGround(Ground ground, String place) implements Placing {

        @Override
        public Ground ground(Address node) {
            return ground;
        }

        @Override
        public String place(Address node) {
            return place;
        }

        @Override
        public void run(Ground.Body coordinator) {
            ground.run(coordinator);
        }

        @Override
        public void close() {
            if (ground instanceof Embedded embedded) {
                embedded.close();
            }
        }
    }

    /// Carries what a body threw past everything that would make a message of it.
    private static final class BodyFailed extends Error {

        private static final long serialVersionUID = 1;

        BodyFailed(Throwable cause) {
            super(cause);
        }
    }
}
