package tandem.wire;

import java.util.List;
import tandem.consistency.After;

/// Everything that nodes say to each other.
///
/// Every message of the data path carries the epoch of the layout it was made for: a node of another epoch
/// answers [Fenced] and does nothing.
public sealed interface Message {

    /// What is said to, or by, a server about one of the seats it holds. Never about another of these.
    record Seated(int seat, Message message) implements Message {}

    /// Update number `sequence` of a stream, to one seat: what it changes there, if anything, and the clock that
    /// the stream has reached with it. Every seat gets every number once, so that a gap is a loss.
    record Update(long epoch, int stream, long lease, long sequence, long clock, Age age, Part[] parts)
            implements Message {

        /// One that was computed from nobody knows what.
        public Update(long epoch, int stream, long lease, long sequence, long clock, Part[] parts) {
            this(epoch, stream, lease, sequence, clock, Age.UNKNOWN, parts);
        }

        /// The same with its parts said otherwise.
        public Update with(Part[] other) {
            return new Update(epoch, stream, lease, sequence, clock, age, other);
        }

        /// The same where so many updates have been applied.
        public Update met(long updates) {
            return age.isKnown() ? new Update(epoch, stream, lease, sequence, clock, age.met(updates), parts) : this;
        }
    }

    /// Some parts of update `sequence` of a stream, from number `from` of them on, ahead of the rest: so that a chain
    /// can pass them on while others are still coming.
    record Ahead(long epoch, int stream, long lease, long sequence, int from, Part[] parts) implements Message {

        /// The same with its parts said otherwise.
        public Ahead with(Part[] other) {
            return new Ahead(epoch, stream, lease, sequence, from, other);
        }
    }

    /// An update of which so many parts went [Ahead], and here are the others.
    record Rest(int ahead, Update update) implements Message {}

    /// Updates of several streams as one, from a member of a chain to the next: their sum.
    ///
    /// @param of    of each of them: stream, lease, number, clock, and so on
    /// @param parts what they change together; a shard may be there more than once, where rows have no sum
    record Merged(long[] of, Part[] parts) implements Message {

        /// How many numbers tell of an update.
        public static final int NUMBERS = 4;

        /// The same with its parts said otherwise.
        public Merged with(Part[] other) {
            return new Merged(of, other);
        }

        public int count() {
            return of.length / NUMBERS;
        }

        /// The stream of update `u` of them.
        public int stream(int u) {
            return Math.toIntExact(of[NUMBERS * u]);
        }

        public long lease(int u) {
            return of[NUMBERS * u + 1];
        }

        public long sequence(int u) {
            return of[NUMBERS * u + 2];
        }

        public long clock(int u) {
            return of[NUMBERS * u + 3];
        }
    }

    /// The update has been applied, now or before.
    record Applied(int stream, long sequence) implements Message {}

    /// An update whose rows are wanted back, as they are after it: a push and a pull in one.
    record PushPull(Update update) implements Message {}

    /// The update has been applied, now or before, and these are its rows, part by part, as they are now.
    record Updated(int stream, long sequence, long slowest, Values... values) implements Message {}

    /// Update number `sequence` of a stream, made by a function that each seat runs over its rows of a table.
    record Change(
            long epoch, int stream, long lease, long sequence, long clock, int table, String function, Figures with)
            implements Message {}

    /// Who has this lease of a stream works on it from now on; nobody who has an earlier one does.
    record Claim(long epoch, int stream, long lease) implements Message {}

    /// So it is at this seat, and `upTo` is the last update of the stream of which it has all before; with that the
    /// stream reached `clock`.
    record Claimed(int stream, long lease, long upTo, long clock) implements Message {}

    /// Update number `number` of a seat, from a member of its chain to the next: an [Update], the [Rest] of one, a
    /// [Merged], a [Change] or a [Claim].
    record Forward(long epoch, long number, Message update) implements Message {}

    /// All updates of a seat up to this number are with the sender and with all members of the chain after it.
    record Stored(long epoch, long number) implements Message {}

    /// The `item`-th of what makes a newcomer to a chain like the others: a [Copy], an [Update], [Merged], [Change] or
    /// [Claim] that was applied meanwhile, a [Forward] of one that is kept until its clock is over, and in the end
    /// [Whole].
    record Give(long epoch, long item, Message what) implements Message {}

    /// The newcomer has had everything up to this item.
    record Taken(long epoch, long item) implements Message {}

    /// Rows of a shard with all that the rule remembers of them.
    ///
    /// @param last whether these are the last of the shard
    record Copy(Part part, boolean last) implements Message {}

    /// The newcomer has all shards now, as they are after update `number` of the seat; and this is what the seat
    /// remembers besides them.
    ///
    /// @param leases by stream, the latest lease
    /// @param upTo   by stream, the updates of which all are applied
    /// @param clocks by stream, the clock reached with those
    /// @param beyond of other updates that are applied: stream, number, clock, and so on
    /// @param refused why the last of those were refused that were
    record Whole(long number, long[] leases, long[] upTo, long[] clocks, long[] beyond, List<Refused> refused)
            implements Message {}

    /// A newcomer, in this epoch, has got everything of a seat.
    record CaughtUp(long epoch, int seat) implements Message {}

    /// A server wants to answer reads for a while from `stamp` on, by its own clock.
    record Renew(long epoch, long stamp) implements Message {}

    /// It may: the coordinator will not have anybody else answer them meanwhile.
    record Renewed(long stamp) implements Message {}

    /// What reads, once what it comes after is finished.
    sealed interface Read extends Message {

        long epoch();

        long request();

        int stream();

        After after();
    }

    /// Asks for the rows of some keys, once what it comes `after` is finished.
    ///
    /// @param stream the stream that the reader works on; negative for a reader outside all streams
    /// @param make whether keys that have no row get one, because an update of the same list follows
    /// @param held whether the reader has the rows as they were before their last step, so that filters may leave
    ///             out those which that left alone
    record Pull(long epoch, long request, int stream, After after, boolean make, boolean held, Part[] parts)
            implements Read {

        public Pull(long epoch, long request, int stream, After after, boolean make, Part[] parts) {
            this(epoch, request, stream, after, make, false, parts);
        }

        /// The same with its parts said otherwise.
        public Pull with(Part[] other) {
            return other == parts ? this : new Pull(epoch, request, stream, after, make, held, other);
        }
    }

    /// The rows that a pull asked for, one by one of its parts, how far the slowest stream was when they were read, and
    /// how many updates had been applied.
    record Rows(long request, long slowest, long updates, Values... values) implements Message {}

    /// Asks for what a function makes of the rows of a table, shard by shard.
    record Compute(long epoch, long request, int stream, After after, int table, String function, Figures with)
            implements Read {}

    /// What a function made of each shard that the server holds, ascending.
    record Computed(long request, long slowest, Figures... results) implements Message {}

    /// What was asked for cannot be done, and asking again will not help. A refused change counts as applied.
    record Refused(boolean inRead, int stream, long number, String why) implements Message {}

    /// A pull whose rows the reader keeps: it is told whenever everyone has moved on, with the rows that changed.
    record Follow(Pull pull) implements Read {

        @Override
        public long epoch() {
            return pull.epoch;
        }

        @Override
        public long request() {
            return pull.request;
        }

        @Override
        public int stream() {
            return pull.stream;
        }

        @Override
        public After after() {
            return pull.after;
        }
    }

    /// A pull of what all members of a chain have, from the last of them: no later one, wherever it is answered, gives
    /// less.
    record Settled(Pull pull) implements Read {

        @Override
        public long epoch() {
            return pull.epoch;
        }

        @Override
        public long request() {
            return pull.request;
        }

        @Override
        public int stream() {
            return pull.stream;
        }

        @Override
        public After after() {
            return pull.after;
        }
    }

    /// The rows of a [Follow], and how many times the reader was told before of changes here; −1 if the rows are not
    /// followed after all, because there is no room to remember who keeps them.
    ///
    /// @param absent of all rows of the pull, counted on from part to part, a bit for each that is not followed
    ///               because there is no such row yet; as the words of a [java.util.BitSet]
    record Followed(long refreshes, long[] absent, Rows rows) implements Message {}

    /// The slowest stream has moved on to `slowest`: the rows in `parts` changed since the refresh before, all others
    /// that the reader follows here did not. A part without values names rows that are gone, and followed no more.
    ///
    /// @param number counts the refreshes of one reader, so that a gap is a loss
    /// @param own    all updates of the reader's own stream up to this one are in the rows
    /// @param beyond those above `own` that are in them as well
    record Refresh(long epoch, long number, long slowest, long own, long[] beyond, Part[] parts) implements Message {}

    /// The reader no longer keeps these rows, unless it asked for them after pull number `request`.
    record Unfollow(long epoch, long request, Part[] parts) implements Message {}

    /// A list came by its signature and is not known here: send it again with the keys.
    record UnknownKeys(boolean inPull, int stream, long number) implements Message {}

    /// A pull is still held back, because `stream` has only reached `clock`.
    record Held(long request, int stream, long clock) implements Message {}

    /// A message was for another epoch than the one here, or its stream has a later lease by now.
    record Fenced(long epoch, int stream, long lease) implements Message {}

    /// A node is there, in its `incarnation`-th life, and can be reached at `place`.
    ///
    /// @param pid the number of its process, or 0
    record Join(long incarnation, String place, long pid) implements Message {}

    /// Somebody wants something done with the cluster, or to know of it.
    ///
    /// @param number which node it is about; less than 0 for none
    record Manage(long request, String what, int number) implements Message {}

    /// It is done, or cannot be: then it says why.
    record Managed(long request, boolean failed, String text) implements Message {}

    /// The layout of a new epoch, where each of its servers can be reached, and the streams that the receiver works on.
    ///
    /// @param incarnation which life of the receiver is meant, because another has nothing of what that one held; 0
    ///                    for whoever gets it
    record Placed(Layout layout, String[] places, Lease[] leases, long incarnation) implements Message {

        /// The same for whoever gets it.
        public Placed(Layout layout, String[] places, Lease[] leases) {
            this(layout, places, leases, 0);
        }
    }

    /// Asks the coordinator for another table; answered with [Laid] once everyone knows it.
    record Create(long request, TableSpec table) implements Message {}

    /// Asks the coordinator to drop a table; answered with [Laid] once everyone knows.
    record Drop(long request, String table) implements Message {}

    /// The tables are as was asked for, or cannot be: then it says why.
    record Laid(long request, String refused) implements Message {}

    /// A node is alive, has the layout of this epoch, and has learned from so many examples, with this loss in all.
    record Heartbeat(long epoch, long examples, double loss) implements Message {}

    /// Do this, once; answered with [Done] of the same number.
    record Order(long number, byte[] what) implements Message {}

    /// An order is carried out, or could not be.
    record Done(long number, boolean failed, byte[] result) implements Message {}

    /// What holds for a worker from now on, whatever it is doing; the latest number counts. Answered with [Guided].
    ///
    /// @param enough      the order of which enough is done: what is left of it is to be left
    /// @param consistency what reads wait for from now on, by its name; null for no change
    record Guide(long number, long enough, String consistency) implements Message {}

    /// The guide of this number, or a later one, holds here.
    record Guided(long number) implements Message {}

    /// Asks for the `number`-th range of batches to work on for an order, from 1.
    record Ask(long order, int number) implements Message {}

    /// The `number`-th range for an order: batches `from` until `to` of the pass; none where the two are
    /// equal, and then there are no more. `counts` says whether the range before it is this node's: where
    /// others may work on the same, it is that of whoever is through with it first.
    record Given(long order, int number, long from, long to, boolean counts) implements Message {}

    /// A worker wants to know where the other workers are.
    record Meet() implements Message {}

    /// Where each worker can be reached, by its number.
    record Met(String[] places) implements Message {}

    /// A piece of sum `number` over all workers, of arrays of `length` numbers.
    ///
    /// @param topology which way the sum goes
    /// @param index    which of the pieces that its sender has for its receiver
    record Piece(long number, int topology, int length, int index, Values values) implements Message {}

    /// A worker lacks pieces of a sum that the receiver has for it: all but those whose bit is set in `have`.
    record Wanted(long number, long[] have) implements Message {}

    /// A worker has all pieces of a sum that the receiver has for it.
    record Got(long number) implements Message {}

    /// All pieces of a sum that there are so far have been sent; answered with [Got] by who has everything.
    record Sent(long number) implements Message {}

    /// The same with arrays of its own where the sender may use its own again: what a link that passes references
    /// must do unless each message is received exactly once.
    default Message detached() {
        return switch (this) {
            case Seated(int seat, Message message) -> new Seated(seat, message.detached());
            case Forward(long epoch, long number, Message update) -> new Forward(epoch, number, update.detached());
            case Give(long epoch, long item, Message what) -> new Give(epoch, item, what.detached());
            case Copy(Part part, boolean last) -> new Copy(part.detached(), last);
            case Update update -> update.with(detached(update.parts));
            case Pull pull -> pull.with(detached(pull.parts));
            case Ahead ahead -> ahead.with(detached(ahead.parts));
            case Rest(int ahead, Update update) -> new Rest(ahead, (Update) update.detached());
            case Merged merged -> merged.with(detached(merged.parts));
            case PushPull(Update update) -> new PushPull((Update) update.detached());
            case Follow(Pull pull) -> new Follow((Pull) pull.detached());
            case Settled(Pull pull) -> new Settled((Pull) pull.detached());
            case Refresh(long epoch, long number, long slowest, long own, long[] beyond, Part[] parts) ->
                new Refresh(epoch, number, slowest, own, beyond, detached(parts));
            case Unfollow(long epoch, long request, Part[] parts) -> new Unfollow(epoch, request, detached(parts));
            case Applied _,
                    Claim _,
                    Claimed _,
                    Stored _,
                    Taken _,
                    Whole _,
                    CaughtUp _,
                    Renew _,
                    Manage _,
                    Managed _,
                    Renewed _,
                    Updated _,
                    Change _,
                    Rows _,
                    Compute _,
                    Computed _,
                    Refused _,
                    Followed _,
                    Meet _,
                    Met _,
                    Piece _,
                    Wanted _,
                    Got _,
                    Sent _,
                    UnknownKeys _,
                    Held _,
                    Fenced _,
                    Join _,
                    Placed _,
                    Create _,
                    Drop _,
                    Laid _,
                    Heartbeat _,
                    Order _,
                    Done _,
                    Guide _,
                    Guided _,
                    Ask _,
                    Given _ -> this;
        };
    }

    private static Part[] detached(Part[] parts) {
        Part[] own = new Part[parts.length];
        for (int p = 0; p < parts.length; p++) {
            own[p] = parts[p].detached();
        }
        return own;
    }
}
