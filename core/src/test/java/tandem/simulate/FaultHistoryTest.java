package tandem.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FaultHistoryTest {

    private final FaultHistory history = new FaultHistory();

    @Test
    void a_read_sees_what_was_added_before_it_began() {
        history.added(1, 2);
        history.read(3, 4, 1);
        assertNull(history.impossible());
        history.read(5, 6, 0);
        assertEquals(new FaultHistory.Event(5, 6, 0), history.impossible());
    }

    @Test
    void what_one_has_read_another_reads_after_it() {
        history.added(1, 10);
        history.read(2, 3, 1);
        assertNull(history.impossible());
        history.read(4, 5, 0);
        assertNotNull(history.impossible());
    }

    @Test
    void what_never_ended_may_be_seen_or_not() {
        history.added(1, FaultHistory.NEVER);
        history.read(2, 3, 0);
        history.read(4, 5, 1);
        assertNull(history.impossible());
        history.read(6, 7, 2);
        assertNotNull(history.impossible());
    }

    /// The search that decides it in general: whatever has begun before anything left has ended may come next.
    private static boolean isPossible(List<FaultHistory.Event> left, long count) {
        long first = left.stream().mapToLong(FaultHistory.Event::until).min().orElse(FaultHistory.NEVER);
        if (first == FaultHistory.NEVER) {
            return true;
        }
        for (FaultHistory.Event next : left) {
            if (next.from() <= first && (next.isAddition() || next.value() == count)) {
                List<FaultHistory.Event> rest = new ArrayList<>(left);
                rest.remove(next);
                if (isPossible(rest, next.isAddition() ? count + 1 : count)) {
                    return true;
                }
            }
        }
        return false;
    }

    @Test
    void one_pass_says_what_a_search_says() {
        SplittableRandom chance = new SplittableRandom(1);
        int possible = 0;
        for (int round = 0; round < 20_000; round++) {
            FaultHistory some = new FaultHistory();
            int size = 1 + chance.nextInt(7);
            for (int e = 0; e < size; e++) {
                long from = chance.nextInt(12);
                long until = from + chance.nextInt(6);
                if (chance.nextBoolean()) {
                    some.added(from, chance.nextInt(8) == 0 ? FaultHistory.NEVER : until);
                } else {
                    some.read(from, until, chance.nextInt(4));
                }
            }
            boolean is = isPossible(some.events(), 0);
            possible += is ? 1 : 0;
            assertEquals(is, some.impossible() == null, () -> some.events().toString());
        }
        assertTrue(possible > 2_000 && possible < 18_000, possible + " of them");
    }
}
