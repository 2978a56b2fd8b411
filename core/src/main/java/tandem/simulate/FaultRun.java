package tandem.simulate;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import tandem.cluster.Cast;
import tandem.cluster.Coordinator;
import tandem.cluster.Member;
import tandem.cluster.Standing;
import tandem.filter.Filters;
import tandem.server.Rules;
import tandem.server.Server;
import tandem.wire.Address;
import tandem.wire.Chain;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Party;

/// Runs a plan with the classes that run in earnest, and checks what they promise: while faults strike, at every read
/// and every answer; afterwards, that everything comes to rest with each update applied once on every copy.
public final class FaultRun {

    private static final long MILLI = 1_000_000;

    /// How long after the last fault everything must be at rest, and how often to see whether it is.
    private static final long REST = 3_000 * MILLI;

    private static final long LOOK = 2 * MILLI;

    /// How long a server that was told to go stays to say so.
    private static final long FAREWELL = 10 * MILLI;

    /// How long updates wait for those of others where they go on as one.
    private static final long GATHER = 10 * MILLI;

    private static final FaultTimes TIMES = FaultTimes.SHORT;

    private final FaultPlan plan;
    private final Flaw flaw;
    private final FaultWorld world;
    private final FaultLedger ledger;
    private final Coordinator coordinator;
    private final FaultWorld.Node home;
    private final TreeMap<Integer, Server> servers = new TreeMap<>();
    private final FaultCopies copies;
    private final FaultLoad[] workers;
    private final TreeMap<Address, Long> lives = new TreeMap<>();
    private int nextServer;
    private int nodeFaults;
    private long activeEpoch;

    private FaultRun(FaultPlan plan, Flaw flaw) {
        this.plan = plan;
        this.flaw = flaw;
        this.world = new FaultWorld(plan.seed(), plan.encoded());
        this.ledger = new FaultLedger(plan.workers());
        this.workers = new FaultLoad[plan.workers()];
        Cast cast = Cast.of(plan.servers(), plan.workers(), plan.workers())
                .withSeats(plan.seats())
                .withReplicas(plan.copies() - 1, TIMES.lostNanos());
        coordinator = new Coordinator(cast, FaultTables.ALL, new Filters(), TIMES.resendNanos());
        copies = new FaultCopies(coordinator, servers, plan.copies());
        home = world.add(Address.COORDINATOR, flaw.of(coordinator));
        coordinator.start(home.localNanos(), home);
        for (int s = 0; s < plan.servers(); s++) {
            startServer(nextServer++);
        }
        for (int w = 0; w < workers.length; w++) {
            startWorker(w);
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
        return of(plan, Flaw.NONE);
    }

    static Verdict of(FaultPlan plan, Flaw flaw) {
        return new FaultRun(plan, flaw).run();
    }

    private Verdict run() {
        plan.faults().forEach(fault -> world.at(fault.atNanos(), () -> strike(fault)));
        try {
            stepUntil(plan.endNanos());
            world.heal();
            rest();
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

    /// Lets everything happen that does before a time, unless something is wrong.
    private void stepUntil(long nanos) {
        while (ledger.violation() == null && world.step(nanos)) {
            for (FaultLoad worker : workers) {
                activeEpoch = Math.max(activeEpoch, worker.epoch());
            }
        }
    }

    private void rest() {
        long latest = world.nowNanos() + REST;
        while (ledger.violation() == null && !isAtRest()) {
            if (world.nowNanos() >= latest) {
                ledger.violated("it did not come to rest: " + unrest());
            }
            stepUntil(world.nowNanos() + LOOK);
        }
        copies.compare(ledger);
        if (ledger.violation() == null) {
            ledger.end(Arrays.stream(ledger.keys()).mapToDouble(copies::row).toArray());
        }
    }

    private boolean isAtRest() {
        return Arrays.stream(workers).allMatch(FaultLoad::isDone) && copies.areComplete();
    }

    private String unrest() {
        return "workers wait: "
                + Arrays.stream(workers).filter(worker -> !worker.isDone()).toList() + "; " + copies;
    }

    private void startServer(int number) {
        Server.Ways ways = new Server.Ways(plan.seed(), 1 << 20, TIMES.resendNanos(), TIMES.leaseNanos(), false);
        Server server = new Server(number, new Rules(), new Filters(), plan.gathered() ? ways.gathering(GATHER) : ways);
        servers.put(number, server);
        Party watched = new FaultWatch(server, flaw.of(number, server), () -> activeEpoch, ledger);
        Member member = new Member(watched, life(Address.server(number)), "", TIMES.heartbeatNanos());
        FaultWorld.Node node = world.add(Address.server(number), member);
        member.start(node.localNanos(), node);
        member.nextOrder().whenDone(() -> {
            member.carriedOut(new Message.Done(member.take().number(), false, new byte[0]), node);
            world.at(world.nowNanos() + FAREWELL, () -> leave(number, server));
        });
    }

    /// A server that was told to go ends, unless it has ended before.
    private void leave(int number, Server server) {
        if (servers.remove(number, server)) {
            world.crash(Address.server(number));
        }
    }

    private void startWorker(int number) {
        workers[number] = new FaultLoad(number, life(Address.worker(number)), plan, TIMES, ledger);
        FaultWorld.Node node = world.add(Address.worker(number), workers[number]);
        workers[number].start(node.localNanos(), node);
    }

    /// The number of a life of a node that begins.
    private long life(Address node) {
        return lives.merge(node, 1L, Long::sum);
    }

    private void strike(Fault fault) {
        copies.compare(ledger);
        long until = world.nowNanos() + fault.forNanos();
        Address node = standing(fault.node());
        switch (fault.kind()) {
            case CRASH, RESTART -> {
                if (!mayEnd(node)) {
                    return;
                }
                world.crash(node);
                world.at(until, end(node, fault.kind()));
            }
            case PAUSE -> world.pause(node, until);
            case ISOLATE -> world.isolate(node, until);
            case ONE_WAY -> world.cut(node, standing(fault.other()), until);
            case CLOG -> world.clog(node, until);
            case SLOW -> world.slow(node, until);
            case JOIN -> startServer(nextServer++);
            case LEAVE -> {
                if (mayLeave(node)) {
                    coordinator.dismiss(node, home);
                }
            }
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

    /// A node has ended; what comes in its place.
    private Runnable end(Address node, Fault.Kind kind) {
        if (node.role() == Address.Role.WORKER) {
            return () -> startWorker(node.number());
        }
        servers.remove(node.number());
        return () -> startServer(kind == Fault.Kind.RESTART ? node.number() : nextServer++);
    }

    /// Whether a server may be told to go: it is there to stay, and others are left to hold as many copies.
    private boolean mayLeave(Address node) {
        List<Address> staying = coordinator.standings(home.localNanos()).stream()
                .filter(standing -> standing.node().role() == Address.Role.SERVER && !standing.leaving())
                .map(Standing::node)
                .toList();
        return staying.contains(node) && staying.size() > plan.copies();
    }

    /// Whether a node may end: a worker that is there; a server if somebody else has all that it has, and counts
    /// as there. A silent server is one that has failed, and what is lost with the last copy is beyond what is
    /// promised.
    private boolean mayEnd(Address node) {
        Layout layout = coordinator.layout();
        return layout.epoch() > 0
                && world.isUp(node)
                && Arrays.stream(layout.chains())
                        .allMatch(chain -> node.role() == Address.Role.WORKER || isHeldBeside(chain, node.number()));
    }

    private boolean isHeldBeside(Chain chain, int server) {
        return IntStream.of(chain.servers())
                .limit(chain.whole())
                .filter(member -> member != server)
                .mapToObj(Address::server)
                .anyMatch(this::isThere);
    }

    private boolean isThere(Address server) {
        return world.isWell(server, Address.COORDINATOR)
                && home.localNanos() - coordinator.heardNanos(server) < TIMES.lostNanos() / 4;
    }
}
