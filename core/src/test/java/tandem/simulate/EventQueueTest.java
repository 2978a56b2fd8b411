package tandem.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EventQueueTest {

    private record Event(long nanos, int number) {}

    @Test
    void events_come_by_time_and_at_the_same_time_in_the_order_they_were_added() {
        SplittableRandom random = new SplittableRandom(1);
        EventQueue queue = new EventQueue();
        List<Event> waiting = new ArrayList<>();
        Comparator<Event> order = Comparator.comparingLong(Event::nanos).thenComparingInt(Event::number);
        for (int number = 0; number < 8_000; number++) {
            Event added = new Event(random.nextInt(50), number);
            queue.add(added.nanos(), added);
            waiting.add(added);
            if (random.nextInt(10) < (number < 4_000 ? 1 : 9)) {
                Event next = waiting.stream().min(order).orElseThrow();
                assertEquals(next.nanos(), queue.nextNanos());
                assertEquals(next, queue.poll());
                waiting.remove(next);
            }
        }
        waiting.sort(order);
        for (Event next : waiting) {
            assertEquals(next, queue.poll());
        }
        assertTrue(queue.isEmpty());
    }
}
