package tandem.server;

import java.util.function.LongPredicate;
import tandem.wire.Address;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;

/// Reads of the rows of a seat. Each is answered once everything is applied that it must see, and waits here until
/// then; who keeps rows hears when they change.
final class Reads {

    private final Shards shards;
    private final Streams streams;
    private final Passage passage;
    private final LongPredicate mayAnswer;
    private final Followers followers;
    private HeldReads held;
    private Layout layout = Layout.NONE;

    /// @param mayAnswer whether this copy may speak for the seat at a time
    Reads(Shards shards, Streams streams, Passage passage, Followers followers, LongPredicate mayAnswer) {
        this.shards = shards;
        this.streams = streams;
        this.passage = passage;
        this.followers = followers;
        this.mayAnswer = mayAnswer;
        this.held = new HeldReads(streams.count());
    }

    /// Follows the layout of a new epoch. Who asked in an earlier one asks again in this.
    void place(Layout placed) {
        layout = placed;
        held = new HeldReads(placed.streams());
        followers.clear(shards.owned());
    }

    /// Answers a read now or once it is due; who asks again meanwhile is told whom it waits for.
    void take(Address from, Message.Read read, long nowNanos, Outbox out) {
        if (!mayAnswer.test(nowNanos) || read instanceof Message.Settled && !passage.isSettled()) {
            return; // it is asked again, here or elsewhere: a newcomer that is not settled is a member soon
        }
        if (read.stream() >= streams.count()) {
            throw new IllegalArgumentException(
                    "a read of stream " + read.stream() + "; there are streams 0 to " + (streams.count() - 1));
        }
        HeldReads.Held asked = new HeldReads.Held(from, listed(read));
        if (!answered(asked, out) && !held.add(asked, streams.upTo(read.stream()))) {
            out.send(from, streams.held(read.request()));
        }
    }

    /// Answers what waited for a stream that has moved.
    ///
    /// @param rose whether the slowest clock did
    void moved(int stream, boolean rose, long nowNanos, Outbox out) {
        if (rose && !followers.isEmpty()) {
            followers.refresh(layout, shards.all(), streams.applied(), streams.slowest(), out);
        }
        for (HeldReads.Held read : held.moved(stream, streams.slowest(), rose)) {
            if (mayAnswer.test(nowNanos) && !answered(read, out)) {
                held.add(read, streams.upTo(read.read().stream()));
            }
        }
    }

    void unfollow(Address from, Message.Unfollow unfollow) {
        shards.check(unfollow.parts(), false);
        for (Part part : unfollow.parts()) {
            Shard shard = shards.at(part.table(), part.shard());
            int[] slots = shard.resolve(part, false);
            if (slots != null) {
                followers.unfollow(from, unfollow.request(), part, shard, slots);
            }
        }
    }

    /// What came of an update whose rows are wanted back.
    Message updated(Message.Update update, Part[] parts, int[][] slots) {
        return new Message.Updated(
                update.stream(),
                update.sequence(),
                streams.slowest(),
                shards.read(update.stream(), update.sequence(), parts, slots, false, false));
    }

    /// The same with lists of keys that are of shards here.
    private Message.Read listed(Message.Read read) {
        return switch (read) {
            case Message.Pull pull -> listed(pull);
            case Message.Follow(Message.Pull pull) -> new Message.Follow(listed(pull));
            case Message.Settled(Message.Pull pull) -> new Message.Settled(listed(pull));
            case Message.Compute compute -> compute;
        };
    }

    private Message.Pull listed(Message.Pull pull) {
        return pull.with(shards.pulled(pull.parts()));
    }

    private boolean answered(HeldReads.Held asked, Outbox out) {
        Message.Read read = asked.read();
        if (!streams.have(read.stream(), read.after()) || read instanceof Message.Settled && !passage.isSettled()) {
            return false;
        }
        out.send(
                asked.from(),
                switch (read) {
                    case Message.Pull pull -> rows(pull, out.takesAtOnce(asked.from()));
                    case Message.Follow(Message.Pull pull) -> followed(asked.from(), pull);
                    case Message.Settled(Message.Pull pull) -> rows(pull, out.takesAtOnce(asked.from()));
                    case Message.Compute compute -> shards.compute(compute, streams.slowest());
                });
        return true;
    }

    /// @param lent whether the rows may change once the answer is sent
    private Message rows(Message.Pull pull, boolean lent) {
        int[][] slots = shards.resolve(pull.parts(), pull.make() && passage.isHead());
        return slots == null
                ? new Message.UnknownKeys(true, pull.stream(), pull.request())
                : new Message.Rows(
                        pull.request(),
                        streams.slowest(),
                        streams.updates(streams.slowest()),
                        shards.read(pull.stream(), pull.request(), pull.parts(), slots, lent, pull.held()));
    }

    private Message followed(Address from, Message.Pull pull) {
        if (!(rows(pull, false) instanceof Message.Rows rows)) {
            return new Message.UnknownKeys(true, pull.stream(), pull.request());
        }
        Followers.Kept kept = pull.stream() < 0
                ? Followers.Kept.NOTHING
                : followers.follow(from, pull, shards.all(), shards.resolve(pull.parts(), false));
        return new Message.Followed(kept.refreshes(), kept.absent().toLongArray(), rows);
    }
}
