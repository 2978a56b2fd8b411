package tandem.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tandem.math.Mix;

class TableTest {

    /// Adds the gradient to the weight and counts pushes.
    private static final UpdateRule ADD = new UpdateRule() {
        @Override
        public int columns() {
            return 2;
        }

        @Override
        public void update(float[] e, int at, float g) {
            e[at] += g;
            e[at + 1]++;
        }
    };

    @Test
    void a_new_key_starts_at_zero_and_keeps_its_slot() {
        Table table = new Table(ADD);
        long[] keys = {0, 5, Long.MIN_VALUE, -1};
        int[] slots = new int[4];
        table.resolve(keys, 4, slots);
        assertEquals(4, Arrays.stream(slots).distinct().count());
        float[] weights = {9, 9, 9, 9};
        table.pull(slots, 4, weights);
        assertEquals("[0.0, 0.0, 0.0, 0.0]", Arrays.toString(weights));

        int[] again = new int[4];
        table.resolve(keys, 4, again);
        assertEquals(Arrays.toString(slots), Arrays.toString(again));
        assertEquals(4, table.size());
    }

    @Test
    void a_push_changes_the_listed_keys_and_clears_their_gradients() {
        Table table = new Table(ADD);
        int[] slots = new int[3];
        table.resolve(new long[] {1, 2, 3}, 3, slots);
        float[] gradients = {1, 2, 3};
        float[] weights = new float[3];
        table.push(slots, new int[] {2, 0}, 2, gradients, weights);
        assertEquals("[1.0, 0.0, 3.0]", Arrays.toString(weights));
        assertEquals("[0.0, 2.0, 0.0]", Arrays.toString(gradients));
    }

    @Test
    void many_pushes_agree_with_a_hash_map() {
        Table table = new Table(ADD);
        Map<Long, Float> twin = new HashMap<>();
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            long[] keys = random.longs(400, 0, 40_000)
                    .map(Mix::mix)
                    .distinct()
                    .boxed()
                    .sorted(Long::compareUnsigned)
                    .mapToLong(Long::longValue)
                    .toArray();
            int[] slots = new int[keys.length];
            int[] listed = new int[keys.length];
            float[] gradients = new float[keys.length];
            table.resolve(keys, keys.length, slots);
            for (int k = 0; k < keys.length; k++) {
                listed[k] = k;
                gradients[k] = random.nextInt(100);
                twin.merge(keys[k], gradients[k], Float::sum);
            }
            table.push(slots, listed, keys.length, gradients, new float[keys.length]);
        }
        assertEquals(twin.size(), table.size());
        Map<Long, Float> found = new HashMap<>();
        table.forEach((key, entries, at) -> found.put(key, entries[at]));
        assertEquals(twin, found);
    }

    @Test
    void a_restored_entry_has_all_its_columns() {
        Table table = new Table(ADD);
        table.restore(42, new float[] {1.5f, 3});
        table.forEach((key, entries, at) -> {
            assertEquals(42, key);
            assertEquals(1.5f, entries[at]);
            assertEquals(3, entries[at + 1]);
        });
        assertEquals(1, table.size());
    }

    @Test
    void threads_that_resolve_the_same_keys_get_the_same_slots() throws InterruptedException {
        Table table = new Table(ADD);
        long[] keys = new Random(3)
                .longs(50_000)
                .boxed()
                .sorted(Long::compareUnsigned)
                .mapToLong(Long::longValue)
                .toArray();
        int[][] slots = new int[4][keys.length];
        Thread[] threads = new Thread[4];
        for (int t = 0; t < 4; t++) {
            int[] mine = slots[t];
            threads[t] = new Thread(() -> table.resolve(keys, keys.length, mine));
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(keys.length, Arrays.stream(slots[0]).distinct().count());
        for (int t = 1; t < 4; t++) {
            assertEquals(-1, Arrays.mismatch(slots[0], slots[t]));
        }
    }

    @Test
    void keys_that_crowd_are_found_as_fast_as_others() {
        int count = 300_000;
        long[] keys = new long[count];
        Arrays.setAll(keys, k -> 0x1234_5678_9a00_0000L + k);
        int[] slots = new int[count];
        int[] again = new int[count];
        // Quadratic, it takes minutes.
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            Table table = new Table(ADD, 7);
            table.resolve(keys, count, slots);
            table.find(keys, count, again);
            assertEquals(count, table.size());
        });
        assertArrayEquals(slots, again);
        assertEquals(count, Arrays.stream(slots).distinct().count());
    }

    /// The same in no hurry: who reads the weight at the same moment as another loses that one's update.
    private static final UpdateRule SLOW_ADD = new UpdateRule() {
        @Override
        public int columns() {
            return 2;
        }

        @Override
        public void update(float[] e, int at, float g) {
            float before = e[at];
            Thread.yield();
            e[at] = before + g;
            e[at + 1]++;
        }
    };

    /// A rule of pure addition and whole numbers: the sum is exact if, and only if, no update was lost.
    @Test
    void a_strict_table_loses_no_update_of_any_thread() throws InterruptedException {
        Table table = new Table(SLOW_ADD, 0, Hogwild.STRICT);
        long[] keys = {1, 2, 3};
        int threads = 4;
        int pushes = 2_000;
        List<Thread> crew = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            crew.add(Thread.ofPlatform().start(() -> {
                int[] slots = new int[keys.length];
                table.resolve(keys, keys.length, slots);
                for (int k = 0; k < pushes; k++) {
                    table.push(slots, new int[] {0, 1, 2}, 3, new float[] {1, 2, 3}, new float[3]);
                }
            }));
        }
        for (Thread one : crew) {
            one.join();
        }
        table.forEach((key, entries, at) -> {
            assertEquals((float) key * threads * pushes, entries[at]);
            assertEquals(threads * pushes, entries[at + 1]);
        });
    }
}
