package tandem.client;

import java.util.function.IntPredicate;
import tandem.consistency.After;
import tandem.filter.Rows;
import tandem.filter.Stack;
import tandem.wire.Address;
import tandem.wire.Age;
import tandem.wire.Figures;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Part;
import tandem.wire.Values;

/// A request that has not been answered by all: what it says to each seat, again and again if need be.
abstract sealed class Request {

    private static final Slice[] NO_SLICES = {};

    /// The stream that it belongs to, or a negative number.
    final int stream;

    /// The number of the update in its stream, or of the read: a read of a new epoch has a new one.
    long number;

    final Ticket ticket = new Ticket(this::awaitedServer);
    final Filtering filtering;
    Slice[] slices;

    /// Which seats have not answered, by number, and how many those are.
    boolean[] awaited = {};

    int missing;

    /// When it was last sent, and how long to wait before sending it again.
    long sentNanos;

    long waitNanos;

    /// Why it will fail once everyone has answered; null if it will not.
    private Refused refused;

    private Plan plan;
    private Layout layout;

    private Request(int stream, long number, Slice[] slices, Filtering filtering) {
        this.stream = stream;
        this.number = number;
        this.slices = slices;
        this.filtering = filtering;
    }

    /// Makes it ask the seats of `layout`, from the start.
    void plan(Layout layout) {
        this.layout = layout;
        plan = Plan.of(layout, slices, isUpdate(), this::filtered);
        awaited = new boolean[plan.seats()];
        missing = 0;
        for (int seat = 0; seat < awaited.length; seat++) {
            if (asks(seat)) {
                awaited[seat] = true;
                missing++;
            }
        }
    }

    boolean isAwaited(int seat) {
        return seat < awaited.length && awaited[seat];
    }

    /// Notes an answer; false if it was not awaited.
    boolean heard(int seat) {
        if (!isAwaited(seat)) {
            return false;
        }
        awaited[seat] = false;
        missing--;
        return true;
    }

    /// Has it fail in the end; the first reason counts.
    void refuse(String why) {
        refused = refused == null ? new Refused(why) : refused;
    }

    /// Tells whoever waits that it is over.
    void end() {
        if (refused == null) {
            ticket.complete();
        } else {
            ticket.fail(refused);
        }
    }

    private Address awaitedServer() {
        for (int seat = 0; seat < awaited.length; seat++) {
            if (awaited[seat]) {
                return answerer(seat);
            }
        }
        return null;
    }

    /// Who answers it for a seat.
    Address answerer(int seat) {
        return layout.head(seat);
    }

    final Layout layout() {
        return layout;
    }

    Part[] parts(int seat) {
        return plan.parts(seat);
    }

    /// Puts the rows of a seat, part by part, where they are wanted: a place for each slice.
    void take(int seat, Values[] values, Values[] places) {
        int slice = 0;
        Part[] parts = parts(seat);
        for (int p = 0; p < parts.length; p++) {
            while (slices[slice].table() != parts[p].table()) {
                slice++;
            }
            put(filtering.unpacked(parts[p], values[p]), parts[p], places[slice]);
        }
    }

    /// Puts the rows of a part where they are wanted; where one was left out, what is there stays.
    private static void put(Stack.Unpacked found, Part part, Values place) {
        if (found.leftOut().isEmpty()) {
            found.values().copyRowsTo(place, part.from(), part.width());
            return;
        }
        int width = part.width();
        for (int from = 0, to; from < part.count(); from = to) {
            from = found.leftOut().nextClearBit(from);
            to = found.leftOut().nextSetBit(from);
            to = to < 0 ? part.count() : to;
            if (from < to) {
                found.values().piece(from * width, (to - from) * width).copyTo(place, (part.from() + from) * width);
            }
        }
    }

    /// Whether it is an update, which every seat must hear of.
    final boolean isUpdate() {
        return switch (this) {
            case Update _, Change _, Claim _ -> true;
            case Pull _, Compute _ -> false;
        };
    }

    /// A part of it as its filters make it.
    Part filtered(Part part) {
        return part;
    }

    /// Whether a seat is asked at all.
    boolean asks(int seat) {
        return true;
    }

    /// Whether it uses a table of which `gone` is true.
    boolean uses(IntPredicate gone) {
        for (Slice slice : slices) {
            if (gone.test(slice.table())) {
                return true;
            }
        }
        return false;
    }

    /// What it says to a seat, with its parts as they are to be sent.
    abstract Message to(long epoch, Part[] parts);

    /// An update: every seat hears its number, with nothing to change or something.
    static final class Update extends Request {

        private final long lease;
        private final long clock;
        private final Age age;

        /// Where the rows go when they come back, by slice; null if they are not wanted.
        private final Values[] back;

        /// By slice, the rows that filters chose to send; null where all are sent.
        private Rows[] chosen;

        Update(
                int stream,
                long number,
                Slice[] slices,
                long lease,
                long clock,
                Age age,
                Values[] back,
                Filtering filtering) {
            super(stream, number, slices, filtering);
            this.lease = lease;
            this.clock = clock;
            this.age = age;
            this.back = back;
            this.chosen = new Rows[slices.length];
        }

        long clock() {
            return clock;
        }

        /// Leaves to the filters which rows are sent now.
        Update chosen() {
            chosen = filtering.chosen(this);
            slices = slices.clone();
            for (int s = 0; s < slices.length; s++) {
                if (chosen[s] != null) {
                    slices[s] = new Slice(slices[s].table(), slices[s].keys(), chosen[s].values());
                }
            }
            return this;
        }

        @Override
        Part filtered(Part part) {
            int slice = 0;
            while (slices[slice].table() != part.table()) {
                slice++;
            }
            return filtering.pushed(this, part, chosen[slice], slices[slice].whole());
        }

        @Override
        Message to(long epoch, Part[] parts) {
            Message.Update update = new Message.Update(epoch, stream, lease, number, clock, age, parts);
            return back == null ? update : new Message.PushPull(update);
        }

        boolean wantsRows() {
            return back != null;
        }

        void take(int seat, Values[] values) {
            take(seat, values, back);
        }
    }

    /// An update by a function: every seat hears its number.
    static final class Change extends Request {

        private final long lease;
        private final long clock;
        private final Call call;

        Change(int stream, long number, long lease, long clock, Call call) {
            super(stream, number, NO_SLICES, null);
            this.lease = lease;
            this.clock = clock;
            this.call = call;
        }

        @Override
        boolean uses(IntPredicate gone) {
            return gone.test(call.table());
        }

        @Override
        Message to(long epoch, Part[] parts) {
            return new Message.Change(
                    epoch, stream, lease, number, clock, call.table(), call.function(), call.arguments());
        }
    }

    /// A claim of a stream that somebody else worked on: every seat hears it, and says how far the stream has come.
    static final class Claim extends Request {

        private final long lease;

        /// The least of what seats have of the stream so far, and the clock reached with that.
        private long upTo = Long.MAX_VALUE;

        private long clock;

        Claim(int stream, long lease) {
            super(stream, -lease, NO_SLICES, null);
            this.lease = lease;
        }

        @Override
        Message to(long epoch, Part[] parts) {
            return new Message.Claim(epoch, stream, lease);
        }

        void take(Message.Claimed claimed) {
            if (claimed.upTo() < upTo) {
                upTo = claimed.upTo();
                clock = claimed.clock();
            }
        }

        long upTo() {
            return upTo;
        }

        long clock() {
            return clock;
        }
    }

    /// A pull: only seats that hold some of the keys are asked.
    static final class Pull extends Request {

        final After after;
        private final boolean make;
        private final boolean held;
        final Use use;

        /// What becomes of the rows besides being handed out: nothing, or they are kept for later reads, or followed
        /// as well.
        enum Use {
            ONCE,
            /// The same, of what all copies have.
            SETTLED,
            KEEP,
            FOLLOW
        }

        /// @param held whether its places have the rows as they were before their last step
        Pull(
                int stream,
                long number,
                Slice[] slices,
                After after,
                boolean make,
                boolean held,
                Use use,
                Filtering filtering) {
            super(stream, number, slices, filtering);
            this.after = after;
            this.make = make;
            this.held = held;
            this.use = use;
        }

        @Override
        Part filtered(Part part) {
            return filtering.pulled(part);
        }

        @Override
        boolean asks(int seat) {
            return parts(seat).length > 0;
        }

        @Override
        Message to(long epoch, Part[] parts) {
            Message.Pull pull = new Message.Pull(epoch, number, stream, after, makes(), held, parts);
            return switch (use) {
                case ONCE, KEEP -> pull;
                case SETTLED -> new Message.Settled(pull);
                case FOLLOW -> new Message.Follow(pull);
            };
        }

        @Override
        Address answerer(int seat) {
            return use == Use.SETTLED ? layout().tail(seat) : super.answerer(seat);
        }

        /// The rows of a part, once they have been taken.
        Values rows(Part part) {
            int slice = 0;
            while (slices[slice].table() != part.table()) {
                slice++;
            }
            return slices[slice].values().piece(part.from() * part.width(), part.count() * part.width());
        }

        /// Whether servers make rows for its keys, and so remember its lists: only those who then tell other copies.
        boolean makes() {
            return make && use != Use.SETTLED;
        }

        void take(int seat, Values[] values) {
            Values[] places = new Values[slices.length];
            for (int s = 0; s < slices.length; s++) {
                places[s] = slices[s].values();
            }
            take(seat, values, places);
        }
    }

    /// A call of a function: only seats that hold shards of the table are asked.
    static final class Compute extends Request {

        private final After after;
        private final Call call;

        /// The seat of each shard, and what the function made of it.
        private int[] owners = {};

        private Figures[] results = {};

        Compute(int stream, long number, After after, Call call) {
            super(stream, number, NO_SLICES, null);
            this.after = after;
            this.call = call;
        }

        @Override
        void plan(Layout layout) {
            owners = layout.owners()[call.table()];
            results = new Figures[owners.length];
            super.plan(layout);
        }

        @Override
        boolean asks(int seat) {
            for (int owner : owners) {
                if (owner == seat) {
                    return true;
                }
            }
            return false;
        }

        @Override
        boolean uses(IntPredicate gone) {
            return gone.test(call.table());
        }

        @Override
        Message to(long epoch, Part[] parts) {
            return new Message.Compute(epoch, number, stream, after, call.table(), call.function(), call.arguments());
        }

        /// Notes what a seat made of its shards, which come in their order.
        void take(int seat, Figures[] made) {
            int at = 0;
            for (int shard = 0; shard < owners.length; shard++) {
                if (owners[shard] == seat) {
                    results[shard] = made[at++];
                }
            }
        }

        Figures[] results() {
            return results;
        }
    }
}
