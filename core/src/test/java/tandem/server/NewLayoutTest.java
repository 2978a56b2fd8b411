package tandem.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

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

/// A server whose layout changes, and messages that were made for the one before.
class NewLayoutTest {

    private static final TableSpec TABLE = TableSpec.sparse("t", 1).withShards(1);
    private static final Address WORKER = Address.worker(0);

    private final List<Message> answers = new ArrayList<>();
    private final Outbox out = new Outbox() {
        @Override
        public void send(Address to, Message message) {
            answers.add(((Message.Seated) message).message());
        }

        @Override
        public void wakeAt(long nanos, long tag) {}
    };
    private final Server server = new Server(0, new Rules(), 5);
    private long sequence;

    NewLayoutTest() {
        place(1);
    }

    private void place(long epoch) {
        Layout layout = new Layout(epoch, new TableSpec[] {TABLE}, new int[][] {{0}}, 1);
        server.receive(Address.COORDINATOR, new Message.Placed(layout, new String[1], new Lease[0]), 0, out);
    }

    private List<Message> hear(Message message) {
        answers.clear();
        server.receive(WORKER, new Message.Seated(0, message), 0, out);
        return answers;
    }

    /// The next update, with which the stream reaches the clock of its number.
    private List<Message> update(long epoch, long lease) {
        sequence++;
        return hear(new Message.Update(epoch, 0, lease, sequence, sequence, new Part[] {part(Values.of(1f))}));
    }

    private static Part part(Values values) {
        return new Part(0, 0, Keys.once(new long[] {3}, 1), 0, 1, 1, values);
    }

    private static Message.Pull pull(long epoch, long request, After after) {
        return new Message.Pull(epoch, request, 0, after, true, new Part[] {part(null)});
    }

    @Test
    void a_read_that_was_held_back_is_not_answered_for_another_layout() {
        assertInstanceOf(Message.Held.class, held(1).getFirst());
        place(2);
        assertEquals(List.of(new Message.Applied(0, 1)), update(2, 1));
    }

    @Test
    void a_read_that_was_held_back_is_answered_when_it_is_due() {
        held(1);
        assertInstanceOf(Message.Rows.class, update(1, 1).getLast());
    }

    /// A read that comes after clock 1, twice, so that the server says that it holds it.
    private List<Message> held(long epoch) {
        hear(pull(epoch, 1, new After(0, 1)));
        return hear(pull(epoch, 1, new After(0, 1)));
    }

    @Test
    void what_was_made_for_another_layout_changes_nothing_and_its_sender_is_told() {
        place(2);
        assertEquals(List.of(new Message.Fenced(2, 0, 0)), update(1, 1));
        assertEquals(List.of(new Message.Fenced(2, 0, 0)), hear(pull(1, 1, After.NOTHING)));
        assertEquals(0, server.size());
    }

    @Test
    void who_held_a_stream_before_changes_nothing_and_is_told() {
        update(1, 2);
        assertEquals(List.of(new Message.Fenced(1, 0, 2)), update(1, 1));
        Message.Rows rows = (Message.Rows) hear(pull(1, 1, After.NOTHING)).getFirst();
        assertEquals(1, ((Values.Floats) rows.values()[0]).array()[0]);
    }

    @Test
    void who_held_a_stream_before_changes_nothing_once_it_is_claimed() {
        update(1, 1);
        assertEquals(List.of(new Message.Claimed(0, 2, 1, 1)), hear(new Message.Claim(1, 0, 2)));
        assertEquals(List.of(new Message.Fenced(1, 0, 2)), update(1, 1));
        assertEquals(List.of(new Message.Fenced(1, 0, 2)), hear(new Message.Claim(1, 0, 1)));
        assertEquals(1, server.value(0, 3));
    }

    /// A worker lets go of rows in one layout and asks for them again in the next; the first word may come last.
    @Test
    void rows_are_told_of_though_a_word_to_let_them_go_comes_from_before() {
        place(2);
        hear(new Message.Follow(pull(2, 1, After.NOTHING)));
        hear(new Message.Unfollow(1, 1, new Part[] {part(null)}));
        assertInstanceOf(Message.Refresh.class, update(2, 1).getLast());
        hear(new Message.Unfollow(2, 1, new Part[] {part(null)}));
        assertEquals(List.of(new Message.Applied(0, 2)), update(2, 1));
    }
}
