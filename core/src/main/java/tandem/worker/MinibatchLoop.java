package tandem.worker;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import tandem.client.Session;
import tandem.client.Ticket;
import tandem.consistency.After;
import tandem.consistency.Consistency;
import tandem.data.Batches;

/// The pull–compute–push of a worker whose weights are on servers. A batch is a task; where the consistency
/// allows it, the next batch's pull travels while this one is computed.
public final class MinibatchLoop {

    private final Session session;
    private final Batches data;
    private final Consistency consistency;
    private final Beat beat;
    private final Consumer<Learned> told;
    private Learned learned = Learned.ZERO;

    /// Null before the first pass.
    private Reach reach;

    /// By stream: batches of this pass that are read, and those whose update has been sent.
    private final Map<Integer, Integer> taken = new TreeMap<>();

    private final Map<Integer, Integer> done = new TreeMap<>();

    /// Where the batches of the pass come from, and those read of which nothing was learned, in their order; null and
    /// none after a pass that was worked through.
    private Supply supply;

    /// What this worker held when that was made, and how often that had changed.
    private int[] streams = {};

    private long moves;

    private final ArrayDeque<BatchInHand> hands = new ArrayDeque<>();
    private final ArrayDeque<BatchInHand> spare = new ArrayDeque<>();

    /// What is waited for, so that the wait can end early.
    private Ticket awaited = new Ticket(() -> null);

    /// Whether updates are sent besides those of batches.
    private boolean holdsBack;

    private long waitedNanos;

    /// How a loop keeps time with the others.
    ///
    /// @param batches        batches a clock; where clocks are passes this does not matter
    /// @param bytesPerSecond what it may send before the end of a clock; 0 for no limit
    /// @param inOrder        whether servers apply updates in order, so that the end of each clock is said apart
    public record Beat(Consistency consistency, int batches, double bytesPerSecond, boolean inOrder) {

        /// A clock is a batch, and every batch's update is sent at once.
        public Beat(Consistency consistency) {
            this(consistency, 1, 0, false);
        }

        /// How many updates a batch makes.
        int updates() {
            return inOrder ? 2 : 1;
        }
    }

    /// @param told hears, after every batch, what was learned so far
    public MinibatchLoop(Session session, Batches data, Beat beat, Consumer<Learned> told) {
        this.session = session;
        this.data = data;
        this.consistency = beat.consistency;
        this.beat = beat;
        this.told = told;
    }

    /// What was learned so far, over all passes.
    public Learned learned() {
        return learned;
    }

    /// A pass to work through.
    ///
    /// @param number which pass it is, which decides the order of batches
    /// @param rounds how many passes came before it, whatever they learned
    /// @param until  the clock that no stream goes beyond
    /// @param enough done when what is left of the pass is to be left: for good, or where the number of an update
    ///               tells which batch it is of, until the loop is told to go on with the pass
    /// @param ranges gives out the batches; null if each stream has a fixed part of them
    public record Round(int number, long rounds, long until, Ticket enough, Ranges ranges) {

        /// A pass of which each stream has a fixed part.
        public Round(int number, long rounds) {
            this(number, rounds, Long.MAX_VALUE, new Ticket(() -> null), null);
        }
    }

    /// Works through this worker's part of a pass, batch by batch. All streams end it at the same clock, though some
    /// may have a batch less than others.
    ///
    /// @return whether the pass is over; if not, it goes on where it was left when this is called for it again
    public boolean run(MinibatchTask task, Round round) throws IOException {
        session.streams(); // waits until all are taken over
        holdsBack = session.holdsBack();
        if (supply == null || session.moves() != moves) {
            begin(round);
        }
        session.whenDone(round.enough, this::stopWaiting);
        boolean over = learnAll(task, round) || !isNumbered(round);
        if (over) {
            end(round);
        }
        for (int stream : streams) {
            session.flush(stream);
        }
        noteWaits();
        return over;
    }

    /// Begins with a pass, or anew in the middle of it because streams have come or gone: what is in hand may be
    /// somebody else's to do.
    private void begin(Round round) throws IOException {
        long now = session.moves();
        streams = session.streams();
        if (reach == null || now != moves) {
            reach = Reach.of(session, beat);
        }
        moves = now;
        session.sendWhile(isNumbered(round) ? moves : Session.WHATEVER_MOVES);
        for (int stream : streams) {
            session.flush(stream);
        }
        taken.clear();
        done.clear();
        hands.clear();
        spare.clear();
        supply = supply(round);
    }

    /// True if nothing is left of the pass.
    private boolean learnAll(MinibatchTask task, Round round) throws IOException {
        while (!round.enough.isDone() && fetch(1, task, round)) {
            if (hasMoved(round)) {
                begin(round);
                continue;
            }
            if (consistency.ahead() > 0) {
                fetch(2, task, round);
            }
            if (isBeyond(hands.peekFirst(), round)) {
                return false;
            }
            if (!learn(hands.peekFirst(), task, round)) {
                if (hasMoved(round)) {
                    continue;
                }
                return false;
            }
            spare.add(hands.pollFirst());
        }
        return hands.isEmpty() && !round.enough.isDone();
    }

    /// Whether streams have come or gone since the beginning, so that it is time to begin anew.
    private boolean hasMoved(Round round) {
        return isNumbered(round) && session.moves() != moves;
    }

    private boolean isBeyond(BatchInHand hand, Round round) {
        return clockAfter(done.getOrDefault(hand.stream(), 0), round) >= round.until;
    }

    private void end(Round round) {
        for (int stream : streams) {
            if (!isNumbered(round) || session.sent(stream) < (round.rounds + 1) * updates(stream)) {
                reach.end(stream, (round.rounds + 1) * clocks());
            }
        }
        supply = null;
        hands.clear();
    }

    /// Whether the number of an update tells which batch it is of: each batch of a stream is one, or two where the end
    /// of its clock is said apart, and the end of a pass is one.
    private boolean isNumbered(Round round) {
        return round.ranges == null && !consistency.byPass() && beat.bytesPerSecond == 0 && !holdsBack;
    }

    /// The batches of a pass that are a stream's.
    private int batches(int stream) {
        int all = session.layout().streams();
        return Math.toIntExact(Math.ceilDiv(data.count() - stream, all));
    }

    /// The updates of a pass that are a stream's.
    private long updates(int stream) {
        return (long) batches(stream) * beat.updates() + 1;
    }

    /// How many batches of the pass were worked through by whoever had the stream before. If the end of the last one's
    /// clock has not been said, it is said now.
    private int worked(int stream, Round round) {
        long before = Math.max(0, session.sent(stream) - round.rounds * updates(stream));
        int worked = (int) Math.min(Math.ceilDiv(before, beat.updates()), batches(stream));
        if (before < (long) worked * beat.updates()) {
            session.tick(stream, clockAfter(worked, round));
        }
        return worked;
    }

    /// The batches of a pass, without those that were worked through before. Those of somebody who is gone count as
    /// seen; with what loss is not known.
    private Supply remaining(int order, Round round) throws IOException {
        int[] skip = new int[streams.length];
        boolean[] orphaned = new boolean[streams.length];
        for (int s = 0; s < streams.length; s++) {
            skip[s] = worked(streams[s], round);
            orphaned[s] = session.takeOrphaned(streams[s]);
            taken.put(streams[s], skip[s]);
            done.put(streams[s], skip[s]);
        }
        return Supply.streams(
                data,
                order,
                streams,
                session.layout().streams(),
                skip,
                (s, rows) -> learned = learned.plus(new Learned(orphaned[s] ? rows : 0, 0, 0, 0, 0)));
    }

    /// Where passes are clocks, the order is drawn for the first one too: its end may be skipped like any other's.
    private Supply supply(Round round) throws IOException {
        int order = consistency.byPass() ? round.number + 1 : round.number;
        if (isNumbered(round)) {
            return remaining(order, round);
        }
        return round.ranges == null
                ? Supply.streams(data, order, streams, session.layout().streams())
                : Supply.ranges(data, order, round.ranges, streams[0]);
    }

    /// Clocks a pass.
    private long clocks() {
        return consistency.byPass()
                ? 1
                : Math.ceilDiv(Math.ceilDiv(data.count(), session.layout().streams()), beat.batches);
    }

    /// The clock of a stream that has finished so many batches of a pass.
    private long clockAfter(int batches, Round round) {
        return round.rounds * clocks() + (consistency.byPass() ? 0 : batches / beat.batches);
    }

    /// Has so many batches at hand, if there are as many left; false if there is none.
    private boolean fetch(int count, MinibatchTask task, Round round) throws IOException {
        while (hands.size() < count) {
            // Two at least, so that the update of one travels while the next is read.
            BatchInHand hand = hands.size() + spare.size() < 2 ? new BatchInHand(task) : spare.pollFirst();
            if (!hand.read(supply, session)) {
                spare.addFirst(hand);
                return !hands.isEmpty();
            }
            int stream = hand.stream();
            // Batches read before this one whose updates are still to come count as well.
            int before = taken.merge(stream, 1, Integer::sum) - 1;
            long sent = session.sent(stream) + before - done.getOrDefault(stream, 0);
            After after = warmed(task, round, consistency.after(clockAfter(before, round), sent));
            send(() -> hand.pull(task, after, reach));
            hands.add(hand);
        }
        return true;
    }

    private BatchInHand.Place place(BatchInHand hand, Round round) {
        long before = done.getOrDefault(hand.stream(), 0);
        int streams = (int) Math.min(session.layout().streams(), data.count());
        return new BatchInHand.Place(round.number, round.number * clocks() * beat.batches + before, streams);
    }

    /// In Downpour's warm-up all streams but the first wait until that has learned some batches. Whoever works for the
    /// first one waits for nobody.
    private After warmed(MinibatchTask task, Round round, After after) {
        if (!(task.local() instanceof Local.Downpour how) || how.warmUp() == 0 || round.number > 0 || streams[0] == 0) {
            return after;
        }
        long until = round.rounds * clocks() + Math.min(how.warmUp(), clocks());
        return new After(after.own(), until, 1.0 / session.layout().streams());
    }

    /// Learns from a batch; false if what is left of the pass is to be left before that is done.
    private boolean learn(BatchInHand hand, MinibatchTask task, Round round) {
        if (isNumbered(round) && (!arrives(hand.pulled(), round) || hasMoved(round))) {
            return false;
        }
        long waitedBefore = session.waitedNanos();
        long start = session.station().nowNanos();
        Learned now = hand.learn(task, session, reach, place(hand, round));
        session.station().worked((long) hand.entries() * task.local().effort(), round.enough);
        if (round.enough.isDone() && !isNumbered(round)) {
            return false;
        }
        int finished = done.merge(hand.stream(), 1, Integer::sum);
        learned = learned.plus(now).plus(new Learned(0, 0, 0, busySeconds(start, waitedBefore), 0));
        send(() -> hand.update(task, clockAfter(finished, round), reach));
        noteWaits();
        told.accept(learned);
        return true;
    }

    /// Does what sends a message, and notes how long that took.
    private void send(Runnable sending) {
        long waitedBefore = session.waitedNanos();
        long start = session.station().nowNanos();
        sending.run();
        learned = learned.plus(Learned.communicated(busySeconds(start, waitedBefore)));
    }

    /// Since then, without waits.
    private double busySeconds(long startNanos, long waitedBefore) {
        long waited = session.waitedNanos() - waitedBefore;
        return (session.station().nowNanos() - startNanos - waited) * 1e-9;
    }

    /// Whether rows are there before the pass is to be left. Who has them may wait for others who have left it.
    private boolean arrives(Ticket rows, Round round) {
        if (!rows.isDone()) {
            Ticket either = new Ticket(rows::awaited);
            session.station().turn((_, _) -> {
                awaited = either;
                (round.enough.isDone() ? round.enough : rows).whenDone(this::stopWaiting);
                return null;
            });
            session.await(either);
        }
        return rows.isDone();
    }

    private void stopWaiting() {
        if (!awaited.isDone()) {
            awaited.complete();
        }
    }

    private void noteWaits() {
        double waited = (session.waitedNanos() - waitedNanos) * 1e-9;
        waitedNanos = session.waitedNanos();
        learned = learned.plus(new Learned(0, 0, 0, 0, waited));
    }
}
