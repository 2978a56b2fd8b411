package tandem.server;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;

/// Makes a newcomer to a chain like the member before it, while updates go on: shard after shard is copied as it is at
/// one moment, and everything goes out in the order in which it happened, so that an update is in a copy or comes after
/// it. Only one shard at a time is held twice.
final class Giving {

    /// How much may be under way.
    private static final int MOST_ITEMS = 32;

    private final int to;
    private final long since;
    private final long resendNanos;
    private final Iterator<Shard> shards;

    /// What the newcomer has not said it has: numbers from `taken + 1` on, of which so many have been sent.
    private final ArrayDeque<Message> items = new ArrayDeque<>();

    private long taken;
    private int sent;
    private boolean ended;
    private long movedNanos;

    /// @param since  the epoch in which the newcomer came
    /// @param shards what it has to be given
    Giving(int to, long since, List<Shard> shards, long resendNanos) {
        this.to = to;
        this.since = since;
        this.shards = List.copyOf(shards).iterator();
        this.resendNanos = resendNanos;
    }

    boolean isTo(int server, long sinceEpoch) {
        return to == server && since == sinceEpoch;
    }

    /// Whether the newcomer is told of updates as any member is, because everything before has been put on its way.
    boolean isEnded() {
        return ended;
    }

    /// An update has been applied here. Whoever made it may use its arrays again before it has gone out.
    void add(Message update) {
        items.add(update.detached());
    }

    /// Sends what may go out now.
    ///
    /// @param rest what is sent when all shards are
    /// @return whether that has just been put on its way
    boolean go(long epoch, Supplier<List<Message>> rest, Outbox out) {
        boolean ends = false;
        while (!ended && items.size() < MOST_ITEMS) {
            if (shards.hasNext()) {
                copy(shards.next());
            } else {
                items.addAll(rest.get());
                ended = true;
                ends = true;
            }
        }
        int place = 0;
        for (Message item : items) {
            if (place == MOST_ITEMS) {
                break;
            }
            if (place++ >= sent) {
                out.send(Address.server(to), new Message.Give(epoch, taken + place, item));
                sent = place;
            }
        }
        return ends;
    }

    private void copy(Shard shard) {
        List<Part> parts = shard.copied();
        for (int p = 0; p < parts.size(); p++) {
            items.add(new Message.Copy(parts.get(p), p + 1 == parts.size()));
        }
    }

    void onTaken(long item, long nowNanos) {
        while (taken < item && !items.isEmpty()) {
            items.pollFirst();
            taken++;
            sent = Math.max(0, sent - 1);
            movedNanos = nowNanos;
        }
    }

    /// Has everything sent again that the newcomer has not said it has, because a new epoch has begun.
    void again() {
        sent = 0;
    }

    /// Has it sent again if nothing moved for too long. True while something is under way.
    boolean resend(long nowNanos) {
        if (nowNanos - movedNanos >= resendNanos) {
            movedNanos = nowNanos;
            sent = 0;
        }
        return !items.isEmpty();
    }
}
