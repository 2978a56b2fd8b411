package tandem.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;

class ErrandsTest {

    private static final Address WORKER = Address.worker(0);

    private final Errands errands = new Errands(_ -> 0);
    private final List<Long> given = new ArrayList<>();
    private final Outbox out = new Outbox() {

        @Override
        public void send(Address to, Message message) {
            given.add(((Message.Order) message).number());
        }

        @Override
        public void wakeAt(long nanos, long tag) {}
    };

    /// The looks, of so many, in which something was given again.
    private List<Integer> looks(int count) {
        List<Integer> told = new ArrayList<>();
        for (int look = 1; look <= count; look++) {
            given.clear();
            errands.again(out);
            if (!given.isEmpty()) {
                told.add(look);
            }
        }
        return told;
    }

    @Test
    void what_is_not_carried_out_is_repeated_ever_less_often() {
        errands.give(List.of(WORKER), new byte[1], 1, out);
        assertEquals(List.of(1, 2, 4, 8, 16, 32, 48, 64), looks(64));
    }

    @Test
    void who_begins_anew_is_told_soon() {
        errands.give(List.of(WORKER), new byte[1], 1, out);
        looks(20);
        errands.anew(WORKER);
        assertEquals(List.of(1, 2, 4), looks(7));
    }

    @Test
    void the_next_order_of_a_node_waits_for_the_one_before_it() {
        long first = errands.give(List.of(WORKER), new byte[1], 1, out)
                .orders()
                .getFirst()
                .number();
        errands.give(List.of(WORKER), new byte[1], 1, out);
        assertEquals(List.of(first), given);
        looks(8);
        assertEquals(List.of(first), given);
        given.clear();
        errands.onDone(new Message.Done(first, false, new byte[0]), out);
        assertEquals(List.of(first + 1), given);
        assertEquals(List.of(1, 2, 4), looks(7));
    }
}
