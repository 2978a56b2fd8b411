package tandem.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import tandem.client.Ticket;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.TableSpec;

/// Workers that come and leave between rounds and in the middle of them, message by message.
class ComingAndGoingTest {

    private static final byte[] PASS = {1};

    private final Coordinator coordinator =
            new Coordinator(1, 2, 6, List.of(TableSpec.dense("counts", 1, 1)), 1_000_000_000);

    /// Orders that have been sent and not been carried out, by the worker they are for.
    private final Queue<Message.Order> zero = new ArrayDeque<>();

    private final Queue<Message.Order> one = new ArrayDeque<>();
    private final Queue<Message.Order> two = new ArrayDeque<>();
    private final Queue<Runnable> later = new ArrayDeque<>();

    /// What was said last besides layouts and orders.
    private Message told;

    /// Everyone takes a layout at once; orders are kept.
    private final Outbox out = new Outbox() {

        @Override
        public void send(Address to, Message message) {
            switch (message) {
                case Message.Placed placed ->
                    later.add(
                            () -> say(to, new Message.Heartbeat(placed.layout().epoch(), 0, 0)));
                case Message.Order order ->
                    List.of(zero, one, two).get(to.number()).add(order);
                default -> told = message;
            }
        }

        @Override
        public void wakeAt(long nanos, long tag) {}
    };

    private void say(Address from, Message message) {
        coordinator.receive(from, message, 1, out);
        hear();
    }

    private void hear() {
        while (!later.isEmpty()) {
            later.remove().run();
        }
    }

    private void join(Address node) {
        say(node, new Message.Join(1, "", 0));
    }

    private void carryOut(int worker, Queue<Message.Order> orders) {
        say(Address.worker(worker), new Message.Done(orders.remove().number(), false, PASS));
    }

    @Test
    void who_came_between_two_rounds_takes_part_in_the_next() {
        join(Address.server(0));
        join(Address.worker(0));
        join(Address.worker(1));
        join(Address.worker(2));
        coordinator.standing(PASS, out);
        hear();
        assertEquals(
                List.of(2, 2, 2),
                coordinator.standings(1).stream()
                        .filter(one -> one.node().role() == Address.Role.WORKER)
                        .map(one -> one.streams().size())
                        .toList());
    }

    @Test
    void who_waits_for_something_to_be_done_hears_that_somebody_is_at_it() {
        Ticket done = new Ticket(() -> null);
        coordinator.obey((_, _, _) -> new Steward.Outcome(done, "it is done"));
        Message.Manage wish = new Message.Manage(1, "add-server", -1);
        say(Address.operator(7), wish);
        assertInstanceOf(Message.Heartbeat.class, told, "before all are there nobody else can come or go");
        join(Address.server(0));
        join(Address.worker(0));
        join(Address.worker(1));
        told = null;
        say(Address.operator(7), wish);
        assertNull(told);
        say(Address.operator(7), wish);
        assertInstanceOf(Message.Heartbeat.class, told);
        done.complete();
        assertEquals(new Message.Managed(1, false, "it is done"), told);
        say(Address.operator(7), wish);
        assertEquals(new Message.Managed(1, false, "it is done"), told);
    }

    @Test
    void who_had_more_to_do_after_it_was_to_go_is_not_waited_for() {
        join(Address.server(0));
        join(Address.worker(0));
        join(Address.worker(1));
        Coordinator.Round round = coordinator.standing(PASS, out);
        join(Address.worker(2));
        assertEquals(1, two.size(), "streams of the others are for it now");

        // Its streams go to the others while it is at the pass, which it would get again for those it got before.
        say(Address.worker(2), new Message.Done(two.remove().number(), false, PASS));
        Ticket gone = coordinator.dismiss(Address.worker(1), out);
        hear();
        while (one.element().what().length > 0) {
            carryOut(1, one);
        }
        carryOut(1, one); // and goes home
        assertTrue(gone.isDone());
        assertFalse(round.enough().isDone(), "the others have more to do");
        while (!zero.isEmpty() || !two.isEmpty()) {
            if (zero.isEmpty()) {
                carryOut(2, two);
            } else {
                carryOut(0, zero);
            }
        }
        assertTrue(
                round.enough().isDone(),
                "somebody who has gone is waited for: " + round.enough().awaited());
    }
}
