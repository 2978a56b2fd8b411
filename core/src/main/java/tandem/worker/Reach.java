package tandem.worker;

import java.util.Map;
import java.util.TreeMap;
import tandem.client.Rationed;
import tandem.client.Session;
import tandem.client.SharedRows;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.consistency.After;
import tandem.consistency.Consistency;
import tandem.wire.Age;

/// How a loop reaches its tables: asks for every row each time, keeps rows that servers refresh, keeps changes back for
/// a while, or says apart when a clock is over.
sealed interface Reach {

    Ticket pull(int stream, After after, Slice... slices);

    /// Sends a change of rows that were read, with which the stream reaches `clock`; done when the arrays are free.
    ///
    /// @param age of the rows that were read; it travels with a change that is sent at once
    Ticket update(int stream, long clock, Age age, Slice[] read, Slice[] change);

    /// Has a stream reach `clock`, with all that is still to be sent.
    default void end(int stream, long clock) {
        update(stream, clock, Age.UNKNOWN, new Slice[0], new Slice[0]);
    }

    /// Rows are kept with an eager consistency, for the one stream whose updates they are counted by.
    static Reach of(Session session, MinibatchLoop.Beat beat) {
        int[] streams = session.streams();
        Consistency consistency = beat.consistency();
        if (beat.inOrder()) {
            return new Ticking(session);
        }
        if (beat.bytesPerSecond() > 0) {
            return Budgeted.of(session, beat.bytesPerSecond());
        }
        return consistency.isEager() && streams.length == 1
                ? new Kept(new SharedRows(session, streams[0], consistency, SharedRows.USUAL_BYTES))
                : new Asked(session);
    }

    record Asked(Session session) implements Reach {

        @Override
        public Ticket pull(int stream, After after, Slice... slices) {
            return session.pull(stream, after, slices);
        }

        @Override
        public Ticket update(int stream, long clock, Age age, Slice[] read, Slice[] change) {
            return session.update(stream, clock, age, change);
        }
    }

    /// A clock is over when its update is with all servers, which is said by another: before that no server counts the
    /// update, so that whoever takes the stream over reads what was read before.
    record Ticking(Session session) implements Reach {

        @Override
        public Ticket pull(int stream, After after, Slice... slices) {
            return session.pull(stream, after, slices);
        }

        @Override
        public Ticket update(int stream, long clock, Age age, Slice[] read, Slice[] change) {
            return session.updateThenTick(stream, clock, age, change);
        }

        @Override
        public void end(int stream, long clock) {
            session.flush(stream);
            session.tick(stream, clock);
        }
    }

    record Kept(SharedRows rows) implements Reach {

        @Override
        public Ticket pull(int stream, After after, Slice... slices) {
            return rows.read(after, slices);
        }

        @Override
        public Ticket update(int stream, long clock, Age age, Slice[] read, Slice[] change) {
            return rows.update(clock, change);
        }
    }

    /// Changes go within a budget of bytes a second, that of the worker shared evenly by its streams.
    record Budgeted(Session session, Map<Integer, Rationed> byStream) implements Reach {

        private static final Ticket DONE = new Ticket(() -> null);

        static {
            DONE.complete();
        }

        static Budgeted of(Session session, double bytesPerSecond) {
            int[] streams = session.streams();
            Map<Integer, Rationed> byStream = new TreeMap<>();
            for (int stream : streams) {
                double share = bytesPerSecond / streams.length;
                byStream.put(stream, new Rationed(session, stream, share, Rationed.RELATIVE));
            }
            return new Budgeted(session, byStream);
        }

        @Override
        public Ticket pull(int stream, After after, Slice... slices) {
            return session.pull(stream, after, slices);
        }

        @Override
        public Ticket update(int stream, long clock, Age age, Slice[] read, Slice[] change) {
            byStream.get(stream).update(clock, read, change);
            return DONE;
        }

        @Override
        public void end(int stream, long clock) {
            byStream.get(stream).send(clock);
        }
    }
}
