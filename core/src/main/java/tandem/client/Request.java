package tandem.client;

import tandem.consistency.After;
import tandem.wire.Address;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Part;
import tandem.wire.Values;

/// A request that has not been answered by all: what it says to each server, again and again if need be.
abstract sealed class Request {

    /// The stream, and the number of the update in it or of the pull.
    final int stream;

    final long number;
    final Ticket ticket = new Ticket(this::awaitedServer);
    final Slice[] slices;

    /// Which servers have not answered, by number, and how many those are.
    boolean[] awaited = {};

    int missing;

    /// When it was last sent, and how long to wait before sending it again.
    long sentNanos;

    long waitNanos;
    private Plan plan;

    private Request(int stream, long number, Slice[] slices) {
        this.stream = stream;
        this.number = number;
        this.slices = slices;
    }

    /// Makes it ask the `servers` of `layout`, from the start.
    void plan(Layout layout, int[] servers) {
        plan = Plan.of(layout, servers, slices, this instanceof Update);
        awaited = new boolean[plan.servers()];
        missing = 0;
        for (int server = 0; server < plan.servers(); server++) {
            if (plan.reaches(server) && concerns(plan.parts(server))) {
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

    /// Whether a server with these parts is asked at all.
    abstract boolean concerns(Part[] parts);

    /// What it says to a server, with its parts as they are to be sent.
    abstract Message to(int server, long epoch, Part[] parts);

    /// An update: every server hears its number, with nothing to change or something.
    static final class Update extends Request {

        private final long lease;
        private final long clock;

        Update(int stream, long number, Slice[] slices, long lease, long clock) {
            super(stream, number, slices);
            this.lease = lease;
            this.clock = clock;
        }

        @Override
        boolean concerns(Part[] parts) {
            return true;
        }

        @Override
        Message to(int server, long epoch, Part[] parts) {
            return new Message.Update(epoch, stream, lease, number, clock, parts);
        }
    }

    /// A pull: only servers that hold some of the keys are asked.
    static final class Pull extends Request {

        private final After after;
        private final boolean make;

        Pull(int stream, long number, Slice[] slices, After after, boolean make) {
            super(stream, number, slices);
            this.after = after;
            this.make = make;
        }

        @Override
        boolean concerns(Part[] parts) {
            return parts.length > 0;
        }

        @Override
        Message to(int server, long epoch, Part[] parts) {
            return new Message.Pull(epoch, number, stream, after, make, parts);
        }

        /// Whether servers make rows for its keys, and so remember its lists.
        boolean makes() {
            return make;
        }

        /// Puts the rows of a server where the slices want them.
        void take(int server, Values[] values) {
            int slice = 0;
            Part[] parts = parts(server);
            for (int p = 0; p < parts.length; p++) {
                while (slices[slice].table() != parts[p].table()) {
                    slice++;
                }
                values[p].copyTo(slices[slice].values(), parts[p].from() * parts[p].width());
            }
        }
    }
}
