package tandem.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
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
}
