package tandem.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tandem.wire.Address;
import tandem.wire.Message;

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
