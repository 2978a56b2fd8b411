package tandem.cluster;

import java.util.TreeMap;
import java.util.function.BiConsumer;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;

/// The batches that workers share while they carry out orders: who asks is given the next piece, and the same again if
/// it asks again.
final class Sharing {

    /// What it asks to be woken with, to [#shareOut].
    static final long WAKE = -2;

    /// By the number of an order: the batches that those who carry it out share.
    private final TreeMap<Long, Ranges> ranges = new TreeMap<>();

    /// The batches of which each counts once, of the round that is under way; null if there are none.
    private Portions portions;

    /// Whether all count for somebody, and those who are not done were told.
    private boolean left;

    private final BiConsumer<Coordinator.Round, Outbox> leave;

    /// @param leave tells those who are not done with a round to leave the rest of it
    Sharing(BiConsumer<Coordinator.Round, Outbox> leave) {
        this.leave = leave;
    }

    /// Deals batches evenly to those who carry out a round, workers from number 0 on.
    void deal(long batches, Coordinator.Round round) {
        Ranges shares = new Ranges(batches, round.orders().size());
        round.orders().forEach(order -> ranges.put(order.number(), shares));
    }

    /// Nobody asks for more of an order.
    void forget(long order) {
        ranges.remove(order);
    }

    /// Has those who carry out a round, which others may join, share batches of which each counts once; until the next
    /// such round, or [#end].
    void begin(Coordinator.Round round, long batches, long nowNanos) {
        left = false;
        portions = new Portions(
                batches, round.orders().stream().map(Coordinator.Order::number).toList(), nowNanos);
    }

    /// A node has begun anew, and knows nothing of what it was given, nor whether all count for somebody.
    ///
    /// @param standing the round that others may join; null for none
    void anew(Address node, Coordinator.Round standing) {
        left = false;
        if (portions != null && standing != null) {
            standing.orders().stream()
                    .filter(order -> order.to().equals(node))
                    .forEach(order -> portions.anew(order.number()));
        }
    }

    /// No round shares batches of which each counts once.
    void end() {
        portions = null;
    }

    /// Answers who asks for the next piece of an order, now or once there is one for it.
    ///
    /// @param standing the round that others may join; null for none
    void ask(Address from, Message.Ask ask, Coordinator.Round standing, long nowNanos, Outbox out) {
        Ranges shares = ranges.get(ask.order());
        if (shares != null) {
            Ranges.Range range = shares.give(from.number(), ask.number());
            out.send(from, new Message.Given(ask.order(), ask.number(), range.from(), range.to(), true));
        } else if (portions != null && standing != null && isOf(standing, ask.order())) {
            Portions.Answer before = portions.answered(ask.order());
            if (before != null && before.number() == ask.number()) {
                out.send(from, given(before));
            } else {
                portions.ask(ask.order(), ask.number(), nowNanos);
                shareOut(standing, nowNanos, out);
            }
        }
    }

    private static boolean isOf(Coordinator.Round round, long order) {
        return round.orders().stream().anyMatch(one -> one.number() == order);
    }

    /// Gives portions to those who wait for one, as far as there are any. Once all count for somebody, who is not done
    /// leaves the rest.
    void shareOut(Coordinator.Round standing, long nowNanos, Outbox out) {
        if (portions == null || standing == null) {
            return;
        }
        for (Portions.Answer answer : portions.answers(nowNanos)) {
            standing.orders().stream()
                    .filter(order -> order.number() == answer.order())
                    .forEach(order -> out.send(order.to(), given(answer)));
        }
        if (portions.isOver() && !left) {
            left = true;
            leave.accept(standing, out);
        }
        long look = portions.lookNanos(nowNanos);
        if (look < Long.MAX_VALUE) {
            out.wakeAt(look, WAKE);
        }
    }

    private static Message.Given given(Portions.Answer answer) {
        return new Message.Given(answer.order(), answer.number(), answer.from(), answer.to(), answer.counts());
    }
}
