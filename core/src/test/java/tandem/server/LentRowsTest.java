package tandem.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.consistency.After;
import tandem.wire.Address;
import tandem.wire.Chain;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// A server that answers with its rows as they lie where the answer is taken at once, and gives back what it has read.
class LentRowsTest {

    private static final int ROWS = 3;

    private final List<Message> answers = new ArrayList<>();
    private final List<float[]> released = new ArrayList<>();
    private boolean atOnce;
    private final Outbox out = new Outbox() {
        @Override
        public void send(Address to, Message message) {
            answers.add(message instanceof Message.Seated(int _, Message about) ? about : message);
        }

        @Override
        public boolean takesAtOnce(Address to) {
            return atOnce;
        }

        @Override
        public void release(Values values) {
            released.add(((Values.Floats) values).array());
        }

        @Override
        public void wakeAt(long nanos, long tag) {}
    };
    private final Server server = new Server(0, new Rules(), 5);
    private long sequence;
    private long request;

    private void place(int... chain) {
        TableSpec table = TableSpec.dense("t", ROWS, 1).withShards(1);
        Layout layout = new Layout(1, new TableSpec[] {table}, new int[][] {{0}}, 1, new Chain[] {Chain.of(chain)});
        server.receive(Address.COORDINATOR, new Message.Placed(layout, new String[2], new Lease[0]), 0, out);
    }

    private void push(float... values) {
        sequence++;
        hear(new Message.Update(1, 0, 1, sequence, sequence, new Part[] {part(Values.of(values))}));
    }

    private float[] pulled() {
        request++;
        hear(new Message.Pull(1, request, 0, After.NOTHING, false, new Part[] {part(null)}));
        Message.Rows rows = (Message.Rows) answers.getLast();
        return ((Values.Floats) rows.values()[0]).array();
    }

    private static Part part(Values values) {
        return new Part(0, 0, Keys.range(0, ROWS), 0, ROWS, 1, values);
    }

    private void hear(Message message) {
        hear(Address.worker(0), message);
    }

    private void hear(Address from, Message message) {
        server.receive(from, new Message.Seated(0, message), 0, out);
    }

    /// Who passes references on would see the later update in the earlier answer, were it not a copy.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void an_answer_follows_the_rows_only_where_it_is_taken_at_once(boolean taken) {
        place(0);
        atOnce = taken;
        push(1, 2, 3);
        float[] answer = pulled();
        assertArrayEquals(new float[] {1, 2, 3}, answer);
        push(1, 1, 1);
        assertArrayEquals(taken ? new float[] {2, 3, 4} : new float[] {1, 2, 3}, answer);
    }

    @Test
    void what_an_update_brought_is_given_back_once_it_is_applied() {
        place(0);
        push(1, 2, 3);
        assertEquals(1, released.size());
        assertArrayEquals(new float[] {1, 2, 3}, released.getFirst());
    }

    @Test
    void what_another_member_must_still_hear_is_given_back_once_that_has_it() {
        place(0, 1);
        push(1, 2, 3);
        assertEquals(0, released.size());
        hear(Address.server(1), new Message.Stored(1, 1));
        assertEquals(1, released.size());
        assertArrayEquals(new float[] {1, 2, 3}, released.getFirst());
    }

    @Test
    void the_last_member_gives_back_what_was_passed_on_to_it() {
        place(1, 0);
        Part[] parts = {part(Values.of(new float[] {1, 2, 3}))};
        hear(Address.server(1), new Message.Forward(1, 1, new Message.Update(1, 0, 1, 1, 1, parts)));
        assertEquals(1, released.size());
    }
}
