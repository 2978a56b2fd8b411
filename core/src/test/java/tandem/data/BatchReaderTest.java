package tandem.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BatchReaderTest {

    /// Batches `from` until `to`, empty but for their numbers.
    private static Batches.Pass pass(int from, int to) {
        AtomicInteger next = new AtomicInteger(from);
        return into -> {
            int number = next.getAndIncrement();
            if (number < to) {
                into.resize(number, 0, 0, 0);
            }
            return number < to;
        };
    }

    @Test
    void batches_come_in_their_order_and_stay_until_the_next_is_asked_for() throws IOException {
        BatchReader reader = new BatchReader();
        assertNull(reader.next());
        for (int round = 0; round < 3; round++) {
            reader.begin(pass(10, 60));
            for (int number = 10; number < 60; number++) {
                assertEquals(number, reader.next().number());
            }
            assertNull(reader.next());
            assertNull(reader.next());
        }
    }

    @Test
    void a_pass_can_be_left_for_another() throws IOException {
        BatchReader reader = new BatchReader();
        reader.begin(pass(0, 9));
        reader.next();
        reader.begin(pass(20, 22));
        assertEquals(20, reader.next().number());
        assertEquals(21, reader.next().number());
        assertNull(reader.next());
    }

    @Test
    void the_next_batch_is_read_while_one_is_worked_on() throws Exception {
        Semaphore read = new Semaphore(0);
        Batches.Pass plain = pass(0, 3);
        BatchReader reader = new BatchReader();
        reader.begin(into -> {
            boolean more = plain.next(into);
            read.release();
            return more;
        });
        Batch first = reader.next();
        assertTrue(read.tryAcquire(2, 60, TimeUnit.SECONDS));
        assertEquals(0, first.number());
        assertEquals(1, reader.next().number());
    }

    @Test
    void what_goes_wrong_is_told_to_whoever_asks_for_the_batch() throws IOException {
        BatchReader reader = new BatchReader();
        reader.begin(_ -> {
            throw new IOException("the disk is gone");
        });
        assertEquals(
                "the disk is gone",
                assertThrows(IOException.class, reader::next).getMessage());
    }
}
