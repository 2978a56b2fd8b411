package tandem.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tandem.client.Ticket;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.TableSpec;

/// A server and two workers, played by hand.
class CoordinatorTest {

    private static final Outbox OUT = new Outbox() {
        @Override
        public void send(Address to, Message message) {}

        @Override
        public void wakeAt(long nanos, long tag) {}
    };

    /// What is sent in answer to a message.
    private record Answers(List<Message> all) implements Outbox {

        @Override
        public void send(Address to, Message message) {
            all.add(message);
        }

        @Override
        public void wakeAt(long nanos, long tag) {}
    }

    private final Coordinator coordinator = new Coordinator(1, 2, 2, List.of(TableSpec.sparse("t", 1)), 1);

    @BeforeEach
    void begin() {
        List<Address> all = List.of(Address.server(0), Address.worker(0), Address.worker(1));
        all.forEach(node -> coordinator.receive(node, new Message.Join(1, "", 0), 1, OUT));
        all.forEach(this::follow);
        assertTrue(coordinator.complete().isDone());
    }

    private void follow(Address node) {
        coordinator.receive(node, new Message.Heartbeat(coordinator.layout().epoch(), 0, 0), 1, OUT);
    }

    @Test
    void who_is_given_up_is_not_waited_for() {
        coordinator.receive(Address.worker(2), new Message.Join(1, "", 0), 1, OUT);
        Ticket known = coordinator.create(TableSpec.sparse("another", 1), OUT);
        List.of(Address.server(0), Address.worker(0), Address.worker(1)).forEach(this::follow);
        assertFalse(known.isDone());
        coordinator.lose(Address.worker(2), 1, OUT);
        assertTrue(known.isDone());
    }

    @Test
    void who_has_gone_is_not_waited_for() {
        Ticket gone = coordinator.dismiss(Address.worker(1), OUT);
        List.of(Address.server(0), Address.worker(0), Address.worker(1)).forEach(this::follow);
        Ticket known = coordinator.create(TableSpec.sparse("another", 1), OUT);
        List.of(Address.server(0), Address.worker(0)).forEach(this::follow);
        assertFalse(known.isDone());
        coordinator.left(Address.worker(1), OUT);
        assertTrue(gone.isDone());
        assertTrue(known.isDone());
    }

    /// It may be out of a chain, and somebody else answers reads in its place.
    @Test
    void a_server_that_does_not_know_the_layout_gets_no_lease() {
        long before = coordinator.layout().epoch();
        coordinator.create(TableSpec.sparse("another", 1), OUT);
        assertEquals(List.of(), renewed(before, 7));
        assertEquals(List.of(new Message.Renewed(8)), renewed(before + 1, 8));
    }

    private List<Message> renewed(long epoch, long stamp) {
        Answers answers = new Answers(new ArrayList<>());
        coordinator.receive(Address.server(0), new Message.Renew(epoch, stamp), 1, answers);
        return answers.all;
    }

    @Test
    void what_somebody_said_before_it_left_does_not_bring_it_back() {
        Decided[] kept = {null};
        coordinator.keeping(decided -> kept[0] = decided);
        coordinator.dismiss(Address.worker(1), OUT);
        List.of(Address.server(0), Address.worker(0), Address.worker(1)).forEach(this::follow);
        coordinator.left(Address.worker(1), OUT);
        coordinator.receive(Address.worker(1), new Message.Join(1, "", 0), 1, OUT);
        assertEquals(List.of(Address.worker(0)), coordinator.workersThere());
        Coordinator next = new Coordinator(1, 2, 2, List.of(TableSpec.sparse("t", 1)), 1);
        next.goOn(kept[0]);
        next.start(1, OUT);
        next.receive(Address.worker(1), new Message.Join(1, "", 0), 1, OUT);
        assertEquals(List.of(Address.worker(0)), next.workersThere());
        next.receive(Address.worker(1), new Message.Join(2, "", 0), 1, OUT);
        assertEquals(List.of(Address.worker(0), Address.worker(1)), next.workersThere());
    }
}
