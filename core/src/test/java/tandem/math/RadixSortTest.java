package tandem.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RadixSortTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 255, 256, 257, 5_000})
    void values_follow_their_keys_in_unsigned_order(int n) {
        Random random = new Random(n);
        for (long mask : new long[] {-1L, 0xff, 0xffff00, 0xff000000000000ffL, 0}) {
            long[] keys = random.longs(n).map(key -> key & mask).toArray();
            double[] values = random.doubles(n).toArray();
            int[] order = IntStream.range(0, n)
                    .boxed()
                    .sorted(Comparator.comparing(i -> keys[i], Long::compareUnsigned))
                    .mapToInt(i -> i)
                    .toArray();
            long[] sortedKeys = Arrays.stream(order).mapToLong(i -> keys[i]).toArray();
            double[] sortedValues =
                    Arrays.stream(order).mapToDouble(i -> values[i]).toArray();
            RadixSort.sort(keys, values);
            assertEquals(Arrays.toString(sortedKeys), Arrays.toString(keys));
            assertEquals(Arrays.toString(sortedValues), Arrays.toString(values));
        }
    }
}
