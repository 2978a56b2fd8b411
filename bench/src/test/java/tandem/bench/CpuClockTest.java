package tandem.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class CpuClockTest {

    private static final long PIECE = 20_000_000;

    @Test
    void it_counts_what_a_thread_of_this_process_takes() {
        long before = CpuClock.nanos();
        long start = threadNanos();
        while (threadNanos() - start < PIECE) {
            Thread.onSpinWait();
        }
        assertTrue(CpuClock.nanos() - before >= PIECE, "took " + (CpuClock.nanos() - before));
    }

    @Test
    void its_steps_are_finer_than_those_of_the_jvm() {
        long least = Long.MAX_VALUE;
        for (int step = 0; step < 10; step++) {
            long first = CpuClock.nanos();
            long next = first;
            while (next == first) {
                next = CpuClock.nanos();
            }
            least = Math.min(least, next - first);
        }
        assertTrue(least < 1_000_000, "the least step is " + least);
    }

    @Test
    void a_process_that_is_gone_takes_nothing() {
        assertEquals(0, CpuClock.nanos(Integer.MAX_VALUE - 1));
    }

    private static long threadNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
