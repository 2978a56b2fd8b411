package tandem.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SketchTest {

    @Test
    void a_count_is_never_too_low_and_seldom_too_high() {
        Sketch sketch = new Sketch(4 << 14);
        int[] counts = new int[4000];
        Random random = new Random(1);
        for (int i = 0; i < 1 << 13; i++) {
            int key = random.nextInt(counts.length);
            counts[key]++;
            assertTrue(sketch.add(key * 0x9e3779b97f4a7c15L) >= counts[key]);
        }
        int high = 0;
        for (int key = 0; key < counts.length; key++) {
            high += sketch.count(key * 0x9e3779b97f4a7c15L) > counts[key] ? 1 : 0;
        }
        assertTrue(high < counts.length / 100, high + " are too high");
    }

    @Test
    void counts_are_halved_once_it_has_counted_as_many_as_a_row_has_counters() {
        Sketch sketch = new Sketch(4 << 10);
        for (int i = 0; i < 100; i++) {
            sketch.add(7);
        }
        for (int i = 0; i < 1024 - 100; i++) {
            sketch.add(1000 + i);
        }
        assertEquals(100, sketch.count(7));
        assertEquals(51, sketch.add(7));
    }

    @Test
    void a_count_stops_at_what_fits_into_a_byte() {
        Sketch sketch = new Sketch(4 << 10);
        for (int i = 1; i <= 1000; i++) {
            assertEquals(Math.min(255, i), sketch.add(5));
        }
    }

    @Test
    void it_takes_no_more_memory_than_it_is_given() {
        for (long bytes : new long[] {1 << 10, 5000, 4096, 65_535, 1 << 20}) {
            long taken = new Sketch(bytes).bytes();
            assertTrue(taken <= bytes && 2 * taken > bytes, taken + " of " + bytes);
        }
    }
}
