package tandem.server;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import tandem.wire.Address;
import tandem.wire.Codec;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;

/// Makes a newcomer to a chain like the member before it, while updates go on: shard after shard is copied as it is at
/// one moment, and everything goes out in the order in which it happened, so that an update is in a copy or comes after
/// it. Only one shard at a time is held twice.
final class Giving {

    /// How much may be under way.
    private static final int MOST_ITEMS = 32;

    /// How many bytes of updates may wait until they are.
    static final long MOST_BYTES = 32L << 20;

    private final int to;
    private final long since;
    private final long resendNanos;
    private final Iterator<Shard> shards;

    /// What the newcomer has not said it has: numbers from `taken + 1` on, of which so many have been sent.
    private final ArrayDeque<Item> items = new ArrayDeque<>();

    /// Bytes of the updates among them.
    private long updateBytes;

    private boolean behind;
    private long taken;
    private int sent;
    private boolean ended;
    private long movedNanos;

    /// @param updateBytes what it takes, if it is an update; what is copied has a limit of its own
    private record Item(Message what, long updateBytes) {}

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
        Item item = new Item(update.detached(), Codec.length(update));
        items.add(item);
        updateBytes += item.updateBytes;
        behind |= updateBytes > MOST_BYTES;
    }

    /// Whether the newcomer cannot follow: so much waits for it that there should be no more until half is gone.
    boolean isBehind() {
        return behind;
    }

    /// Sends what may go out now.
    ///
    /// @param rest what is sent when all shards are
    /// @return whether that has just been put on its way
    boolean go(long epoch, Supplier<List<Message>> rest, Outbox out) {
        boolean ends = false;
        while (!ended && !behind && items.size() < MOST_ITEMS) {
            if (shards.hasNext()) {
                copy(shards.next());
            } else {
                rest.get().forEach(last -> items.add(new Item(last, 0)));
                ended = true;
                ends = true;
            }
        }
        int place = 0;
        for (Item item : items) {
            if (place == MOST_ITEMS) {
                break;
            }
            if (place++ >= sent) {
                out.send(Address.server(to), new Message.Give(epoch, taken + place, item.what));
                sent = place;
            }
        }
        return ends;
    }

    private void copy(Shard shard) {
        List<Part> parts = shard.copied();
        for (int p = 0; p < parts.size(); p++) {
            items.add(new Item(new Message.Copy(parts.get(p), p + 1 == parts.size()), 0));
        }
    }

    void onTaken(long item, long nowNanos) {
        while (taken < item && !items.isEmpty()) {
            updateBytes -= items.pollFirst().updateBytes;
            behind &= updateBytes > MOST_BYTES / 2;
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
