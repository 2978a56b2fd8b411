package tandem.simulate;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
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

/// Runs a plan with the classes that run in earnest, and checks what they promise: while faults strike, at every
/// read and every answer; afterwards, that everything comes to rest with each update applied once on every copy.
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
    private final FaultHome home;
    private final TreeMap<Integer, Server> servers = new TreeMap<>();
    private final FaultCopies copies;
    private final TreeMap<Integer, FaultLoad> workers = new TreeMap<>();
    private final TreeMap<Address, Long> lives = new TreeMap<>();
    private final TreeMap<Fault.Kind, Integer> struck = new TreeMap<>();
    private int nextServer;
    private int nextWorker;

    private FaultRun(FaultPlan plan, Flaw flaw) {
        this.plan = plan;
        this.flaw = flaw.begun();
        this.world = new FaultWorld(plan.seed(), plan.encoded());
        this.ledger = new FaultLedger(plan.workers());
        this.home = new FaultHome(plan, TIMES, this.flaw, world);
        this.copies = new FaultCopies(home, servers, plan.copies());
        home.start();
        for (int s = 0; s < plan.servers(); s++) {
            startServer(nextServer++);
        }
        for (int w = 0; w < plan.workers(); w++) {
            startWorker(nextWorker++);
        }
    }

    /// What came of a run.
    ///
    /// @param violation what was wrong, or null
    /// @param struck    how many faults of each kind there were
    /// @param pushes    how many updates were acknowledged
    /// @param reads     how many reads were checked
    /// @param trace     a hash of all that happened
    public record Verdict(
            String violation, SortedMap<Fault.Kind, Integer> struck, long pushes, long reads, long steps, long trace) {

        /// How many faults struck a node.
        public int nodeFaults() {
            return struck.entrySet().stream()
                    .filter(kind -> kind.getKey().isOfNode())
                    .mapToInt(Map.Entry::getValue)
                    .sum();
        }
    }

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
            home.heal();
            rest();
        } catch (RuntimeException e) {
            ledger.violated(e + " at " + e.getStackTrace()[0]);
        }
        return new Verdict(
                ledger.violation(),
                Collections.unmodifiableSortedMap(struck),
                ledger.acknowledgements(),
                ledger.readsChecked(),
                world.steps(),
                world.trace());
    }

    /// Lets everything happen that does before a time, unless something is wrong.
    private void stepUntil(long nanos) {
        while (ledger.violation() == null && world.step(nanos)) {}
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
        if (home.isOver() && !ledger.isComplete(plan.pushes())) {
            ledger.violated("G9: all workers say they are done, and " + ledger.acknowledgements()
                    + " updates were acknowledged of " + plan.pushes() + " of each of " + plan.workers() + " streams");
        }
        return home.isOver() && copies.areComplete();
    }

    private String unrest() {
        return home + "; workers are " + workers + "; " + copies;
    }

    private void startServer(int number) {
        Server.Ways ways = new Server.Ways(plan.seed(), 1 << 20, TIMES.resendNanos(), TIMES.leaseNanos(), false);
        Server server = new Server(number, new Rules(), new Filters(), plan.gathered() ? ways.gathering(GATHER) : ways);
        servers.put(number, server);
        Party watched = new FaultWatch(server, flaw.of(number, server), ledger);
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
            home.left(Address.server(number));
        }
    }

    private void startWorker(int number) {
        Address address = Address.worker(number);
        FaultLoad worker = new FaultLoad(plan, TIMES, life(address), ledger);
        workers.put(number, worker);
        FaultWorld.Node node = world.add(address, worker);
        worker.start(node.localNanos(), node);
        worker.gone()
                .whenDone(() -> world.at(world.nowNanos() + FAREWELL, () -> {
                    if (end(number, worker)) {
                        home.left(address);
                    }
                }));
    }

    /// A worker ends and does not come back; false if it has ended before.
    private boolean end(int number, FaultLoad worker) {
        boolean ends = workers.remove(number, worker);
        if (ends) {
            world.crash(Address.worker(number));
        }
        return ends;
    }

    /// Has a worker that has ended given up, if it is taken for a member because something it said before came
    /// late.
    private void giveUp(Address worker) {
        boolean over = workers.containsKey(worker.number())
                || home.turn(
                        (one, out) -> !one.workersThere().contains(worker) || one.lose(worker, home.localNanos(), out));
        if (!over) {
            world.at(world.nowNanos() + FAREWELL, () -> giveUp(worker));
        }
    }

    /// The number of a life of a node that begins.
    private long life(Address node) {
        return lives.merge(node, 1L, Long::sum);
    }

    private void strike(Fault fault) {
        copies.compare(ledger);
        long until = world.nowNanos() + fault.forNanos();
        Address node = standing(fault.node());
        if (strikes(fault, node, until)) {
            count(fault);
        }
    }

    private void count(Fault fault) {
        struck.merge(fault.kind(), 1, Integer::sum);
    }

    /// Has something go wrong with a node; false if it may not, or not yet.
    private boolean strikes(Fault fault, Address node, long until) {
        switch (fault.kind()) {
            case CRASH, RESTART -> {
                if (!mayEnd(node)) {
                    return false;
                }
                world.crash(node);
                world.at(until, end(node, fault.kind()));
            }
            case SUCCESSION -> {
                if (!world.isUp(node) || !home.turn((one, out) -> one.lose(node, home.localNanos(), out))) {
                    return false;
                }
                FaultLoad worker = workers.get(node.number());
                world.isolate(node, until);
                world.at(until, () -> {
                    end(node.number(), worker);
                    startWorker(nextWorker++);
                    giveUp(node);
                });
            }
            case COORDINATOR -> {
                if (!home.isUp()) {
                    return false;
                }
                home.end(fault.forNanos());
            }
            case DISK, UNHEARD -> {
                home.endKeeping(
                        fault.kind() == Fault.Kind.DISK ? FaultHome.Disk.FAILS : FaultHome.Disk.LAST,
                        fault.forNanos(),
                        () -> count(fault));
                return false;
            }
            case PAUSE -> world.pause(node, until);
            case ISOLATE -> world.isolate(node, until);
            case PAIR -> {
                world.cut(node, standing(fault.other()), until);
                world.cut(standing(fault.other()), node, until);
            }
            case ONE_WAY -> world.cut(node, standing(fault.other()), until);
            case CLOG -> world.clog(node, until);
            case SLOW -> world.slow(node, until);
            case CLOCK -> world.jump(node, fault.forNanos());
            case JOIN -> {
                if (node.role() == Address.Role.WORKER) {
                    startWorker(nextWorker++);
                } else {
                    startServer(nextServer++);
                }
            }
            case LEAVE -> {
                return home.turn((one, out) -> mayLeave(node, one) && one.dismiss(node, out) != null);
            }
            case OLD_RELEASE -> {
                Address old = Address.server(nextServer++);
                Server server = new Server(old.number(), new Rules(), plan.seed());
                Member member = new Member(server, life(old), "", TIMES.heartbeatNanos());
                FaultWorld.Node there = world.add(old, member);
                world.age(old);
                member.start(there.localNanos(), there);
                world.at(until, () -> world.crash(old));
            }
            case LOSS -> world.lose(until);
            case REPEAT -> world.repeat(until);
            case DELAY -> world.delay(until);
        }
        return true;
    }

    /// The server or worker that stands at this place among those that are up; the coordinator is what it is.
    private Address standing(Address node) {
        return switch (node.role()) {
            case SERVER -> Address.server(at(node.number(), servers.navigableKeySet()));
            case WORKER -> Address.worker(at(node.number(), workers.navigableKeySet()));
            default -> node;
        };
    }

    private static int at(int place, NavigableSet<Integer> numbers) {
        return List.copyOf(numbers).get(place % numbers.size());
    }

    /// A node has ended; what comes in its place.
    private Runnable end(Address node, Fault.Kind kind) {
        if (node.role() == Address.Role.WORKER) {
            return () -> startWorker(node.number());
        }
        servers.remove(node.number());
        return () -> startServer(kind == Fault.Kind.RESTART ? node.number() : nextServer++);
    }

    /// Whether a node may be told to go: it is there to stay, and others are left, of servers enough to hold as
    /// many copies.
    private boolean mayLeave(Address node, Coordinator coordinator) {
        List<Address> staying = coordinator.standings(home.localNanos()).stream()
                .filter(standing -> standing.node().role() == node.role() && !standing.leaving())
                .map(Standing::node)
                .toList();
        return staying.contains(node) && staying.size() > (node.role() == Address.Role.SERVER ? plan.copies() : 1);
    }

    /// Whether a node may end: a worker that is there; a server if somebody else has all that it has, and counts
    /// as there. A silent server is one that has failed, and what is lost with the last copy is beyond what is
    /// promised.
    private boolean mayEnd(Address node) {
        Layout layout = home.layout();
        return layout.epoch() > 0
                && world.isUp(node)
                && (node.role() == Address.Role.WORKER
                        || IntStream.range(0, layout.seats()).allMatch(seat -> isHeldBeside(node.number(), seat)));
    }

    private boolean isHeldBeside(int server, int seat) {
        Chain chain = home.layout().chains()[seat];
        return IntStream.of(chain.servers())
                .limit(chain.whole())
                .filter(member -> member != server && copies.has(member, seat))
                .mapToObj(Address::server)
                .anyMatch(member -> world.isWell(member, Address.COORDINATOR) && home.hears(member));
    }
}
