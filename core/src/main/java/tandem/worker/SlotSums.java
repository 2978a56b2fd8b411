package tandem.worker;

import java.util.Arrays;

/// Sums by slot of which most may be 0: it is known which blocks of slots have others, so that adding them to a vector
/// and beginning anew cost what was summed up, whatever the number of slots.
final class SlotSums {

    /// Slots of a block, as a power of two.
    private static final int SHIFT = 5;

    private double[] sums = {};

    /// By block, whether something was added.
    private boolean[] touched = {};

    /// Makes room for so many slots.
    void grow(int slots) {
        if (slots > sums.length) {
            int blocks = (slots + slots / 4 >>> SHIFT) + 1;
            sums = Arrays.copyOf(sums, blocks << SHIFT);
            touched = Arrays.copyOf(touched, blocks);
        }
    }

    /// Adds numbers to those at slots.
    void add(int[] slots, double[] more) {
        for (int k = 0; k < slots.length; k++) {
            sums[slots[k]] += more[k];
            touched[slots[k] >>> SHIFT] = true;
        }
    }

    void clear() {
        for (int block = 0; block < touched.length; block++) {
            if (touched[block]) {
                Arrays.fill(sums, block << SHIFT, block + 1 << SHIFT, 0);
                touched[block] = false;
            }
        }
    }

    /// Adds all to a vector, which is made longer if it must be.
    double[] addedTo(double[] vector) {
        double[] all = vector.length < sums.length ? Arrays.copyOf(vector, sums.length) : vector;
        for (int block = 0; block < touched.length; block++) {
            if (touched[block]) {
                for (int k = block << SHIFT; k < block + 1 << SHIFT; k++) {
                    all[k] += sums[k];
                }
            }
        }
        return all;
    }
}
