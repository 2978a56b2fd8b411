package tandem.worker;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.Predicate;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.data.KeyNumbers;
import tandem.wire.Keys;

/// The features of all workers, numbered alike by all of them, so that arrays of what there is to each can be summed.
final class SharedKeys {

    private static final int HALF = 32;
    private static final long LOW = (1L << HALF) - 1;

    private final KeyNumbers met;

    /// Ascending.
    private final long[] keys;

    /// The place of each key among those, by the number it has in `met`.
    private final int[] ranks;

    private int[] numbers = new int[0];

    private SharedKeys(KeyNumbers met) {
        this.met = met;
        keys = met.keys();
        ranks = StreamRows.ranks(keys);
    }

    /// The features of the batches of some streams.
    static long[] of(Batches data, int pass, int[] streams, int all) throws IOException {
        KeyNumbers met = new KeyNumbers();
        Batch batch = new Batch();
        for (int stream : streams) {
            Batches.Pass batches = data.pass(pass, stream, all);
            while (batches.next(batch)) {
                for (int k = 0; k < batch.keyCount(); k++) {
                    met.number(batch.keys()[k]);
                }
            }
        }
        return met.keys();
    }

    /// Has all workers tell each other their keys: each puts them where nobody else has any, and the sum has all. Null
    /// if they are not to go on.
    ///
    /// @param sum sums an array over all workers, unless they are not to go on
    static SharedKeys agree(long[] own, int self, int workers, Predicate<double[]> sum) {
        double[] counts = new double[workers];
        counts[self] = own.length;
        if (!sum.test(counts)) {
            return null;
        }
        double total = Arrays.stream(counts).sum();
        if (total > (Integer.MAX_VALUE - 64) / 2.0) {
            throw new IllegalArgumentException("workers have " + (long) total
                    + " features together, too many to send all of them round; use --exchange server");
        }
        // A double holds half a key exactly.
        double[] halves = new double[2 * (int) total];
        int at = 2 * (int) Arrays.stream(counts, 0, self).sum();
        for (long key : own) {
            halves[at++] = key >>> HALF;
            halves[at++] = key & LOW;
        }
        if (!sum.test(halves)) {
            return null;
        }
        KeyNumbers met = new KeyNumbers();
        for (int k = 0; k < halves.length; k += 2) {
            met.number((long) halves[k] << HALF | (long) halves[k + 1]);
        }
        return new SharedKeys(met);
    }

    int count() {
        return keys.length;
    }

    /// Keys `from` until `to`.
    Keys part(int from, int to) {
        return Keys.once(Arrays.copyOfRange(keys, from, to), to - from);
    }

    /// The numbers of the keys of a batch.
    int[] numbers(Batch batch) {
        if (numbers.length < batch.keyCount()) {
            numbers = new int[batch.keyCount() + (batch.keyCount() >> 2)];
        }
        for (int k = 0; k < batch.keyCount(); k++) {
            numbers[k] = ranks[met.number(batch.keys()[k])];
        }
        return numbers;
    }
}
