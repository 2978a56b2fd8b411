package tandem.server;

import java.util.List;
import tandem.consistency.After;
import tandem.wire.Message;
import tandem.wire.Reached;

/// How far the streams have come in one copy of a seat: who may work on each, which of its updates are applied, and its
/// clock.
final class Streams {

    /// By stream: the latest lease that an update came with.
    private final long[] leases;

    private final Applied applied;
    private final Clocks clocks;

    /// Whether updates are applied clock by clock.
    private final boolean inOrder;

    /// @param reached where they begin
    Streams(int count, boolean inOrder, Reached reached) {
        this.leases = new long[count];
        this.applied = new Applied(count);
        this.clocks = new Clocks(count);
        this.inOrder = inOrder;
        if (!reached.anew()) {
            applied.set(new Applied.Known(reached.sequences(), reached.clocks(), new long[0]));
            for (int stream = 0; stream < count; stream++) {
                clocks.set(stream, reached.clock(stream));
            }
        }
    }

    int count() {
        return leases.length;
    }

    /// That there can be such an update.
    void check(int stream, long sequence, long clock) {
        if (stream < 0 || stream >= leases.length || sequence < 1 || clock < 0) {
            throw new IllegalArgumentException("update " + sequence + " of stream " + stream + " with clock " + clock
                    + "; there are streams 0 to " + (leases.length - 1) + ", and updates from 1 on");
        }
    }

    /// The latest lease of a stream; 0 if there is no such stream.
    long lease(int stream) {
        return stream >= 0 && stream < leases.length ? leases[stream] : 0;
    }

    /// From now on only who has this lease works on the stream.
    void hold(int stream, long lease) {
        leases[stream] = lease;
    }

    /// Whether an update is new, and not too far ahead of those that are applied.
    boolean isNew(int stream, long sequence) {
        return applied.isNew(stream, sequence);
    }

    /// Whether an update is new; if so it counts as applied from now on.
    boolean admits(int stream, long sequence, long clock) {
        return applied.admits(stream, sequence, clock);
    }

    /// Sets the clock of a stream after an update of it; true if the slowest clock rose.
    boolean moved(int stream) {
        return clocks.set(stream, applied.clock(stream));
    }

    /// All updates of `stream` up to this number are applied; of no stream in particular, all that a read could want.
    long upTo(int stream) {
        return stream < 0 ? Long.MAX_VALUE : applied.upTo(stream);
    }

    /// The clock that the updates of a stream have reached.
    long clock(int stream) {
        return applied.clock(stream);
    }

    long slowest() {
        return clocks.slowest();
    }

    boolean isOver(int stream) {
        return applied.clock(stream) >= Clocks.OVER;
    }

    /// Whether everything is applied that a read of a stream must see.
    boolean have(int stream, After after) {
        return after.own() <= upTo(stream) && clocks.reachedBy(after.share()) >= after.everyone();
    }

    /// Tells who waits for a read which stream keeps it waiting.
    Message.Held held(long request) {
        int laggard = clocks.laggard();
        return new Message.Held(request, laggard, clocks.of(laggard));
    }

    /// How many updates of all streams the rows have: where each is applied as it comes, those that came, else those of
    /// the clocks before this one, if each clock is one.
    long updates(long clock) {
        return inOrder ? clock * leases.length : applied.all();
    }

    Applied applied() {
        return applied;
    }

    /// What a newcomer needs to know once it has the rows.
    ///
    /// @param passed how many updates have passed through this copy
    Message.Whole whole(long passed, List<Message.Refused> refused) {
        Applied.Known known = applied.known();
        return new Message.Whole(passed, leases.clone(), known.upTo(), known.clocks(), known.beyond(), refused);
    }

    /// Comes to know it.
    void take(Message.Whole whole) {
        applied.set(new Applied.Known(whole.upTo(), whole.clocks(), whole.beyond()));
        System.arraycopy(whole.leases(), 0, leases, 0, leases.length);
        for (int stream = 0; stream < leases.length; stream++) {
            clocks.set(stream, applied.clock(stream));
        }
    }
}
