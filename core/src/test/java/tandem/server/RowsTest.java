package tandem.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.wire.Values;

class RowsTest {

    /// A weight and the count of its updates; begins at 2.
    private record Counted() implements UpdateRule {

        @Override
        public int columns() {
            return 2;
        }

        @Override
        public void update(float[] entries, int at, float gradient) {
            entries[at] += gradient;
            entries[at + 1]++;
        }

        @Override
        public void update(double[] entries, int at, double gradient) {
            entries[at] += gradient;
            entries[at + 1]++;
        }

        @Override
        public void begin(float[] entries, int at) {
            entries[at] = 2;
        }
    }

    /// Quarters add up without rounding, so both types must agree to the bit.
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 16})
    void doubles_and_floats_hold_the_same_rows(int width) {
        Rows floats = new FloatRows(new Counted(), width);
        Rows doubles = new DoubleRows(new Counted(), width);
        Random random = new Random(width);
        int size = 2 * Rows.SLAB + 77;
        for (int slot = 0; slot < size; slot++) {
            floats.make(slot, slot);
            doubles.make(slot, slot);
        }
        for (int round = 0; round < 20; round++) {
            int[] slots = random.ints(50, -1, size).toArray();
            float[] gradients = new float[50 * width];
            double[] same = new double[gradients.length];
            for (int g = 0; g < gradients.length; g++) {
                gradients[g] = random.nextInt(-8, 9) / 4f;
                same[g] = gradients[g];
            }
            floats.update(slots, 50, Values.of(gradients));
            doubles.update(slots, 50, Values.of(same));
            float[] read = ((Values.Floats) floats.read(slots, 50)).array();
            double[] alike = ((Values.Doubles) doubles.read(slots, 50)).array();
            for (int v = 0; v < read.length; v++) {
                assertEquals(read[v], alike[v]);
            }
            assertSame(floats, doubles, slots);
        }
        assertEquals(2 * floats.bytes(), doubles.bytes());
    }

    /// Slots that follow each other are worked on together; each must end as if it had been alone.
    @ParameterizedTest
    @CsvSource({"1, add", "3, add", "1, counted", "5, counted"})
    void rows_side_by_side_end_in_the_same_bits_as_one_after_the_other(int width, String name) {
        UpdateRule rule = name.equals("add") ? new Rules().named("add", new double[0]) : new Counted();
        for (boolean doubles : new boolean[] {false, true}) {
            Rows together = doubles ? new DoubleRows(rule, width) : new FloatRows(rule, width);
            Rows apart = doubles ? new DoubleRows(rule, width) : new FloatRows(rule, width);
            int size = 2 * Rows.SLAB + 77;
            for (int slot = 0; slot < size; slot++) {
                together.make(slot, slot);
                apart.make(slot, slot);
            }
            Random random = new Random(width);
            for (int round = 0; round < 40; round++) {
                int count = 1 + random.nextInt(300);
                int first = random.nextInt(3) == 0 ? Rows.SLAB - count / 2 : random.nextInt(size - count);
                int[] slots = new int[count];
                for (int k = 0; k < count; k++) {
                    boolean inOrder = round % 2 == 0 || random.nextInt(4) > 0;
                    slots[k] = inOrder ? first + k : random.nextInt(-1, size);
                }
                Values gradients = made(random, count * width, doubles);
                if (round % 2 == 0) {
                    together.update(first, count, gradients);
                    assertBits(together.read(slots, count), together.read(first, count));
                } else {
                    together.update(slots, count, gradients);
                }
                for (int k = 0; k < count; k++) {
                    apart.update(new int[] {slots[k]}, 1, gradients.piece(k * width, width));
                }
            }
            assertBits(together.read(0, size), apart.read(0, size));
        }
    }

    /// Rows that are all there from the start lie in longer slabs, and can be lent as they lie.
    @ParameterizedTest
    @CsvSource({"1, add, 10000", "3, add, 5000", "1, counted, 5000", "1, add, 1"})
    void rows_that_are_lent_are_those_that_would_be_copied(int width, String name, int size) {
        UpdateRule rule = name.equals("add") ? new Rules().named("add", new double[0]) : new Counted();
        for (boolean doubles : new boolean[] {false, true}) {
            Rows rows = doubles ? new DoubleRows(rule, width, size) : new FloatRows(rule, width, size);
            Rows plain = doubles ? new DoubleRows(rule, width) : new FloatRows(rule, width);
            for (int slot = 0; slot < size; slot++) {
                rows.make(slot, slot);
                plain.make(slot, slot);
            }
            Random random = new Random(size);
            for (int round = 0; round < 10; round++) {
                int first = random.nextInt(size);
                int count = 1 + random.nextInt(Math.min(20_000, size - first));
                Values gradients = made(random, count * width, doubles);
                rows.update(first, count, gradients);
                plain.update(first, count, gradients);
                assertBits(plain.read(first, count), rows.read(first, count));
                assertBits(plain.read(first, count), rows.lend(first, count).detached());
                assertBits(plain.read(first, count), plain.lend(first, count).detached());
            }
            assertEquals((doubles ? 8L : 4L) * size * width * rule.columns(), rows.bytes());
        }
    }

    private static Values made(Random random, int count, boolean doubles) {
        double[] numbers = random.doubles(count, -1, 1).toArray();
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
            floats[i] = (float) numbers[i];
        }
        return doubles ? Values.of(numbers) : Values.of(floats);
    }

    private static void assertBits(Values expected, Values seen) {
        switch (expected) {
            case Values.Floats floats -> assertArrayEquals(floats.array(), ((Values.Floats) seen).array());
            case Values.Doubles doubles -> assertArrayEquals(doubles.array(), ((Values.Doubles) seen).array());
            case Values.Packed _, Values.Ragged _ -> throw new AssertionError();
        }
    }

    private static void assertSame(Rows one, Rows other, int[] slots) {
        Cursor a = one.cursor();
        Cursor b = other.cursor();
        for (int slot : slots) {
            if (slot == KeyIndex.NONE) {
                continue;
            }
            a.at(slot, slot);
            b.at(slot, slot);
            for (int e = 0; e < a.length(); e++) {
                assertEquals(a.weight(e), b.weight(e));
                assertEquals(a.value(e, 1), b.value(e, 1));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_slot_that_is_used_again_begins_again_and_no_slot_reads_as_a_beginning(boolean inDoubles) {
        Rows rows = inDoubles ? new DoubleRows(new Counted(), 1) : new FloatRows(new Counted(), 1);
        rows.make(0, 7);
        Cursor row = rows.cursor().changing(true);
        row.at(7, 0).set(0, 0, 9);
        row.set(0, 1, 5);
        rows.make(0, 8);
        assertEquals(2, row.weight(0));
        assertEquals(0, row.value(0, 1));
        Values read = rows.read(new int[] {KeyIndex.NONE}, 1);
        double first = inDoubles ? ((Values.Doubles) read).array()[0] : ((Values.Floats) read).array()[0];
        assertEquals(2, first);
    }

    @Test
    void rows_take_values_of_their_type_and_number_only() {
        Rows rows = new DoubleRows(new Counted(), 2);
        assertTrue(rows.takes(Values.of(1.0, 2.0), 1));
        assertFalse(rows.takes(Values.of(1f, 2f), 1));
        assertFalse(rows.takes(Values.of(1.0), 1));
        assertFalse(rows.takes(null, 1));
    }

    @Test
    void a_rule_without_doubles_says_so_when_the_table_is_made() {
        UpdateRule floatsOnly = new UpdateRule() {
            @Override
            public int columns() {
                return 1;
            }

            @Override
            public void update(float[] entries, int at, float gradient) {
                entries[at] += gradient;
            }
        };
        assertTrue(assertThrows(IllegalArgumentException.class, () -> new DoubleRows(floatsOnly, 1))
                .getMessage()
                .contains("floats only"));
    }
}
