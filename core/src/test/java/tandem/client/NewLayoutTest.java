package tandem.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tandem.consistency.After;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// A worker whose layout changes while it waits for answers.
class NewLayoutTest {

    private static final TableSpec TABLE = TableSpec.sparse("t", 1).withShards(1);

    private final List<Message> sent = new ArrayList<>();
    private final Outbox out = new Outbox() {
        @Override
        public void send(Address to, Message message) {
            sent.add(((Message.Seated) message).message());
        }

        @Override
        public void wakeAt(long nanos, long tag) {}
    };
    private final Client client = new Client(1_000_000);

    NewLayoutTest() {
        place(1);
    }

    private void place(long epoch) {
        place(epoch, new Lease(0, 1, false));
    }

    private void place(long epoch, Lease... leases) {
        Layout layout = new Layout(epoch, new TableSpec[] {TABLE}, new int[][] {{0}}, 2);
        hear(Address.COORDINATOR, new Message.Placed(layout, new String[1], leases));
    }

    private void hear(Address from, Message message) {
        sent.clear();
        client.receive(from, message, 0, out);
    }

    private void answer(Message message) {
        answer(0, message);
    }

    private void answer(int seat, Message message) {
        hear(Address.server(seat), new Message.Seated(seat, message));
    }

    @Test
    void a_read_is_asked_anew_and_an_answer_from_before_is_not_taken_for_its_own() {
        float[] row = {0};
        Ticket ticket = client.pull(0, After.NOTHING, false, 0, out, slice(row));
        long before = ((Message.Pull) sent.getLast()).request();
        place(2);
        Message.Pull again = (Message.Pull) sent.getLast();
        assertEquals(2, again.epoch());
        answer(new Message.Rows(before, 0, 0, Values.of(5f)));
        assertFalse(ticket.isDone());
        answer(new Message.Rows(again.request(), 0, 0, Values.of(6f)));
        assertTrue(ticket.isDone());
        assertEquals(6, row[0]);
    }

    @Test
    void an_update_keeps_its_number_so_that_it_counts_once() {
        client.update(0, 1, 0, out, slice(new float[] {1}));
        Message.Update before = (Message.Update) sent.getLast();
        place(2);
        Message.Update again = (Message.Update) sent.getLast();
        assertEquals(2, again.epoch());
        assertEquals(before.sequence(), again.sequence());
        assertEquals(before.clock(), again.clock());
    }

    /// Of what somebody else did last, not all has come to both seats.
    @Test
    void a_stream_that_somebody_else_had_is_claimed_and_goes_on_after_what_all_seats_have() {
        Layout layout = new Layout(2, new TableSpec[] {TABLE.withShards(2)}, new int[][] {{0, 1}}, 1);
        Lease[] leases = {new Lease(0, 3, true)};
        hear(Address.COORDINATOR, new Message.Placed(layout, new String[2], leases));
        assertEquals(List.of(new Message.Claim(2, 0, 3), new Message.Claim(2, 0, 3)), sent);
        answer(0, new Message.Claimed(0, 3, 7, 4));
        answer(0, new Message.Claimed(0, 3, 7, 4));
        answer(1, new Message.Claimed(0, 2, 6, 3)); // to a lease before
        assertEquals(1, client.claims().size());
        assertThrows(IllegalStateException.class, () -> client.update(0, 5, 0, out, slice(new float[] {1})));
        answer(1, new Message.Claimed(0, 3, 5, 2));
        assertTrue(client.claims().isEmpty());
        assertEquals(2, client.clock(0));
        client.update(0, 3, 0, out, slice(new float[] {1}));
        assertEquals(6, ((Message.Update) sent.getLast()).sequence());
    }

    /// A read may wait for a stream that has just come here, and that is not worked on before the read is over.
    @Test
    void reads_of_streams_end_when_others_are_to_be_worked_on() {
        Ticket ofStream = client.pull(0, After.NOTHING, false, 0, out, slice(new float[1]));
        Ticket ofNone = client.pull(-1, After.NOTHING, false, 0, out, slice(new float[1]));
        place(2);
        assertFalse(ofStream.isDone());
        place(3, new Lease(0, 1, false), new Lease(1, 2, false));
        assertTrue(ofStream.isDone());
        assertFalse(ofNone.isDone());
    }

    @Test
    void of_a_stream_that_somebody_else_gets_nothing_is_awaited_or_sent_any_more() {
        Ticket before = client.update(0, 1, 0, out, slice(new float[] {1}));
        place(2, new Lease[0]);
        assertTrue(before.isDone());
        Ticket after = client.update(0, 2, 0, out, slice(new float[] {1}));
        assertTrue(after.isDone());
        assertEquals(List.of(), sent);
    }

    @Test
    void rows_that_were_kept_are_forgotten_and_refreshes_from_before_are_not_taken() {
        client.rows().limit(1 << 20);
        follow(0, 5);
        place(2);
        assertEquals(0, client.rows().size());
        follow(0, 6);
        refresh(1, 1, 7);
        assertEquals(6, kept());
        refresh(2, 1, 8);
        assertEquals(8, kept());
    }

    /// Reads and follows the row, which is `value`.
    private void follow(long refreshes, float value) {
        client.fetch(0, After.NOTHING, true, 0, out, slice(new float[1]));
        long request = ((Message.Follow) sent.getLast()).request();
        answer(new Message.Followed(refreshes, new long[0], new Message.Rows(request, 0, 0, Values.of(value))));
    }

    private void refresh(long epoch, long number, float value) {
        Part part = new Part(0, 0, Keys.once(new long[] {3}, 1), 0, 1, 1, Values.of(value));
        answer(new Message.Refresh(epoch, number, 1, 0, new long[0], new Part[] {part}));
    }

    private double kept() {
        return client.rows().find(0, 3).current()[0];
    }

    private static Slice slice(float[] row) {
        return new Slice(0, Keys.once(new long[] {3}, 1), row);
    }
}
