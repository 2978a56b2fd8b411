package tandem.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PendingTest {

    private static final float[] ONES = {1, 1, 1, 1, 1, 1};

    @Test
    void the_largest_relative_changes_go_first_and_the_rest_stays() {
        Pending pending = new Pending(1);
        pending.add(new long[] {1, 2, 3, -1}, 4, new float[] {5, -8, 1, 4}, new float[] {10, 4, -0.25f, 1});
        Pending.Rows first = pending.take(2, Rationed.RELATIVE);
        assertArrayEquals(new long[] {3, -1}, first.keys());
        assertArrayEquals(new float[] {1, 4}, first.changes());
        assertEquals(2, pending.count());
        assertArrayEquals(new float[] {5, -8}, pending.takeAll().changes());
        assertEquals(0, pending.count());
    }

    @Test
    void rows_that_were_zero_go_before_all_others_and_ties_are_no_trouble() {
        Pending pending = new Pending(1);
        pending.add(new long[] {1, 2, 3, 4}, 4, ONES, new float[] {1, 0, 1, 1});
        assertArrayEquals(new long[] {1, 2}, pending.take(2, Rationed.RELATIVE).keys());
        assertArrayEquals(new long[] {3, 4}, pending.takeAll().keys());
    }

    /// Against a plain map, over rows of several widths.
    @Test
    void sums_are_those_of_a_map_whatever_is_taken_when() {
        for (int width = 1; width <= 3; width++) {
            SplittableRandom chance = new SplittableRandom(width);
            Pending pending = new Pending(width);
            Map<Long, float[]> plain = new TreeMap<>(Long::compareUnsigned);
            Map<Long, float[]> taken = new TreeMap<>(Long::compareUnsigned);
            for (int round = 0; round < 200; round++) {
                int size = width;
                long[] keys = chance.longs(chance.nextInt(20), -30, 30)
                        .distinct()
                        .boxed()
                        .sorted(Long::compareUnsigned)
                        .mapToLong(Long::longValue)
                        .toArray();
                float[] change = new float[keys.length * width];
                float[] read = new float[keys.length * width];
                for (int i = 0; i < change.length; i++) {
                    change[i] = chance.nextInt(-8, 8);
                    read[i] = chance.nextInt(4);
                    plain.computeIfAbsent(keys[i / width], _ -> new float[size])[i % width] += change[i];
                }
                pending.add(keys, keys.length, change, read);
                add(taken, pending.take(chance.nextInt(10), Rationed.RELATIVE), width);
            }
            add(taken, pending.takeAll(), width);
            plain.forEach((key, row) -> assertArrayEquals(row, taken.get(key), () -> "key " + key));
        }
    }

    private static void add(Map<Long, float[]> to, Pending.Rows rows, int width) {
        for (int i = 0; i < rows.changes().length; i++) {
            to.computeIfAbsent(rows.keys()[i / width], _ -> new float[width])[i % width] += rows.changes()[i];
        }
    }
}
