package tandem.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tandem.problem.Separable;
import tandem.solver.AdaGrad;
import tandem.solver.DiFacto;
import tandem.solver.FactorStep;
import tandem.solver.Ftrl;
import tandem.wire.Values;

class VariableRowsTest {

    private static final int WIDTH = 21;

    /// Adds, counts its updates, and grows by `step` entries with each; new entries begin as their key plus number.
    private record Growing(int step) implements RowRule {

        @Override
        public int columns() {
            return 2;
        }

        @Override
        public void begin(long key, float[] row, int at, int from, int to) {
            for (int e = from; e < to; e++) {
                row[at + 2 * e] = key + e;
            }
        }

        @Override
        public int update(float[] row, int at, int length, float[] gradients, int from, int count) {
            for (int e = 0; e < count; e++) {
                row[at + 2 * e] += gradients[from + e];
            }
            row[at + 1]++;
            return Math.min(WIDTH, length + step);
        }

        @Override
        public int shown(float[] row, int at, int length) {
            return row[at] == 0 ? 1 : length;
        }
    }

    /// Against plain arrays, one a row.
    @Test
    void rows_grow_and_keep_what_they_were() {
        VariableRows rows = new VariableRows(new Growing(3), WIDTH);
        Random random = new Random(1);
        float[][] plain = new float[300][];
        for (int slot = 0; slot < plain.length; slot++) {
            rows.make(slot, 1000 + slot);
            plain[slot] = new float[] {1000 + slot};
        }
        for (int round = 0; round < 100; round++) {
            int[] slots = random.ints(40, -1, plain.length).distinct().toArray();
            int[] lengths = new int[slots.length];
            Arrays.setAll(lengths, k -> random.nextInt(WIDTH + 1));
            float[] gradients = new float[Arrays.stream(lengths).sum()];
            for (int g = 0; g < gradients.length; g++) {
                gradients[g] = random.nextInt(8);
            }
            Values.Ragged pushed = Values.Ragged.packed(gradients, lengths);
            rows.update(slots, slots.length, pushed);
            for (int k = 0; k < slots.length; k++) {
                if (slots[k] >= 0) {
                    grow(plain, slots[k], pushed, k);
                }
            }
            Values.Ragged read = (Values.Ragged) rows.read(slots, slots.length);
            for (int k = 0; k < slots.length; k++) {
                float[] row = Arrays.copyOfRange(read.array(), read.start(k), read.start(k) + read.length(k));
                assertArrayEquals(slots[k] < 0 ? new float[0] : plain[slots[k]], row);
            }
        }
    }

    private static void grow(float[][] plain, int slot, Values.Ragged pushed, int k) {
        float[] row = plain[slot];
        for (int e = 0; e < Math.min(row.length, pushed.length(k)); e++) {
            row[e] += pushed.array()[pushed.start(k) + e];
        }
        plain[slot] = Arrays.copyOf(row, Math.min(WIDTH, row.length + 3));
        for (int e = row.length; e < plain[slot].length; e++) {
            plain[slot][e] = 1000 + slot + e;
        }
    }

    /// The same slots begin and grow again and again: the blocks that rows outgrow are used again, so memory stays.
    @Test
    void rows_that_grow_leave_nothing_behind() {
        VariableRows rows = new VariableRows(new Growing(1), WIDTH);
        int[] slots = new int[200];
        Arrays.setAll(slots, k -> k);
        Values none = Values.Ragged.packed(new float[0], new int[200]);
        long[] bytes = new long[30];
        for (int life = 0; life < bytes.length; life++) {
            for (int slot : slots) {
                rows.make(slot, slot);
            }
            for (int step = 0; step < WIDTH; step++) {
                rows.update(slots, slots.length, none);
            }
            bytes[life] = rows.bytes();
        }
        assertEquals(bytes[1], bytes[29]);
    }

    @Test
    void a_rule_can_keep_entries_to_itself() {
        VariableRows rows = new VariableRows(new Growing(4), WIDTH);
        rows.make(0, 0);
        rows.update(new int[] {0}, 1, Values.Ragged.packed(new float[] {0}, 1));
        assertEquals(1, ((Values.Ragged) rows.read(new int[] {0}, 1)).length(0));
        rows.update(new int[] {0}, 1, Values.Ragged.packed(new float[] {7}, 1));
        assertEquals(9, ((Values.Ragged) rows.read(new int[] {0}, 1)).length(0));
    }

    @Test
    void rows_take_values_of_lengths_that_can_be() {
        VariableRows rows = new VariableRows(new Growing(1), WIDTH);
        assertTrue(rows.takes(Values.Ragged.packed(new float[WIDTH], WIDTH, 0), 2));
        assertFalse(rows.takes(Values.Ragged.packed(new float[WIDTH + 1], WIDTH + 1, 0), 2));
        assertFalse(rows.takes(Values.Ragged.packed(new float[1], 1), 2));
        assertFalse(rows.takes(Values.of(1f), 1));
    }

    @Test
    void a_rule_that_shortens_a_row_is_told() {
        VariableRows rows = new VariableRows(new Growing(-1), WIDTH);
        rows.make(0, 5);
        Values push = Values.Ragged.packed(new float[] {1}, 1);
        assertThrows(IllegalArgumentException.class, () -> rows.update(new int[] {0}, 1, push));
    }

    /// Four floats of a feature, and two for each factor of those that have them.
    @Test
    void features_of_a_factorisation_machine_take_what_they_have_earned() {
        int dimension = 5;
        FactorStep step = new FactorStep(new AdaGrad(0.1, 1, Separable.NONE), 0);
        DiFacto rule = new DiFacto(new Ftrl(0.1, 1, Separable.l1(0.5)), step, dimension, 3, true, 0.01, 1);
        VariableRows rows = new VariableRows(rule, DiFacto.width(dimension));
        int count = 40;
        int[] slots = new int[count];
        int factored = 0;
        for (int slot = 0; slot < count; slot++) {
            slots[slot] = slot;
            rows.make(slot, 1_000 + slot);
            boolean frequent = slot % 3 == 0;
            boolean weighty = slot % 2 == 0;
            rows.update(
                    new int[] {slot}, 1, Values.Ragged.packed(new float[] {weighty ? 2 : 0.1f, frequent ? 3 : 2}, 2));
            factored += frequent && weighty ? 1 : 0;
            Values.Ragged pulled = (Values.Ragged) rows.read(new int[] {slot}, 1);
            assertEquals(frequent && weighty ? 1 + dimension : 1, pulled.length(0));
        }
        int floats = 0;
        Values.Ragged states = (Values.Ragged) rows.states(slots, count);
        for (int slot = 0; slot < count; slot++) {
            floats += states.length(slot);
        }
        assertEquals(4 * count + 2 * dimension * factored, floats);
        assertEquals(7, factored);
    }
}
