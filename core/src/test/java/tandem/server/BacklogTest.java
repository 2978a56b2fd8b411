package tandem.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tandem.consistency.After;
import tandem.filter.Filters;
import tandem.wire.Address;
import tandem.wire.Figures;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.TableSpec;
import tandem.wire.Values;

class BacklogTest {

    private static final TableSpec TABLE = TableSpec.sparse("t", 1).withShards(1);

    private final List<Message> answers = new ArrayList<>();
    private final Outbox out = new Outbox() {
        @Override
        public void send(Address to, Message message) {
            answers.add(((Message.Seated) message).message());
        }

        @Override
        public void wakeAt(long nanos, long tag) {}
    };

    @Test
    void updates_are_due_by_clock_then_stream_when_the_slowest_has_finished_the_clock() {
        Backlog backlog = new Backlog();
        for (int stream : new int[] {2, 0, 1}) {
            backlog.add(update(stream, 3, 1, 0));
            backlog.add(update(stream, 1, 0, 0));
        }
        assertNull(backlog.due(0));
        List<Integer> order = new ArrayList<>();
        for (Message due; (due = backlog.due(1)) != null; ) {
            assertEquals(0, ((Message.Update) due).clock());
            order.add(((Message.Update) due).stream());
        }
        assertEquals(List.of(0, 1, 2), order);
        assertEquals(3, backlog.all().size());
    }

    /// With many workers and servers these are most updates.
    @Test
    void updates_that_change_nothing_are_not_kept() {
        Backlog backlog = new Backlog();
        backlog.add(new Message.Update(1, 0, 1, 1, 0, new Part[0]));
        assertEquals(List.of(), backlog.all());
        assertNull(backlog.due(1));
    }

    /// Sums of floats depend on their order: (1 + 2⁻²⁴) + 2⁻²⁴ is 1, and 1 + (2⁻²⁴ + 2⁻²⁴) is not.
    @Test
    void rows_have_the_same_bits_in_whatever_order_updates_come() {
        float tiny = 0x1p-24f;
        assertEquals(sum(new int[] {0, 1, 2}, 1, tiny, tiny), sum(new int[] {2, 1, 0}, 1, tiny, tiny));
        assertEquals(sum(new int[] {1, 2, 0}, tiny, tiny, 1), sum(new int[] {2, 0, 1}, tiny, tiny, 1));
        assertEquals(1f + 0x1p-23f, sum(new int[] {2, 0, 1}, tiny, tiny, 1));
    }

    private float sum(int[] order, float... values) {
        Server server = server(values.length);
        for (int stream : order) {
            hear(server, update(stream, 1, 0, values[stream]));
        }
        for (int stream : order) {
            hear(server, new Message.Update(1, stream, 1, 2, 1, new Part[0]));
        }
        return read(server, 1);
    }

    /// Whoever takes over a stream must find what was there when its clock began, though all updates of it have come.
    @Test
    void no_update_shows_before_every_stream_has_said_that_its_clock_is_over() {
        Server server = server(2);
        hear(server, update(0, 1, 0, 1));
        hear(server, update(1, 1, 0, 2));
        assertEquals(0, read(server, 0));
        hear(server, new Message.Update(1, 0, 1, 2, 1, new Part[0]));
        assertEquals(0, read(server, 0));
        hear(server, new Message.Update(1, 1, 1, 2, 1, new Part[0]));
        assertEquals(3, read(server, 1));
    }

    /// Twice what was there when its turn came: 2·1 + 3, in whatever order they come.
    @Test
    void a_change_by_a_function_waits_for_its_turn_too() {
        for (int[] order : new int[][] {{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
            Server server = server(3);
            for (int stream : order) {
                hear(
                        server,
                        stream == 1
                                ? new Message.Change(
                                        1, 1, 1, 1, 0, 0, "scale", new Figures(new long[] {0}, new double[] {2}))
                                : update(stream, 1, 0, 1 + stream));
            }
            for (int stream : order) {
                hear(server, new Message.Update(1, stream, 1, 2, 1, new Part[0]));
            }
            assertEquals(5, read(server, 1));
        }
    }

    @Test
    void what_would_need_the_update_at_once_is_refused() {
        Server server = server(1);
        Message asks = new Message.PushPull(update(0, 1, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> hear(server, asks));
    }

    /// Whose it is would not be known when its turn comes.
    @Test
    void an_update_that_cannot_be_unpacked_is_refused_when_it_comes() {
        Server server = server(2, TABLE.withFilters(List.of("fixed:1"), List.of()));
        Message bad = new Message.Update(1, 0, 1, 1, 0, new Part[] {part(new Values.Packed(new byte[] {1, 9}))});
        assertThrows(IllegalArgumentException.class, () -> hear(server, bad));
        hear(server, update(1, 1, 0, 2));
        hear(server, new Message.Update(1, 0, 1, 1, 1, new Part[0]));
        hear(server, new Message.Update(1, 1, 1, 2, 1, new Part[0]));
        assertEquals(2, read(server, 1));
    }

    private Server server(int streams) {
        return server(streams, TABLE);
    }

    private Server server(int streams, TableSpec table) {
        Server.Ways usual = Server.Ways.usual(5);
        Server server = new Server(
                0,
                new Rules(),
                new Filters(),
                new Server.Ways(5, usual.listBytes(), usual.resendNanos(), usual.leaseNanos(), true));
        Layout layout = new Layout(1, new TableSpec[] {table}, new int[][] {{0}}, streams);
        server.receive(Address.COORDINATOR, new Message.Placed(layout, new String[1], new Lease[0]), 0, out);
        return server;
    }

    private void hear(Server server, Message message) {
        answers.clear();
        server.receive(Address.worker(0), new Message.Seated(0, message), 0, out);
    }

    private float read(Server server, long clock) {
        hear(server, new Message.Pull(1, 9, 0, new After(0, clock), true, new Part[] {part(null)}));
        return ((Values.Floats) ((Message.Rows) answers.getLast()).values()[0]).array()[0];
    }

    private static Message.Update update(int stream, long sequence, long clock, float value) {
        return new Message.Update(1, stream, 1, sequence, clock, new Part[] {part(Values.of(value))});
    }

    private static Part part(Values values) {
        return new Part(0, 0, Keys.once(new long[] {3}, 1), 0, 1, 1, values);
    }
}
