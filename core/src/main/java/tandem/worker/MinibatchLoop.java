package tandem.worker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import tandem.client.Session;
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

    /// Works through this worker's streams of a pass, batch by batch in turn. All streams end it at the same clock,
    /// though some may have a batch less than others.
    ///
    /// @param rounds how many passes came before it, whatever they learned
    public void run(MinibatchTask task, int pass, long rounds) throws IOException {
        int[] streams = session.streams();
        int all = session.layout().streams();
        List<Batches.Pass> passes = new ArrayList<>();
        for (int stream : streams) {
            passes.add(data.pass(pass, stream, all));
        }
        long clocks = Math.ceilDiv(data.count(), all);
        Turns turns = new Turns(streams, passes);
        BatchInHand now = fetch(new BatchInHand(), turns, task);
        BatchInHand spare = new BatchInHand();
        while (now != null) {
            BatchInHand next = consistency.ahead() > 0 ? fetch(spare, turns, task) : null;
            learn(now, task);
            if (consistency.ahead() == 0) {
                next = fetch(spare, turns, task);
            }
            spare = now;
            now = next;
        }
        for (int stream : streams) {
            session.update(stream, (rounds + 1) * clocks);
            session.flush(stream);
        }
    }

    private BatchInHand fetch(BatchInHand hand, Turns turns, MinibatchTask task) throws IOException {
        if (!turns.next(hand, session)) {
            return null;
        }
        int stream = hand.stream();
        // Tasks read before this one whose updates are still to come count as well.
        int before = inHand.merge(stream, 1, Integer::sum) - 1;
        hand.pull(task, consistency.after(session.clock(stream) + before, session.sent(stream) + before), session);
        return hand;
    }

    private void learn(BatchInHand hand, MinibatchTask task) {
        long waitedBefore = session.waitedNanos();
        long start = session.station().nowNanos();
        Learned now = hand.learn(task, session);
        session.station().worked(hand.entries());
        hand.update(task, session.clock(hand.stream()) + 1, session);
        inHand.merge(hand.stream(), -1, Integer::sum);
        long waited = session.waitedNanos() - waitedBefore;
        long took = session.station().nowNanos() - start - waited;
        learned = learned.plus(now).plus(new Learned(0, 0, 0, took * 1e-9, waited * 1e-9));
        told.accept(learned);
    }

    /// Streams that take turns, each with its own part of the pass.
    private static final class Turns {

        private final int[] streams;
        private final List<Batches.Pass> passes;
        private int turn;

        Turns(int[] streams, List<Batches.Pass> passes) {
            this.streams = streams;
            this.passes = passes;
        }

        boolean next(BatchInHand hand, Session session) throws IOException {
            for (int tries = 0; tries < streams.length; tries++) {
                int s = turn;
                turn = (turn + 1) % streams.length;
                if (hand.read(passes.get(s), streams[s], session)) {
                    return true;
                }
            }
            return false;
        }
    }
}
