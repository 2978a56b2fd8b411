package tandem.runtime;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import tandem.client.Station;
import tandem.client.Ticket;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;

/// A node's turns, one at a time, each on whichever thread brings it: a message costs no switch of threads unless
/// the node is busy, and then the thread it is busy on takes the message along.
final class Strand implements Station {

    /// What may wait for a busy node before those who bring more have to wait too.
    static final int MOST_WAITING = 32;

    private final Address address;
    private final Party party;
    private final Outbox out;
    private final Refusal refusal;
    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Work> work = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /// Something for the party to do.
    private sealed interface Work {
        record Receive(Address from, Message message) implements Work {}

        record Wake(long tag) implements Work {}
    }

    /// What becomes of a message that the party found wrong.
    @FunctionalInterface
    interface Refusal {
        void refused(Address from, IllegalArgumentException why);
    }

    Strand(Address address, Party party, Outbox out, Refusal refusal) {
        this.address = address;
        this.party = party;
        this.out = out;
        this.refusal = refusal;
    }

    /// The party's first turn; others find it meanwhile, and wait for it to end.
    ///
    /// @param enter has others find it; false if somebody is there already
    void start(BooleanSupplier enter) {
        turn((nowNanos, _) -> {
            if (!enter.getAsBoolean()) {
                throw new IllegalArgumentException("there is " + address + " already");
            }
            party.start(nowNanos, out);
            return null;
        });
    }

    Address address() {
        return address;
    }

    void receive(Address from, Message message) {
        add(new Work.Receive(from, message));
    }

    /// The same for a thread that may wait, outside all turns: it does if too much waits already, so that
    /// whoever floods a busy node is held back where it comes from.
    void receiveInTime(Address from, Message message) {
        receive(from, message);
        if (waiting.get() > MOST_WAITING) {
            lock.lock();
            try {
                runAll();
            } finally {
                lock.unlock();
            }
            drain();
        }
    }

    /// Messages and timers that wait for their turn.
    int waiting() {
        return waiting.get();
    }

    void wake(long tag) {
        add(new Work.Wake(tag));
    }

    private void add(Work one) {
        waiting.incrementAndGet();
        work.add(one);
        // A party in the middle of its own turn must not be called again; that turn drains the queue at its end.
        if (!lock.isHeldByCurrentThread()) {
            drain();
        }
    }

    private void drain() {
        while (!work.isEmpty() && lock.tryLock()) {
            try {
                runAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Under the lock.
    private void runAll() {
        for (Work one; (one = work.poll()) != null; ) {
            waiting.decrementAndGet();
            switch (one) {
                case Work.Receive(Address from, Message message) -> hear(from, message);
                case Work.Wake(long tag) -> party.wake(tag, nowNanos(), out);
            }
        }
    }

    /// Whose message was wrong is known here alone: the thread may be anybody's.
    private void hear(Address from, Message message) {
        try {
            party.receive(from, message, nowNanos(), out);
        } catch (IllegalArgumentException e) {
            refusal.refused(from, e);
        }
    }

    @Override
    public <T> T turn(Turn<T> turn) {
        T result;
        lock.lock();
        try {
            result = turn.run(nowNanos(), out);
        } finally {
            lock.unlock();
        }
        // A turn within a turn, as when a callback sends a request: what came meanwhile is for the outer one.
        if (!lock.isHeldByCurrentThread()) {
            drain();
        }
        return result;
    }

    @Override
    public boolean await(Ticket ticket, long untilNanos) {
        return await(ticket, untilNanos, PARKED);
    }

    /// The same, with something to do meanwhile.
    boolean await(Ticket ticket, long untilNanos, Idle idle) {
        if (ticket.isDone()) {
            return true;
        }
        Thread me = Thread.currentThread();
        turn((_, _) -> {
            ticket.wakes(() -> {
                idle.served();
                LockSupport.unpark(me);
            });
            return null;
        });
        while (!ticket.isDone()) {
            if (untilNanos - nowNanos() <= 0) {
                return false;
            }
            idle.until(ticket, untilNanos);
            if (Thread.currentThread().isInterrupted()) {
                throw new Stopped();
            }
        }
        return true;
    }

    /// How a loop spends its time while it waits.
    interface Idle {

        /// Returns when the ticket is done, the thread is unparked, or the time has come; or before.
        void until(Ticket ticket, long untilNanos);

        /// The ticket is done; called on whichever thread brought that about.
        default void served() {}
    }

    private static final Idle PARKED = (_, untilNanos) -> LockSupport.parkNanos(untilNanos - System.nanoTime());

    @Override
    public long nowNanos() {
        return System.nanoTime();
    }

    /// The thread of a loop was interrupted, because its ground is closing.
    static final class Stopped extends RuntimeException {

        private static final long serialVersionUID = 1;
    }
}
