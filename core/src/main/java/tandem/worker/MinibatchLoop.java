package tandem.worker;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import tandem.client.Session;
import tandem.client.Ticket;
import tandem.consistency.Consistency;
import tandem.data.Batches;

/// The pull–compute–push of a worker whose weights are on servers. A batch is a task; where the consistency
/// allows it, the next batch's pull travels while this one is computed.
public final class MinibatchLoop {

    private final Session session;
    private final Batches data;
    private final Consistency consistency;
    private final Consumer<Learned> told;
    private Learned learned = Learned.ZERO;

    /// Null before the first pass.
    private Reach reach;

    /// By stream: batches that are read and whose update has not been sent.
    private final Map<Integer, Integer> inHand = new TreeMap<>();

    /// @param told hears, after every batch, what was learned so far
    public MinibatchLoop(Session session, Batches data, Consistency consistency, Consumer<Learned> told) {
        this.session = session;
        this.data = data;
        this.consistency = consistency;
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
    /// @param enough done when what is left of the pass is to be left
    /// @param ranges gives out the batches; null if each stream has a fixed part of them
    public record Round(int number, long rounds, Ticket enough, Ranges ranges) {

        /// A pass of which each stream has a fixed part.
        public Round(int number, long rounds) {
            this(number, rounds, new Ticket(() -> null), null);
        }
    }

    /// Works through this worker's part of a pass, batch by batch. All streams end it at the same clock, though some
    /// may
    /// have a batch less than others.
    public void run(MinibatchTask task, Round round) throws IOException {
        int[] streams = session.streams();
        reach = reach == null ? Reach.of(session, consistency) : reach;
        Supply supply = supply(round, streams);
        inHand.clear();
        BatchInHand now = fetch(new BatchInHand(), supply, task);
        BatchInHand spare = new BatchInHand();
        while (now != null && !round.enough.isDone()) {
            boolean ahead = consistency.ahead() > 0;
            BatchInHand next = ahead ? fetch(spare, supply, task) : null;
            learn(now, task, round.enough);
            if (!ahead && !round.enough.isDone()) {
                next = fetch(spare, supply, task);
            }
            spare = now;
            now = next;
        }
        for (int stream : streams) {
            session.update(stream, clockAfter(round));
            session.flush(stream);
        }
    }

    /// Where passes are clocks, the order is drawn for the first one too: its end may be skipped like any other's.
    private Supply supply(Round round, int[] streams) throws IOException {
        int order = consistency.byPass() ? round.number + 1 : round.number;
        return round.ranges == null
                ? Supply.streams(data, order, streams, session.layout().streams())
                : Supply.ranges(data, order, round.ranges, streams[0]);
    }

    private long clockAfter(Round round) {
        long clocks = consistency.byPass()
                ? 1
                : Math.ceilDiv(data.count(), session.layout().streams());
        return (round.rounds + 1) * clocks;
    }

    private BatchInHand fetch(BatchInHand hand, Supply supply, MinibatchTask task) throws IOException {
        if (!hand.read(supply, session)) {
            return null;
        }
        int stream = hand.stream();
        // Tasks read before this one whose updates are still to come count as well.
        int before = inHand.merge(stream, 1, Integer::sum) - 1;
        long clock = session.clock(stream) + (consistency.byPass() ? 0 : before);
        hand.pull(task, consistency.after(clock, session.sent(stream) + before), reach);
        return hand;
    }

    /// Learns from a batch, unless what is left of the pass is to be left before it is done.
    private void learn(BatchInHand hand, MinibatchTask task, Ticket enough) {
        long waitedBefore = session.waitedNanos();
        long start = session.station().nowNanos();
        Learned now = hand.learn(task, session);
        session.station().worked(hand.entries(), enough);
        if (enough.isDone()) {
            return;
        }
        long clock = session.clock(hand.stream());
        hand.update(task, consistency.byPass() ? clock : clock + 1, reach);
        inHand.merge(hand.stream(), -1, Integer::sum);
        long waited = session.waitedNanos() - waitedBefore;
        long took = session.station().nowNanos() - start - waited;
        learned = learned.plus(now).plus(new Learned(0, 0, 0, took * 1e-9, waited * 1e-9));
        told.accept(learned);
    }
}
