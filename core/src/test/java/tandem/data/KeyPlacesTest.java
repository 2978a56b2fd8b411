package tandem.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.math.KeySpace;
import tandem.math.Mix;

class KeyPlacesTest {

    private static final int FEATURES = 5_000;

    @TempDir
    private Path at;

    private static long[] keys(int count) {
        long[] keys = new long[count];
        Arrays.setAll(keys, k -> Mix.mix(3L * k + 3));
        return keys;
    }

    private static byte[] owners(int count, int parts) {
        byte[] owners = new byte[count];
        Random random = new Random(parts);
        for (int k = 0; k < count; k++) {
            owners[k] = (byte) random.nextInt(parts);
        }
        return owners;
    }

    private static KeyPlaces places(int parts) {
        return KeyPlaces.of(keys(FEATURES), owners(FEATURES, parts), parts);
    }

    private static void assertRound(KeyPlaces places, long mixed) {
        assertEquals(mixed, places.mixed(places.key(mixed)));
        assertEquals(mixed, places.key(places.mixed(mixed)));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 8, 61, 64})
    void a_feature_has_a_key_of_its_parts_range_in_the_order_of_mixed_keys(int parts) {
        KeyPlaces places = places(parts);
        long[] keys = keys(FEATURES);
        byte[] owners = owners(FEATURES, parts);
        Set<Long> all = new HashSet<>();
        for (int k = 0; k < FEATURES; k++) {
            long key = places.key(keys[k]);
            assertEquals(owners[k], KeySpace.range(key, parts));
            assertTrue(all.add(key), "two features have one key");
            assertRound(places, keys[k]);
        }
        for (int k = 1; k < FEATURES; k++) {
            if (owners[k] == owners[k - 1]) {
                assertEquals(
                        Long.compareUnsigned(keys[k - 1], keys[k]),
                        Long.compareUnsigned(places.key(keys[k - 1]), places.key(keys[k])));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 64})
    void a_feature_that_nobody_has_placed_has_a_key_of_its_own_too(int parts) {
        KeyPlaces places = places(parts);
        long[] keys = keys(FEATURES);
        Set<Long> placed = new HashSet<>();
        Set<Long> taken = new HashSet<>();
        for (long key : keys) {
            placed.add(key);
            taken.add(places.key(key));
        }
        Random random = new Random(parts);
        for (int k = 0; k < FEATURES; k++) {
            assertRound(places, random.nextLong());
            // Another was placed at its own key.
            long robbed = places.key(keys[k]);
            if (!placed.contains(robbed)) {
                assertTrue(taken.add(places.key(robbed)), "two features have one key");
                assertRound(places, robbed);
            }
        }
        for (long edge : new long[] {0, 1, -1, -2, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertRound(places, edge);
        }
    }

    /// One feature is placed where the next would be, which is placed elsewhere itself: who would be there gets what
    /// the first has left.
    @Test
    void keys_that_were_taken_are_made_up_for_along_the_way() {
        long first = Mix.mix(1);
        long second = KeyPlaces.of(new long[] {first}, new byte[] {2}, 3).key(first);
        KeyPlaces places = KeyPlaces.of(new long[] {first, second}, new byte[] {2, 0}, 3);
        long third = places.key(second);
        assertEquals(second, places.key(first));
        assertEquals(first, places.key(third));
        assertEquals(third, places.mixed(first));
    }

    /// Ids that somebody chose: keys next to each other, more than a range has room for.
    @Test
    void features_that_would_have_one_key_have_two() {
        long[] crowd = new long[100];
        Arrays.setAll(crowd, k -> 1_000_000 + k);
        KeyPlaces places = KeyPlaces.of(crowd, new byte[100], 4);
        assertTrue(places.count() < 50, places.count() + " are placed");
        Set<Long> all = new HashSet<>();
        for (long mixed : crowd) {
            assertTrue(all.add(places.key(mixed)), "two features have one key");
            assertRound(places, mixed);
        }
    }

    @Test
    void without_parts_keys_are_as_they_are() {
        assertTrue(KeyPlaces.of(keys(10), new byte[10], 1).isNone());
        assertEquals(77, KeyPlaces.NONE.key(77));
        assertEquals(-77, KeyPlaces.NONE.mixed(-77));
    }

    @Test
    void batches_under_other_keys_have_the_same_rows() {
        long[][] ids = {{3, 9, 12}, {9}, {}, {30, 3}};
        Batch batch = HandBatch.of(ids, new float[][] {{1, 2, 3}, {4}, {}, {5, 6}}, new double[] {1, 0, 1, 0});
        KeyPlaces places = places(4);
        Batch placed = batch.copy();
        placed.rekey(places::key);
        for (int k = 1; k < placed.keyCount(); k++) {
            assertTrue(Long.compareUnsigned(placed.keys()[k - 1], placed.keys()[k]) < 0, "keys do not ascend");
        }
        assertNotEquals(batch.signatureLow(), placed.signatureLow());
        for (int e = 0; e < batch.entries(); e++) {
            assertEquals(
                    batch.keys()[batch.positions()[e]],
                    places.mixed(placed.keys()[placed.positions()[e]]),
                    "entry " + e);
        }
        placed.rekey(places::mixed);
        Batch plain = batch.copy();
        assertArrayEquals(plain.keys(), placed.keys());
        assertArrayEquals(plain.positions(), placed.positions());
        assertArrayEquals(plain.values(), placed.values());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, FEATURES, 150_000})
    void what_is_written_reads_the_same(int features) throws IOException {
        Path file = at.resolve("places");
        long[] keys = keys(features);
        KeyPlaces places = KeyPlaces.of(keys, owners(features, 7), 7);
        places.write(file);
        assertTrue(Files.size(file) < 9.1 * features + 200, Files.size(file) + " bytes");
        KeyPlaces read = KeyPlaces.read(file);
        for (long key : keys) {
            assertEquals(places.key(key), read.key(key));
        }
    }

    @Test
    void any_damage_is_refused_with_what_to_do() throws IOException {
        Path file = at.resolve("places");
        KeyPlaces.of(keys(20), owners(20, 3), 3).write(file);
        byte[] whole = Files.readAllBytes(file);
        for (int k = 0; k < whole.length; k++) {
            byte[] damaged = whole.clone();
            damaged[k] ^= 1;
            assertRefused(file, damaged);
            assertRefused(file, Arrays.copyOf(whole, k));
        }
        Files.delete(file);
        String told =
                assertThrows(IOException.class, () -> KeyPlaces.read(file)).getMessage();
        assertTrue(told.contains("cannot be read (it is not there)"), told);
    }

    private static void assertRefused(Path file, byte[] bytes) throws IOException {
        Files.write(file, bytes);
        String told =
                assertThrows(IOException.class, () -> KeyPlaces.read(file)).getMessage();
        assertTrue(told.contains("the places of features cannot be read (it") || told.contains("(a piece"), told);
        assertTrue(told.endsWith("train again, and they will be written anew"), told);
    }
}
