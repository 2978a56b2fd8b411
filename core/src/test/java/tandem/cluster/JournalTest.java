package tandem.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tandem.filter.Filters;
import tandem.wire.Address;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.TableSpec;

/// Two servers that hold everything twice and two workers, played by hand, and coordinators one after the other.
class JournalTest {

    private static final long SECOND = 1_000_000_000;
    private static final Cast CAST = Cast.of(2, 2, 4).withReplicas(1, SECOND);
    private static final List<Address> ALL =
            List.of(Address.server(0), Address.server(1), Address.worker(0), Address.worker(1));

    private final List<Decided> kept = new ArrayList<>();
    private final List<Sent> sent = new ArrayList<>();
    private Coordinator coordinator;
    private long now = SECOND;

    private record Sent(Address to, Message message) {}

    /// Nobody hears of what is not kept.
    private final Outbox out = new Outbox() {
        @Override
        public void send(Address to, Message message) {
            if (message instanceof Message.Placed placed) {
                Decided last = kept.getLast();
                assertEquals(last.layout(), placed.layout());
                assertEquals(
                        last.streams().stream()
                                .filter(one -> one.holder().equals(to))
                                .map(Decided.Tenure::number)
                                .toList(),
                        Arrays.stream(placed.leases()).map(Lease::number).toList());
                assertTrue(last.members().stream()
                        .anyMatch(one -> one.node().equals(to) && one.incarnation() == placed.incarnation()));
            }
            sent.add(new Sent(to, message));
        }

        @Override
        public void wakeAt(long nanos, long tag) {}
    };

    @BeforeEach
    void begin() {
        coordinator = begun(null);
        ALL.forEach(node -> join(node, 1));
        ALL.forEach(this::follow);
    }

    private Coordinator begun(Decided before) {
        Coordinator next = new Coordinator(CAST, List.of(TableSpec.sparse("t", 1)), new Filters(), SECOND);
        next.keeping(kept::add);
        if (before != null) {
            next.goOn(before);
        }
        next.start(now, out);
        next.wake(-1, now, out);
        return next;
    }

    private void join(Address node, long incarnation) {
        coordinator.receive(node, new Message.Join(incarnation, node + " " + incarnation, 7), ++now, out);
    }

    private void follow(Address node) {
        coordinator.receive(node, new Message.Heartbeat(coordinator.layout().epoch(), 0, 0), ++now, out);
    }

    /// The coordinator dies, and another goes on from what it kept.
    private void restart() {
        sent.clear();
        coordinator = begun(kept.getLast());
    }

    private long[] orders() {
        return sent.stream()
                .flatMapToLong(one ->
                        one.message instanceof Message.Order order ? LongStream.of(order.number()) : LongStream.empty())
                .toArray();
    }

    @Test
    void another_coordinator_goes_on_where_the_first_was() {
        assertTrue(coordinator.complete().isDone());
        Decided before = kept.getLast();
        restart();
        assertFalse(coordinator.complete().isDone());
        ALL.forEach(this::follow);
        assertTrue(coordinator.complete().isDone());
        assertEquals(before.layout(), coordinator.layout());
        assertEquals(before.streams(), kept.getLast().streams());
        assertArrayEquals(
                new int[] {0, 2},
                sent.stream()
                        .filter(one -> one.to.equals(Address.worker(0)) && one.message instanceof Message.Placed)
                        .flatMapToInt(one -> Arrays.stream(((Message.Placed) one.message).leases())
                                .mapToInt(Lease::stream))
                        .toArray());
    }

    @Test
    void every_coordinator_numbers_its_orders_above_those_of_all_before_it() {
        long last = 0;
        for (int term = 1; term < 5; term++) {
            ALL.forEach(this::follow);
            sent.clear();
            coordinator.standing(new byte[] {1}, out);
            long[] numbers = orders();
            assertEquals(2, numbers.length);
            assertTrue(numbers[0] > last, numbers[0] + " after " + last);
            last = numbers[1];
            restart();
        }
    }

    @Test
    void no_coordinator_gives_a_number_again_that_one_before_it_has_given() {
        assertEquals(Address.worker(2), coordinator.next(Address.Role.WORKER));
        assertEquals(Address.server(2), coordinator.next(Address.Role.SERVER));
        restart();
        assertEquals(Address.worker(3), coordinator.next(Address.Role.WORKER));
        assertEquals(Address.server(3), coordinator.next(Address.Role.SERVER));
    }

    @Test
    void who_left_for_good_or_lives_again_is_known_to_the_next() {
        join(Address.worker(1), 2);
        List<Decided.Tenure> again = kept.getLast().streams();
        assertEquals(
                List.of(1L, 2L, 1L, 2L),
                again.stream().map(Decided.Tenure::number).toList());
        restart();
        join(Address.worker(1), 1); // a message of its earlier life
        assertEquals(again, kept.getLast().streams());
        assertTrue(coordinator.lose(Address.worker(0), now, out));
        restart();
        assertEquals(List.of(Address.worker(1)), coordinator.workersThere());
        assertTrue(
                kept.getLast().streams().stream().allMatch(one -> one.holder().equals(Address.worker(1))));
    }

    @Test
    void a_server_that_is_not_heard_after_the_change_is_lost_in_its_time_and_not_before() {
        restart();
        follow(Address.server(0));
        now += SECOND / 2;
        coordinator.wake(-1, now, out);
        assertEquals(2, coordinator.serversThere().size());
        now += SECOND / 3;
        follow(Address.server(0));
        now += SECOND / 3;
        coordinator.wake(-1, now, out);
        assertEquals(List.of(Address.server(0)), coordinator.serversThere());
        restart();
        assertEquals(List.of(Address.server(0)), coordinator.serversThere());
        follow(Address.server(1));
        assertEquals(2, coordinator.serversThere().size());
    }

    @Test
    void who_has_gone_as_it_was_told_has_carried_that_out() {
        Coordinator.Round round = coordinator.order(ALL, Duty.OVER, ALL.size(), out);
        ALL.forEach(node -> coordinator.left(node, out));
        assertTrue(round.enough().isDone());
        coordinator.check(round);
    }

    @Test
    void who_was_told_to_go_before_the_change_goes_after_it() {
        coordinator.dismiss(Address.worker(0), out);
        restart();
        ALL.forEach(this::follow);
        assertEquals(1, orders().length);
        coordinator.left(Address.worker(0), out);
        assertEquals(List.of(Address.worker(1)), coordinator.workersThere());
        assertEquals(List.of(), kept.getLast().leaving());
    }
}
