package tandem.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyIndexTest {

    /// Keys that crowd at the end of the index, so that chains go round it, and keys spread out, against a plain map.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void keys_that_come_and_go_are_found_as_in_a_plain_map(boolean crowding) {
        KeyIndex index = new KeyIndex(0, 1, 5);
        Map<Long, Integer> plain = new TreeMap<>();
        Random random = new Random(3);
        for (int step = 0; step < 20_000; step++) {
            long key = crowding ? -1L - random.nextInt(700) : random.nextInt(2000) * 0x123456789abcdefL;
            if (random.nextInt(5) < 2) {
                index.remove(key);
                plain.remove(key);
            } else {
                int slot = plain.getOrDefault(key, step);
                assertEquals(slot, index.findOrPut(key, step));
                plain.put(key, slot);
            }
            assertEquals(plain.size(), index.size());
            long other = crowding ? -1L - random.nextInt(700) : random.nextInt(2000) * 0x123456789abcdefL;
            assertEquals(plain.getOrDefault(other, KeyIndex.NONE), index.find(other));
        }
        plain.forEach((key, slot) -> assertEquals(slot, index.find(key)));
    }

    /// Lists of odd lengths, from odd places on, where keys are missing, stand next to each other and far from home.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_list_is_found_as_its_keys_are_one_by_one(boolean crowding) {
        KeyIndex index = new KeyIndex(0, 1, 5);
        Random random = new Random(4);
        long[] keys = new long[3000];
        for (int k = 0; k < keys.length; k++) {
            keys[k] = crowding ? -1L - random.nextInt(6000) : random.nextLong();
            if (k % 3 > 0) {
                index.findOrPut(keys[k], k);
            }
        }
        for (int count : new int[] {0, 1, 63, 64, 65, 1000, 2990}) {
            int[] slots = new int[count + 5];
            index.find(keys, 7, 7 + count, slots, 3);
            for (int k = 0; k < count; k++) {
                assertEquals(index.find(keys[7 + k]), slots[3 + k], "key " + k + " of " + count);
            }
            assertEquals(0, slots[2]);
            assertEquals(0, slots[count + 3]);
        }
    }

    /// Lists of keys come sorted, so the first keys of an index are the lowest of the first list, all near its
    /// beginning.
    @ParameterizedTest
    @ValueSource(ints = {700, 12_500, 100_000})
    void keys_that_come_in_ascending_lists_keep_their_order(int list) {
        KeyIndex index = new KeyIndex(0, 1, 5);
        SplittableRandom random = new SplittableRandom(8);
        int slot = 0;
        for (int round = 0; round < 4; round++) {
            long[] keys = random.longs(list, 0, Long.MAX_VALUE).sorted().toArray();
            for (long key : keys) {
                index.findOrPut(2 * key, slot++);
            }
            assertTrue(index.keepsOrder(), "list " + round);
            assertEquals(slot - 1, index.find(2 * keys[list - 1]));
        }
        assertEquals(4 * list, index.size());
    }

    @Test
    void keys_whose_first_bits_agree_are_spread_by_chance() {
        KeyIndex index = new KeyIndex(0, 1, 5);
        for (int k = 0; k < 200_000; k++) {
            assertEquals(k, index.findOrPut(7L << 40 | k, k));
        }
        assertFalse(index.keepsOrder());
        for (int k = 0; k < 200_000; k++) {
            assertEquals(k, index.find(7L << 40 | k));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 640, 641, 1280, 1281, 50_000})
    void its_memory_is_known_beforehand(int keys) {
        KeyIndex index = new KeyIndex(0, 1, 5);
        for (int k = 0; k < keys; k++) {
            index.findOrPut(k * 0x9e3779b97f4a7c15L, k);
        }
        assertEquals(index.bytes(), KeyIndex.bytes(keys));
        assertTrue(index.size() == keys);
    }

    /// Whatever came first, where keys go round the end of the index, and where they crowd.
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void keys_are_shown_in_their_order_however_they_came(int kind) {
        Random random = new Random(6);
        KeyIndex index = new KeyIndex(0, 1, 5);
        Map<Long, Integer> plain = new TreeMap<>(Long::compareUnsigned);
        for (int slot = 0; slot < 5_000; slot++) {
            long key = switch (kind) {
                case 0 -> random.nextLong();
                case 1 -> slot < 40 ? -1L - random.nextInt(1 << 20) : random.nextLong();
                default -> 77L + random.nextInt(1 << 20);
            };
            plain.putIfAbsent(key, slot);
            index.findOrPut(key, slot);
        }
        assertEquals(kind < 2, index.keepsOrder());
        StringBuilder shown = new StringBuilder();
        index.forEachInOrder(
                (key, slot) -> shown.append(key).append('=').append(slot).append(", "));
        StringBuilder expected = new StringBuilder();
        plain.forEach(
                (key, slot) -> expected.append(key).append('=').append(slot).append(", "));
        assertEquals(expected.toString(), shown.toString());
    }
}
