package tandem.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;

/// Who works on which batches of a round where each counts once, whoever works on it: portions and
/// backup tasks as in Sandblaster (Dean et al. 2012).
///
/// Each worker has an even share at first and is given it piece by piece. One that is through with its
/// own takes from a worker that would need long for what it has left; and when nothing is left, it does
/// again what somebody else has had in hand for too long. Who asks for the next piece is through with
/// the one before, which is its own if nobody was faster. While there is nothing to be given and not all
/// is done, whoever asks waits: a worker that is slow all of a sudden needs somebody to take over.
///
/// Those who ask are known by the number of the order that they carry out. Whoever is gone has its piece
/// in hand for too long sooner or later, or gives it back if it begins anew; that the pieces it was through
/// with are gone too, is for others to see.
final class Portions {

    /// A piece is this part of what is left of a share, so that a share ends with pieces of one batch.
    private static final int PART = 8;

    /// What is left of a share is taken from, if it would take so long, of the time that the round has
    /// taken so far.
    private static final double LONG = 0.1;

    /// A piece is done again once it takes so many times what it takes on average.
    private static final double LATE = 2;

    /// What somebody is told.
    ///
    /// @param number which piece it is for whoever asked, from 1
    /// @param counts whether the piece before is theirs
    record Answer(long order, int number, long from, long to, boolean counts) {}

    /// Batches that were given together. A second one may be at it.
    private static final class Piece {
        final long from;
        final long to;
        boolean done;
        boolean again;

        Piece(long from, long to) {
            this.from = from;
            this.to = to;
        }

        long count() {
            return to - from;
        }
    }

    private static final Piece NONE = new Piece(0, 0);

    /// Who asks: what is left of its share, what it has in hand and since when, and what it has done.
    private static final class Holder {
        long from;
        long to;
        Piece hand;
        long sinceNanos;
        int number;
        boolean counts;
        Answer answer;
        long doneBatches;
        long doneNanos;

        long left() {
            return to - from;
        }

        long inHand() {
            return hand == null ? 1 : hand.count();
        }

        /// How long it takes for a batch, which is longer than it seemed if that in hand takes longer.
        double pace(long nowNanos) {
            double done = doneBatches == 0 ? 0 : (double) doneNanos / doneBatches;
            return Math.max(done, (double) (nowNanos - sinceNanos) / inHand());
        }
    }

    private final TreeMap<Long, Holder> holders = new TreeMap<>();
    private final long beganNanos;
    private long missing;

    /// Pieces of those who began anew, to be done by anyone.
    private final Queue<Piece> returned = new ArrayDeque<>();

    /// What all have done.
    private long doneBatches;

    private long doneNanos;

    /// @param orders those who have a share
    Portions(long count, List<Long> orders, long nowNanos) {
        missing = count;
        beganNanos = nowNanos;
        int of = orders.size();
        for (int k = 0; k < of; k++) {
            Holder holder = new Holder();
            holder.sinceNanos = nowNanos;
            holder.from = count * k / of;
            holder.to = count * (k + 1) / of;
            holders.put(orders.get(k), holder);
        }
    }

    /// Whether every batch counts for somebody.
    boolean isOver() {
        return missing == 0;
    }

    /// Somebody wants its `number`-th piece, again if the answer was lost.
    void ask(long order, int number, long nowNanos) {
        Holder holder = holders.computeIfAbsent(order, _ -> new Holder());
        if (number != holder.number + 1) {
            return;
        }
        holder.number = number;
        holder.answer = null;
        holder.counts = holder.hand != null && !holder.hand.done;
        if (holder.hand != null) {
            long took = nowNanos - holder.sinceNanos;
            holder.doneBatches += holder.hand.count();
            holder.doneNanos += took;
            doneBatches += holder.hand.count();
            doneNanos += took;
        }
        if (holder.counts) {
            holder.hand.done = true;
            missing -= holder.hand.count();
        }
        holder.hand = null;
    }

    /// Somebody knows nothing of what it was given, and asks from the first piece on.
    void anew(long order) {
        Holder holder = holders.get(order);
        if (holder == null) {
            return;
        }
        if (holder.hand != null) {
            returned.add(holder.hand);
        }
        holder.hand = null;
        holder.answer = null;
        holder.number = 0;
    }

    /// What was answered last to one that may not have heard it; null if it has to wait.
    Answer answered(long order) {
        Holder holder = holders.get(order);
        return holder == null ? null : holder.answer;
    }

    /// What those are told who have waited and need not wait any longer.
    List<Answer> answers(long nowNanos) {
        List<Answer> all = new ArrayList<>();
        boolean spare = true; // whether there may be something for who has nothing left itself
        for (Map.Entry<Long, Holder> one : holders.entrySet()) {
            Holder holder = one.getValue();
            if (holder.number == 0 || holder.answer != null || !spare && holder.left() == 0 && !isOver()) {
                continue;
            }
            Piece next = next(holder, nowNanos);
            if (next == null) {
                spare = false;
            } else {
                holder.hand = next == NONE ? null : next;
                holder.sinceNanos = nowNanos;
                holder.answer = new Answer(one.getKey(), holder.number, next.from, next.to, holder.counts);
                all.add(holder.answer);
            }
        }
        return all;
    }

    /// When to see whether somebody who waits is needed; `Long.MAX_VALUE` if nobody does.
    long lookNanos(long nowNanos) {
        boolean waits = holders.values().stream().anyMatch(holder -> holder.number > 0 && holder.answer == null);
        return waits ? nowNanos + Math.max(1_000_000, (nowNanos - beganNanos) / 16) : Long.MAX_VALUE;
    }

    private Piece next(Holder holder, long nowNanos) {
        if (isOver()) {
            return NONE;
        }
        returned.removeIf(piece -> piece.done);
        if (!returned.isEmpty()) {
            return returned.remove();
        }
        if (holder.left() > 0) {
            long end = holder.from + piece(holder);
            Piece own = new Piece(holder.from, end);
            holder.from = end;
            return own;
        }
        Holder slowest = slowest(nowNanos);
        if (slowest != null) {
            // From the far end: its owner comes there last.
            long start = slowest.to - piece(slowest);
            Piece taken = new Piece(start, slowest.to);
            slowest.to = start;
            return taken;
        }
        return late(nowNanos);
    }

    private static long piece(Holder holder) {
        return Math.max(1, holder.left() / PART);
    }

    /// Who would take longest for what is left of its share, if that is long, or the worker has not been
    /// heard for long.
    private Holder slowest(long nowNanos) {
        Holder slowest = null;
        double longest = 0;
        for (Holder other : holders.values()) {
            double takes = other.left() * other.pace(nowNanos);
            boolean matters = takes > LONG * (nowNanos - beganNanos) || over(other, nowNanos) > 0;
            if (other.left() > 0 && matters && takes > longest) {
                slowest = other;
                longest = takes;
            }
        }
        return slowest;
    }

    /// The piece that is most overdue, to be done again; null if there is none.
    private Piece late(long nowNanos) {
        Piece late = null;
        double latest = 0;
        for (Holder other : holders.values()) {
            boolean open = other.hand != null && !other.hand.done && !other.hand.again;
            double over = open ? over(other, nowNanos) : 0;
            if (over > latest) {
                late = other.hand;
                latest = over;
            }
        }
        if (late != null) {
            late.again = true;
        }
        return late;
    }

    /// For how long somebody should have been through with what it has in hand.
    private double over(Holder one, long nowNanos) {
        return nowNanos - one.sinceNanos - LATE * doneNanos / Math.max(1, doneBatches) * one.inHand();
    }
}
