package tandem.math;

/// Sorts unsigned 64-bit numbers and what belongs to them, byte by byte from the lowest. A byte that is the
/// same everywhere costs one look, so small ids sort in two or three rounds.
public final class RadixSort {

    private RadixSort() {}

    /// Sorts `keys` ascending as unsigned numbers and moves `values` along.
    public static void sort(long[] keys, double[] values) {
        int n = keys.length;
        long varying = 0;
        for (long key : keys) {
            varying |= key ^ keys[0];
        }
        long[] fromKeys = keys;
        double[] fromValues = values;
        long[] toKeys = new long[n];
        double[] toValues = new double[n];
        boolean swapped = false;
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            if ((varying >>> shift & 0xff) == 0) {
                continue;
            }
            int[] starts = new int[257];
            for (long key : fromKeys) {
                starts[(int) (key >>> shift & 0xff) + 1]++;
            }
            for (int b = 0; b < 256; b++) {
                starts[b + 1] += starts[b];
            }
            for (int i = 0; i < n; i++) {
                int place = starts[(int) (fromKeys[i] >>> shift & 0xff)]++;
                toKeys[place] = fromKeys[i];
                toValues[place] = fromValues[i];
            }
            long[] swapKeys = fromKeys;
            fromKeys = toKeys;
            toKeys = swapKeys;
            double[] swapValues = fromValues;
            fromValues = toValues;
            toValues = swapValues;
            swapped = !swapped;
        }
        if (swapped) {
            System.arraycopy(fromKeys, 0, keys, 0, n);
            System.arraycopy(fromValues, 0, values, 0, n);
        }
    }
}
