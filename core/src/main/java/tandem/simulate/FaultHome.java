package tandem.simulate;

import java.util.TreeSet;
import java.util.function.BiFunction;
import tandem.cluster.Cast;
import tandem.cluster.Coordinator;
import tandem.cluster.Decided;
import tandem.filter.Filters;
import tandem.wire.Address;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;

/// The coordinator of a run, and those that come after it when it ends: each goes on from what the one before has
/// kept.
final class FaultHome implements Party {

    /// The order to work on all streams until they are done.
    private static final byte[] COUNT = {1};

    private final FaultPlan plan;
    private final FaultTimes times;
    private final Flaw flaw;
    private final FaultWorld world;

    /// Nodes that were told to go and have ended.
    private final TreeSet<Address> gone = new TreeSet<>();

    private Coordinator coordinator;
    private Party party;
    private FaultWorld.Node node;

    /// What all workers are told to do; null before everyone is there.
    private Coordinator.Round round;

    /// All that the next one will know.
    private Decided kept;

    /// What becomes of what is kept next, and what happens when it ends with that.
    private Disk disk = Disk.WELL;

    private Runnable ending = () -> {};

    /// What becomes of something that is to be kept.
    enum Disk {
        WELL,
        /// It is not, or only half of it, which is as good as nothing.
        FAILS,
        /// It is, but who had it kept ends before anybody hears of it.
        LAST
    }

    /// The coordinator has ended in the middle of what it did.
    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    FaultHome(FaultPlan plan, FaultTimes times, Flaw flaw, FaultWorld world) {
        this.plan = plan;
        this.times = times;
        this.flaw = flaw;
        this.world = world;
    }

    /// Has a coordinator begin, where the one before was if there was one.
    void start() {
        Cast cast = Cast.of(plan.servers(), plan.workers(), plan.workers())
                .withSeats(plan.seats())
                .withReplicas(plan.copies() - 1, times.lostNanos());
        Coordinator next = new Coordinator(cast, FaultTables.ALL, new Filters(), times.resendNanos());
        if (kept != null) {
            next.goOn(flaw.found(kept));
        }
        next.keeping(this::keep);
        coordinator = next;
        round = null;
        party = flaw.of(next);
        node = world.add(Address.COORDINATOR, this);
        next.complete().whenDone(() -> round = next.standing(COUNT, node));
        turn((_, _) -> {
            next.start(node.localNanos(), node);
            gone.forEach(one -> next.left(one, node));
            return true;
        });
    }

    private void keep(Decided decided) {
        Disk now = disk;
        disk = Disk.WELL;
        if (now != Disk.FAILS) {
            kept = flaw.kept(kept, decided);
        }
        if (now != Disk.WELL) {
            throw new Ended();
        }
    }

    /// Has it do something, unless it is not there or ends with that; then it is as if it had not been asked.
    boolean turn(BiFunction<Coordinator, Outbox, Boolean> what) {
        try {
            return isUp() && what.apply(coordinator, node);
        } catch (Ended e) {
            ending.run();
            return false;
        }
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        turn((_, _) -> {
            party.receive(from, message, nowNanos, out);
            return true;
        });
    }

    @Override
    public void wake(long tag, long nowNanos, Outbox out) {
        turn((_, _) -> {
            party.wake(tag, nowNanos, out);
            return true;
        });
    }

    /// It ends, and another comes.
    void end(long forNanos) {
        world.crash(Address.COORDINATOR);
        world.at(world.nowNanos() + forNanos, this::start);
    }

    /// Has it end with what it keeps next, and `struck` run if it comes to that.
    void endKeeping(Disk how, long forNanos, Runnable struck) {
        disk = how;
        ending = () -> {
            end(forNanos);
            struck.run();
        };
    }

    /// Nothing goes wrong with what is kept from now on.
    void heal() {
        disk = Disk.WELL;
    }

    boolean isUp() {
        return world.isUp(Address.COORDINATOR);
    }

    Layout layout() {
        return isUp() ? coordinator.layout() : kept.layout();
    }

    /// A node that was told to go has ended; whoever is coordinator hears of that.
    void left(Address who) {
        gone.add(who);
        turn((one, out) -> {
            one.left(who, out);
            return true;
        });
    }

    /// Whether all workers say that everything is done.
    boolean isOver() {
        return isUp() && round != null && round.enough().isDone();
    }

    /// Whether somebody has been heard lately, as far as anybody can tell.
    boolean hears(Address who) {
        return !isUp() || node.localNanos() - coordinator.heardNanos(who) < times.lostNanos() / 4;
    }

    @Override
    public String toString() {
        return isUp() ? "the coordinator knows " + coordinator.standings(node.localNanos()) : "there is no coordinator";
    }

    long localNanos() {
        return node.localNanos();
    }
}
