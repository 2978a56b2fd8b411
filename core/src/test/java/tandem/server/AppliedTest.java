package tandem.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class AppliedTest {

    @Test
    void an_update_is_admitted_once() {
        Applied applied = new Applied(2);
        assertTrue(applied.admits(0, 1, 1));
        assertFalse(applied.admits(0, 1, 1));
        assertTrue(applied.admits(1, 1, 1));
    }

    @Test
    void the_clock_waits_for_what_is_missing() {
        Applied applied = new Applied(1);
        applied.admits(0, 1, 1);
        applied.admits(0, 3, 3);
        assertEquals(1, applied.clock(0));
        assertFalse(applied.admits(0, 3, 3));
        applied.admits(0, 2, 2);
        assertEquals(3, applied.clock(0));
        assertEquals(3, applied.upTo(0));
    }

    @Test
    void what_is_too_far_ahead_is_refused() {
        Applied applied = new Applied(1);
        assertTrue(applied.admits(0, Applied.WINDOW, 1));
        assertThrows(IllegalArgumentException.class, () -> applied.admits(0, Applied.WINDOW + 1L, 1));
    }

    @RepeatedTest(20)
    void it_agrees_with_a_plain_set_of_numbers(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        Applied applied = new Applied(1);
        TreeSet<Long> plain = new TreeSet<>();
        long upTo = 0;
        for (int i = 0; i < 5_000; i++) {
            long sequence = Math.max(1, upTo + 1 + random.nextInt(60) - 20);
            assertEquals(plain.add(sequence), applied.admits(0, sequence, 2 * sequence));
            while (plain.contains(upTo + 1)) {
                upTo++;
            }
            assertEquals(upTo, applied.upTo(0));
            assertEquals(2 * upTo, applied.clock(0));
        }
    }
}
