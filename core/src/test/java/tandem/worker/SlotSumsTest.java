package tandem.worker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlotSumsTest {

    @Test
    void sums_are_those_of_a_plain_array_however_often_they_begin_anew() {
        Random random = new Random(1);
        SlotSums sums = new SlotSums();
        double[] vector = {};
        double[] plain = new double[1000];
        for (int slots : new int[] {1, 31, 32, 33, 200, 200, 999, 1000}) {
            sums.clear();
            sums.grow(slots);
            for (int batch = 0; batch < 3; batch++) {
                int[] at = random.ints(20, 0, slots).toArray();
                double[] more = random.doubles(20).toArray();
                sums.add(at, more);
            }
            double[] alone = sums.addedTo(new double[0]);
            for (int k = 0; k < slots; k++) {
                plain[k] += alone[k];
            }
            vector = sums.addedTo(vector);
            assertArrayEquals(plain, Arrays.copyOf(vector, plain.length), 1e-12);
        }
    }

    @Test
    void numbers_are_added_at_their_slots() {
        SlotSums sums = new SlotSums();
        sums.grow(70);
        sums.add(new int[] {0, 31, 32, 69}, new double[] {1, 2, 3, 4});
        sums.add(new int[] {31, 64}, new double[] {5, 6});
        double[] expected = new double[70];
        expected[0] = 1;
        expected[31] = 7;
        expected[32] = 3;
        expected[64] = 6;
        expected[69] = 4;
        assertArrayEquals(expected, Arrays.copyOf(sums.addedTo(new double[0]), 70));
        sums.clear();
        sums.add(new int[] {30, 68}, new double[] {8, 9});
        expected = new double[70];
        expected[30] = 8;
        expected[68] = 9;
        assertArrayEquals(expected, Arrays.copyOf(sums.addedTo(new double[0]), 70));
    }
}
