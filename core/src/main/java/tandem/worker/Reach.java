package tandem.worker;

import tandem.client.Session;
import tandem.client.SharedRows;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.consistency.After;
import tandem.consistency.Consistency;

/// How a loop reaches its tables: asks for every row each time, or keeps rows that servers refresh.
sealed interface Reach {

    Ticket pull(int stream, After after, Slice... slices);

    Ticket update(int stream, long clock, Slice... slices);

    /// Rows are kept with an eager consistency, for the one stream whose updates they are counted by.
    static Reach of(Session session, Consistency consistency) {
        int[] streams = session.streams();
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
        public Ticket update(int stream, long clock, Slice... slices) {
            return session.update(stream, clock, slices);
        }
    }

    record Kept(SharedRows rows) implements Reach {

        @Override
        public Ticket pull(int stream, After after, Slice... slices) {
            return rows.read(after, slices);
        }

        @Override
        public Ticket update(int stream, long clock, Slice... slices) {
            return rows.update(clock, slices);
        }
    }
}
