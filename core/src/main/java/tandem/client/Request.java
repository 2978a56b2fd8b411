package tandem.client;

import java.util.function.IntPredicate;
import tandem.consistency.After;
import tandem.filter.Rows;
import tandem.wire.Address;
import tandem.wire.Figures;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Part;
import tandem.wire.Values;

/// A request that has not been answered by all: what it says to each server, again and again if need be.
abstract sealed class Request {

    private static final Slice[] NO_SLICES = {};

    /// The stream that it belongs to, or a negative number.
    final int stream;

    /// The number of the update in its stream, or of the read: a read of a new epoch has a new one.
    long number;

    final Ticket ticket = new Ticket(this::awaitedServer);
    final Filtering filtering;
    Slice[] slices;

    /// Which servers have not answered, by number, and how many those are.
    boolean[] awaited = {};

    int missing;

    /// When it was last sent, and how long to wait before sending it again.
    long sentNanos;

    long waitNanos;

    /// Why it will fail once everyone has answered; null if it will not.
    private Refused refused;

    private Plan plan;

    private Request(int stream, long number, Slice[] slices, Filtering filtering) {
        this.stream = stream;
        this.number = number;
        this.slices = slices;
        this.filtering = filtering;
    }

    /// Makes it ask the servers of `layout`, from the start.
    void plan(Layout layout) {
        plan = Plan.of(layout, slices, isUpdate(), this::filtered);
        awaited = new boolean[plan.servers()];
        missing = 0;
        for (int server = 0; server < plan.servers(); server++) {
            if (plan.reaches(server) && asks(layout, server)) {
                awaited[server] = true;
                missing++;
            }
        }
    }

    boolean isAwaited(int server) {
        return server < awaited.length && awaited[server];
    }

    /// Notes an answer; false if it was not awaited.
    boolean heard(int server) {
        if (!isAwaited(server)) {
            return false;
        }
        awaited[server] = false;
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
        for (int server = 0; server < awaited.length; server++) {
            if (awaited[server]) {
                return Address.server(server);
            }
        }
        return null;
    }

    Part[] parts(int server) {
        return plan.parts(server);
    }

    /// Puts the rows of a server, part by part, where they are wanted: a place for each slice.
    void take(int server, Values[] values, Values[] places) {
        int slice = 0;
        Part[] parts = parts(server);
        for (int p = 0; p < parts.length; p++) {
            while (slices[slice].table() != parts[p].table()) {
                slice++;
            }
            filtering.unpacked(parts[p], values[p]).copyRowsTo(places[slice], parts[p].from(), parts[p].width());
        }
    }

    /// A part of it as its filters make it.
    abstract Part filtered(Part part);

    /// Whether it is an update, which every server must hear of.
    abstract boolean isUpdate();

    /// Whether a server is asked at all.
    abstract boolean asks(Layout layout, int server);

    /// Whether it uses a table of which `gone` is true.
    boolean uses(IntPredicate gone) {
        for (Slice slice : slices) {
            if (gone.test(slice.table())) {
                return true;
            }
        }
        return false;
    }

    /// What it says to a server, with its parts as they are to be sent.
    abstract Message to(long epoch, Part[] parts);

    /// An update: every server hears its number, with nothing to change or something.
    static final class Update extends Request {

        private final long lease;
        private final long clock;

        /// Where the rows go when they come back, by slice; null if they are not wanted.
        private final Values[] back;

        /// By slice, the rows that filters chose to send; null where all are sent.
        private Rows[] chosen;

        Update(int stream, long number, Slice[] slices, long lease, long clock, Values[] back, Filtering filtering) {
            super(stream, number, slices, filtering);
            this.lease = lease;
            this.clock = clock;
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
            return filtering.pushed(this, part, chosen[slice]);
        }

        @Override
        boolean isUpdate() {
            return true;
        }

        @Override
        boolean asks(Layout layout, int server) {
            return true;
        }

        @Override
        Message to(long epoch, Part[] parts) {
            Message.Update update = new Message.Update(epoch, stream, lease, number, clock, parts);
            return back == null ? update : new Message.PushPull(update);
        }

        boolean wantsRows() {
            return back != null;
        }

        void take(int server, Values[] values) {
            take(server, values, back);
        }
    }

    /// An update by a function: every server hears its number.
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
        Part filtered(Part part) {
            return part;
        }

        @Override
        boolean isUpdate() {
            return true;
        }

        @Override
        boolean asks(Layout layout, int server) {
            return true;
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

    /// A pull: only servers that hold some of the keys are asked.
    static final class Pull extends Request {

        final After after;
        private final boolean make;
        final Use use;

        /// What becomes of the rows besides being handed out: nothing, or they are kept for later reads, or followed
        /// as well.
        enum Use {
            ONCE,
            KEEP,
            FOLLOW
        }

        Pull(int stream, long number, Slice[] slices, After after, boolean make, Use use, Filtering filtering) {
            super(stream, number, slices, filtering);
            this.after = after;
            this.make = make;
            this.use = use;
        }

        @Override
        Part filtered(Part part) {
            return filtering.pulled(part);
        }

        @Override
        boolean isUpdate() {
            return false;
        }

        @Override
        boolean asks(Layout layout, int server) {
            return parts(server).length > 0;
        }

        @Override
        Message to(long epoch, Part[] parts) {
            Message.Pull pull = new Message.Pull(epoch, number, stream, after, make, parts);
            return use == Use.FOLLOW ? new Message.Follow(pull) : pull;
        }

        /// The rows of a part, once they have been taken.
        Values rows(Part part) {
            int slice = 0;
            while (slices[slice].table() != part.table()) {
                slice++;
            }
            return slices[slice].values().piece(part.from() * part.width(), part.count() * part.width());
        }

        /// Whether servers make rows for its keys, and so remember its lists.
        boolean makes() {
            return make;
        }

        void take(int server, Values[] values) {
            Values[] places = new Values[slices.length];
            for (int s = 0; s < slices.length; s++) {
                places[s] = slices[s].values();
            }
            take(server, values, places);
        }
    }

    /// A call of a function: only servers that hold shards of the table are asked.
    static final class Compute extends Request {

        private final After after;
        private final Call call;

        /// The server of each shard, and what the function made of it.
        private int[] owners = {};

        private Figures[] results = {};

        Compute(int stream, long number, After after, Call call) {
            super(stream, number, NO_SLICES, null);
            this.after = after;
            this.call = call;
        }

        @Override
        Part filtered(Part part) {
            return part;
        }

        @Override
        void plan(Layout layout) {
            owners = layout.owners()[call.table()];
            results = new Figures[owners.length];
            super.plan(layout);
        }

        @Override
        boolean isUpdate() {
            return false;
        }

        @Override
        boolean asks(Layout layout, int server) {
            for (int owner : owners) {
                if (owner == server) {
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

        /// Notes what a server made of its shards, which come in their order.
        void take(int server, Figures[] made) {
            int at = 0;
            for (int shard = 0; shard < owners.length; shard++) {
                if (owners[shard] == server) {
                    results[shard] = made[at++];
                }
            }
        }

        Figures[] results() {
            return results;
        }
    }
}
