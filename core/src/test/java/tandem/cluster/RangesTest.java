package tandem.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RangesTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 17, 100, 1000})
    void every_batch_is_given_once_whoever_asks_when_and_how_often(int count) {
        for (long seed = 0; seed < 50; seed++) {
            SplittableRandom chance = new SplittableRandom(seed);
            int workers = 1 + chance.nextInt(6);
            Ranges ranges = new Ranges(count, workers);
            int[] given = new int[count];
            int[] asked = new int[workers];
            for (int over = 0; over < workers; ) {
                int worker = Math.min(chance.nextInt(workers), chance.nextInt(workers));
                Ranges.Range range = ranges.give(worker, ++asked[worker]);
                assertEquals(range, ranges.give(worker, asked[worker]), "asked again");
                over += range.count() == 0 ? 1 : 0;
                for (long batch = range.from(); batch < range.to(); batch++) {
                    given[(int) batch]++;
                }
            }
            for (int times : given) {
                assertEquals(1, times, "seed " + seed);
            }
        }
    }

    @Test
    void a_worker_that_is_through_takes_from_the_far_end_of_whoever_has_most_left() {
        Ranges ranges = new Ranges(40, 2);
        for (int number = 1; number <= 20; number++) {
            assertTrue(ranges.give(0, number).to() <= 20);
        }
        assertEquals(new Ranges.Range(39, 40), ranges.give(0, 21));
        assertEquals(new Ranges.Range(20, 21), ranges.give(1, 1));
    }
}
