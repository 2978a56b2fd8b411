package tandem.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tandem.wire.Address;
import tandem.wire.Codec;
import tandem.wire.Message;
import tandem.wire.Values;

class ShapedTest {

    private static final long MS = 1_000_000;

    private final AtomicLong now = new AtomicLong(1_000_000_000);
    private final Shaped slow = new Shaped(new Shape(10e6, 3 * MS), 1 << 20, now::get);

    @Test
    void a_mebibyte_at_ten_megabytes_a_second_takes_its_time_and_the_delay() {
        assertEquals(104_857_600 + 3 * MS, slow.send(1 << 20) - now.get());
    }

    @Test
    void many_small_frames_take_as_long_as_one_large_one() {
        long last = 0;
        for (int i = 0; i < 1024; i++) {
            last = slow.send(1024);
        }
        assertEquals(104_857_600 + 3 * MS, last - now.get());
    }

    @Test
    void time_without_frames_is_not_saved_up() {
        slow.send(1000);
        now.addAndGet(1000 * MS);
        assertEquals(100_000 + 3 * MS, slow.send(1000) - now.get());
    }

    @Test
    void a_network_without_speed_is_refused() {
        assertThrows(IllegalArgumentException.class, () -> new Shape(0, 0));
        assertThrows(IllegalArgumentException.class, () -> new Shape(1, -1));
    }

    /// The clock stands still until the test moves it, so nothing may arrive before.
    @Test
    @Timeout(30)
    void frames_arrive_when_they_are_due_and_not_before() throws Exception {
        LinkedBlockingQueue<Message> arrived = new LinkedBlockingQueue<>();
        try (Links there = new Links(Place.loopback(), LinkLimits.DEFAULT, new Keep(arrived));
                Links here = new Links(Place.loopback(), LinkLimits.DEFAULT, new Keep(arrived))) {
            Link link = here.connect(there.place(), new Hello(Address.worker(0), Address.server(0)));
            Way way = slow.over(link);
            slow.start();
            assertTrue(way.send(new Message.Heartbeat(1, 0, 0)));
            link.send(new Message.Heartbeat(2, 0, 0));
            assertEquals(new Message.Heartbeat(2, 0, 0), arrived.poll(10, TimeUnit.SECONDS));
            assertTrue(arrived.isEmpty());
            now.addAndGet(10 * MS);
            assertEquals(new Message.Heartbeat(1, 0, 0), arrived.poll(10, TimeUnit.SECONDS));
            slow.close();
        }
    }

    /// 400 kB are four frames; a wire would have brought most of them before the last byte leaves.
    @Test
    @Timeout(30)
    void a_long_message_arrives_piece_by_piece() throws Exception {
        LinkedBlockingQueue<Message> arrived = new LinkedBlockingQueue<>();
        try (Links there = new Links(Place.loopback(), LinkLimits.DEFAULT, new Keep(arrived));
                Links here = new Links(Place.loopback(), LinkLimits.DEFAULT, new Keep(arrived))) {
            Link link = here.connect(there.place(), new Hello(Address.worker(0), Address.server(0)));
            slow.start();
            float[] numbers = new float[100_000];
            numbers[99_999] = 7;
            assertTrue(slow.over(link).send(new Message.Rows(5, 0, 0, Values.of(numbers))));
            numbers[99_999] = 8; // it was taken when it was sent
            now.addAndGet(30 * MS);
            // Frames end where a number does, so they may be a few bytes shorter.
            while (there.receivedBytes().sum() < 2 * Codec.PIECE - 100) {
                assertFalse(Thread.currentThread().isInterrupted(), "two frames should have come");
                Thread.onSpinWait();
            }
            assertTrue(there.receivedBytes().sum() < 2 * Codec.PIECE + 100);
            assertTrue(arrived.isEmpty());
            now.addAndGet(20 * MS);
            Message.Rows rows = (Message.Rows) arrived.poll(10, TimeUnit.SECONDS);
            assertEquals(7, ((Values.Floats) rows.values()[0]).array()[99_999]);
            slow.close();
        }
    }

    @Test
    @Timeout(30)
    void what_was_sent_before_it_closes_still_leaves() throws Exception {
        LinkedBlockingQueue<Message> arrived = new LinkedBlockingQueue<>();
        Shaped late = new Shaped(new Shape(1e9, 30 * MS), 1 << 20, System::nanoTime);
        try (Links there = new Links(Place.loopback(), LinkLimits.DEFAULT, new Keep(arrived));
                Links here = new Links(Place.loopback(), LinkLimits.DEFAULT, new Keep(arrived))) {
            Way way = late.over(here.connect(there.place(), new Hello(Address.worker(0), Address.server(0))));
            late.start();
            assertTrue(way.send(new Message.Heartbeat(1, 0, 0)));
            late.close();
            assertFalse(way.send(new Message.Heartbeat(2, 0, 0)));
            assertEquals(new Message.Heartbeat(1, 0, 0), arrived.poll(10, TimeUnit.SECONDS));
        }
    }

    /// The clock stands still, so what waits is never due.
    @Test
    @Timeout(30)
    void nobody_waits_for_ever_for_what_does_not_leave() throws Exception {
        LinkedBlockingQueue<Message> arrived = new LinkedBlockingQueue<>();
        try (Links there = new Links(Place.loopback(), LinkLimits.DEFAULT, new Keep(arrived));
                Links here = new Links(Place.loopback(), LinkLimits.DEFAULT, new Keep(arrived))) {
            Way way = slow.over(here.connect(there.place(), new Hello(Address.worker(0), Address.server(0))));
            slow.start();
            assertTrue(way.send(new Message.Heartbeat(1, 0, 0)));
            slow.close();
            assertTrue(arrived.isEmpty());
        }
    }

    private record Keep(LinkedBlockingQueue<Message> arrived) implements Links.Receiver {

        @Override
        public boolean admits(Link link) {
            return true;
        }

        @Override
        public void receive(Link link, Message message) {
            arrived.add(message);
        }

        @Override
        public void closed(Link link) {}
    }
}
