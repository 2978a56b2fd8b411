package tandem.simulate;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import tandem.cluster.Cast;
import tandem.cluster.Coordinator;
import tandem.cluster.Member;
import tandem.filter.Filters;
import tandem.server.Rules;
import tandem.server.Server;
import tandem.wire.Address;
import tandem.wire.Chain;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;
import tandem.wire.TableSpec;

/// Runs a plan with the classes that run in earnest, and checks what they promise: while faults strike, at every read
/// and every answer; afterwards, that everything comes to rest with each update applied once on every copy.
public final class FaultRun {

    private static final long MILLI = 1_000_000;
    private static final long RESEND = 8 * MILLI;
    private static final long HEARTBEAT = 6 * MILLI;
    private static final long LOST = 40 * MILLI;
    private static final long LEASE = 30 * MILLI;

    /// How long after the last fault everything must be at rest.
    private static final long REST = 5_000 * MILLI;

    private final FaultPlan plan;
    private final FaultWorld world;
    private final FaultLedger ledger;
    private final Coordinator coordinator;
    private final TreeMap<Integer, Server> servers = new TreeMap<>();
    private final FaultLoad[] workers;
    private int nextServer;
    private int nodeFaults;

    /// The newest epoch that a worker knows: from then on nobody may answer for an older one.
    private long activeEpoch;

    private FaultRun(FaultPlan plan) {
        this.plan = plan;
        this.world = new FaultWorld(plan.seed(), plan.encoded());
        this.ledger = new FaultLedger(plan.workers());
        this.workers = new FaultLoad[plan.workers()];
        TableSpec counts = TableSpec.sparse("counts", 1).withDoubles().withShards(6);
        Cast cast = Cast.of(plan.servers(), plan.workers(), plan.workers())
                .withSeats(plan.seats())
                .withReplicas(plan.copies() - 1, LOST);
        coordinator = new Coordinator(cast, List.of(counts), new Filters(), RESEND);
        FaultWorld.Node home = world.add(Address.COORDINATOR, coordinator);
        coordinator.start(home.localNanos(), home);
        for (int s = 0; s < plan.servers(); s++) {
            startServer();
        }
        for (int w = 0; w < workers.length; w++) {
            workers[w] = new FaultLoad(w, plan.pushes(), plan.seed(), RESEND, HEARTBEAT, ledger);
            FaultWorld.Node node = world.add(Address.worker(w), workers[w]);
            workers[w].start(node.localNanos(), node);
        }
    }

    /// What came of a run.
    ///
    /// @param violation  what was wrong, or null
    /// @param nodeFaults how many faults struck a node
    /// @param pushes     how many updates were acknowledged
    /// @param reads      how many reads were checked
    /// @param trace      a hash of all that happened
    public record Verdict(String violation, int nodeFaults, long pushes, long reads, long steps, long trace) {}

    /// Runs a plan to its end, or to the first thing that is wrong.
    public static Verdict of(FaultPlan plan) {
        return new FaultRun(plan).run();
    }

    private Verdict run() {
        plan.faults().forEach(fault -> world.at(fault.atNanos(), () -> strike(fault)));
        try {
            long end = plan.endNanos();
            while (ledger.violation() == null && world.step(end)) {
                check();
            }
            world.heal();
            long rest = end + REST;
            boolean atRest = false;
            while (ledger.violation() == null && !atRest && world.step(rest)) {
                check();
                atRest = isAtRest();
            }
            if (ledger.violation() == null && !atRest) {
                ledger.violated("it did not come to rest: " + unrest());
            }
            if (ledger.violation() == null) {
                compareCopies();
            }
        } catch (RuntimeException e) {
            ledger.violated(e + " at " + e.getStackTrace()[0]);
        }
        return new Verdict(
                ledger.violation(),
                nodeFaults,
                ledger.acknowledgements(),
                ledger.readsChecked(),
                world.steps(),
                world.trace());
    }

    private void check() {
        for (FaultLoad worker : workers) {
            activeEpoch = Math.max(activeEpoch, worker.epoch());
        }
    }

    private void startServer() {
        int number = nextServer++;
        Server server = new Server(
                number, new Rules(), new Filters(), new Server.Ways(plan.seed(), 1 << 20, RESEND, LEASE, false));
        servers.put(number, server);
        Member member = new Member(new Watched(server), 1, "", HEARTBEAT);
        FaultWorld.Node node = world.add(Address.server(number), member);
        member.start(node.localNanos(), node);
    }

    /// A server whose answers to workers are looked at.
    private final class Watched implements Party {

        private final Server server;

        Watched(Server server) {
            this.server = server;
        }

        @Override
        public void receive(Address from, Message message, long nowNanos, Outbox out) {
            server.receive(from, message, nowNanos, watching(out));
        }

        @Override
        public void wake(long tag, long nowNanos, Outbox out) {
            server.wake(tag, nowNanos, watching(out));
        }

        private Outbox watching(Outbox out) {
            return new Outbox() {

                @Override
                public void send(Address to, Message message) {
                    if (message instanceof Message.Seated(int seat, Message about)
                            && (about instanceof Message.Applied || about instanceof Message.Rows)
                            && server.epoch() < activeEpoch) {
                        ledger.violated("G6: a server of epoch " + server.epoch() + " answered for seat " + seat
                                + " when epoch " + activeEpoch + " was active");
                    }
                    out.send(to, message);
                }

                @Override
                public void wakeAt(long nanos, long tag) {
                    out.wakeAt(nanos, tag);
                }
            };
        }
    }

    private void strike(Fault fault) {
        long until = world.nowNanos() + fault.forNanos();
        Address node = standing(fault.node());
        switch (fault.kind()) {
            case CRASH -> {
                if (!mayCrash(node)) {
                    return;
                }
                world.crash(node);
                servers.remove(node.number());
                world.at(until, this::startServer);
            }
            case PAUSE -> world.pause(node, until);
            case ISOLATE -> world.isolate(node, until);
            case ONE_WAY -> world.cut(node, standing(fault.other()), until);
            case CLOG -> world.clog(node, until);
            case JOIN -> startServer();
            case LOSS -> world.lose(until);
            case REPEAT -> world.repeat(until);
            case DELAY -> world.delay(until);
        }
        nodeFaults += fault.kind().isOfNode() ? 1 : 0;
    }

    /// The server that stands at this place among those that are up; other nodes are what they are.
    private Address standing(Address node) {
        if (node.role() != Address.Role.SERVER) {
            return node;
        }
        List<Integer> up = List.copyOf(servers.keySet());
        return Address.server(up.get(node.number() % up.size()));
    }

    /// Whether somebody else has all that a server has: what is lost with the last copy is beyond what is promised.
    private boolean mayCrash(Address node) {
        Layout layout = coordinator.layout();
        if (layout.epoch() == 0) {
            return false;
        }
        for (Chain chain : layout.chains()) {
            boolean safe = IntStream.of(chain.servers())
                    .limit(chain.whole())
                    .anyMatch(member -> member != node.number() && servers.containsKey(member));
            if (!safe) {
                return false;
            }
        }
        return true;
    }

    private boolean isAtRest() {
        for (FaultLoad worker : workers) {
            if (!worker.isDone()) {
                return false;
            }
        }
        Layout layout = coordinator.layout();
        int copies = Math.min(plan.copies(), servers.size());
        for (int seat = 0; seat < layout.seats(); seat++) {
            Chain chain = layout.chains()[seat];
            if (chain.whole() != chain.servers().length || chain.whole() != copies || !areAlike(seat, chain)) {
                return false;
            }
        }
        return true;
    }

    private boolean areAlike(int seat, Chain chain) {
        Server.Print first = print(chain.head(), seat);
        for (int member : chain.servers()) {
            Server.Print print = print(member, seat);
            if (print == null || first == null || print.updates() != first.updates()) {
                return false;
            }
        }
        return true;
    }

    private Server.Print print(int server, int seat) {
        Server there = servers.get(server);
        return there == null ? null : there.print(seat);
    }

    private String unrest() {
        List<String> undone = Arrays.stream(workers)
                .filter(worker -> !worker.isDone())
                .map(FaultLoad::toString)
                .toList();
        return "workers wait: " + undone + "; chains in epoch "
                + coordinator.layout().epoch() + " are "
                + List.of(coordinator.layout().chains()).stream()
                        .map(chain -> Arrays.toString(chain.servers()) + " whole " + chain.whole())
                        .toList()
                + " of servers " + servers.values();
    }

    /// Every copy of a seat holds the same, and together they hold every update once.
    private void compareCopies() {
        Layout layout = coordinator.layout();
        for (int seat = 0; seat < layout.seats(); seat++) {
            Chain chain = layout.chains()[seat];
            Server.Print first = print(chain.head(), seat);
            for (int member : chain.servers()) {
                if (!Objects.equals(print(member, seat), first)) {
                    ledger.violated("G2: the copies of seat " + seat + " are not alike: " + first + " and "
                            + print(member, seat));
                }
            }
        }
        long[] keys = ledger.keys();
        double[] rows = new double[keys.length];
        for (int k = 0; k < keys.length; k++) {
            int shard = layout.tables()[0].shardOf(keys[k]);
            rows[k] = servers.get(layout.chains()[layout.owners()[0][shard]].head())
                    .value(0, keys[k]);
        }
        ledger.end(rows);
    }
}
