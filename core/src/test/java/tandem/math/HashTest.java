package tandem.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Models keep ids made by these hashes, so their values must never change. They are Tandem's own; the values here
/// were worked out from the definition with whole numbers of any size, not with this code.
class HashTest {

    private record Known(long seed, String text, long hash) {}

    private static final List<Known> KNOWN = List.of(
            new Known(0, "", 0x0000000000000000L),
            new Known(0, "a", 0x54d30c3e3d9f7f11L),
            new Known(1, "a", 0xe5fdfde8294d3030L),
            new Known(0, "category", 0x99c8c985d8e380c4L),
            new Known(0, "click-through rate", 0xe30792e779867993L),
            new Known(7, "Zürich", 0x3c7091c0a247688aL));

    private static long hash(long seed, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return Hash.bytes(seed, bytes, 0, bytes.length);
    }

    @Test
    void bytes_have_known_hashes() {
        for (Known known : KNOWN) {
            assertEquals(known.hash(), hash(known.seed(), known.text()), known.text());
        }
    }

    @Test
    void numbers_and_key_lists_have_known_hashes() {
        assertEquals(0xb47ba06c8c079218L, Hash.number(0, 0));
        assertEquals(0x3339478026817deeL, Hash.number(5, 1_000_003));
        assertEquals(
                new Hash.Signature(0x38183a1d3b1fd7e5L, 0xc6c9bc6cf9e17978L),
                Hash.signature(new long[] {1, 2, 3, 99}, 3));
    }

    /// A list that is long too: who is sent a signature takes the list for one it has.
    @Test
    void a_key_changed_anywhere_in_a_list_changes_its_signature() {
        long[] keys = new Random(2).longs(3_000).sorted().toArray();
        Hash.Signature before = Hash.signature(keys, keys.length);
        for (int k = 0; k < keys.length; k++) {
            keys[k]++;
            Hash.Signature after = Hash.signature(keys, keys.length);
            assertTrue(before.high() != after.high() && before.low() != after.low(), "key " + k);
            keys[k]--;
        }
    }

    @Test
    void where_bytes_stand_does_not_matter() {
        byte[] text = "xxcategoryyy".getBytes(StandardCharsets.UTF_8);
        assertEquals(hash(3, "category"), Hash.bytes(3, text, 2, 10));
    }

    /// The length counts, so that zero bytes at the end do too.
    @Test
    void lengths_are_told_apart() {
        Set<Long> hashes = new HashSet<>();
        for (int length = 0; length < 64; length++) {
            assertTrue(hashes.add(Hash.bytes(0, new byte[64], 0, length)));
        }
    }

    @Test
    void a_bit_changed_anywhere_changes_about_half_of_the_bits() {
        byte[] text = new byte[24];
        new Random(1).nextBytes(text);
        for (int bit = 0; bit < text.length * 8; bit++) {
            byte[] other = Arrays.copyOf(text, text.length);
            other[bit / 8] ^= (byte) (1 << bit % 8);
            int changed = Long.bitCount(Hash.bytes(0, text, 0, 24) ^ Hash.bytes(0, other, 0, 24));
            assertTrue(changed > 10 && changed < 54, "bit " + bit + " changes " + changed);
        }
    }
}
