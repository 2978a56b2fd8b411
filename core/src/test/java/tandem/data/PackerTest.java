package tandem.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tandem.math.Mix;

class PackerTest {

    private static final int KEYS = 400_000;

    /// The `n`th id whose key agrees with that of the others in the top 40 bits.
    private static long crowding(int n) {
        return Mix.unmix(0x1234_5678_9a00_0000L + n);
    }

    private static List<String> expected(Rows rows, long mask) {
        List<String> all = new ArrayList<>();
        for (int r = 0; r < rows.count; r++) {
            StringBuilder row = new StringBuilder("1");
            for (int e = rows.starts[r]; e < rows.starts[r + 1]; e++) {
                row.append(' ')
                        .append(Long.toUnsignedString(rows.ids[e] & mask))
                        .append(":1");
            }
            all.add(row.toString());
        }
        return all;
    }

    @Test
    void ids_chosen_to_crowd_are_packed_as_fast_as_others() {
        Rows rows = new Rows();
        for (int n = 0; n < KEYS; n++) {
            rows.add(crowding(n * 7919 % KEYS), 1);
            if (n % 100 == 99) {
                rows.end(1, 1, n);
            }
        }
        Batch batch = new Batch();
        // Quadratic, it takes minutes.
        assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> new Packer(64, false).pack(rows, 0, rows.count, 0, batch));
        assertEquals(KEYS, batch.keyCount());
        assertEquals(expected(rows, -1), Examples.unpack(batch));
    }

    @Test
    void crowding_ids_among_others_give_the_same_batch_as_a_plain_set() {
        for (int hashBits : new int[] {64, 63}) {
            SplittableRandom random = new SplittableRandom(hashBits);
            long mask = hashBits == 64 ? -1 : (1L << hashBits) - 1;
            Rows rows = new Rows();
            TreeSet<Long> ids = new TreeSet<>();
            for (int r = 0; r < 40; r++) {
                TreeSet<Long> row = new TreeSet<>();
                for (int e = 0; e < 50; e++) {
                    row.add(random.nextBoolean() ? crowding(random.nextInt(1000)) & mask : random.nextLong() & mask);
                }
                for (long id : row) {
                    rows.add(id, 1);
                }
                ids.addAll(row);
                rows.end(1, 1, r);
            }
            Batch batch = new Batch();
            new Packer(hashBits, false).pack(rows, 0, rows.count, 0, batch);
            assertEquals(ids.size(), batch.keyCount());
            assertEquals(expected(rows, mask), Examples.unpack(batch));
        }
    }

    @Test
    void a_row_that_names_a_crowding_id_twice_adds_its_values() {
        Rows rows = new Rows();
        for (int n = 0; n < 300; n++) {
            rows.add(crowding(n), 1);
            rows.add(crowding(299 - n), 2);
        }
        rows.end(1, 1, 0);
        Batch batch = new Batch();
        new Packer(64, true).pack(rows, 0, 1, 0, batch);
        assertEquals(300, batch.entries());
        for (int e = 0; e < 300; e++) {
            assertEquals(3, batch.values()[e]);
        }
    }

    @Test
    void ids_chosen_to_crowd_are_numbered_as_fast_as_others() {
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            KeyNumbers numbers = new KeyNumbers();
            for (int round = 0; round < 2; round++) {
                for (int n = 0; n < KEYS; n++) {
                    assertEquals(n, numbers.number(Mix.mix(crowding(n))));
                }
            }
            assertEquals(KEYS, numbers.size());
        });
    }
}
