package tandem.data;

import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import tandem.math.Hash;
import tandem.math.RadixSort;

/// Examples packed for the table they train: the sorted unique keys that occur, and rows that point
/// into them, so that a pull or push touches each key once.
///
/// Keys are in mixed space ([tandem.math.Mix]), or placed ([KeyPlaces]), ascending as unsigned numbers. Row `r` holds
/// the entries `starts()[r]` until `starts()[r + 1]`; entry `e` is key `keys()[positions()[e]]` with value
/// `values()[e]`. Arrays may be longer than what is used: go by the counts. A batch is filled again
/// and again by the one thread that owns it.
public final class Batch {

    private int rows;
    private int entries;
    private int keyCount;
    private long signatureHigh;
    private long signatureLow;
    private long number;
    private long[] keys = new long[0];
    private int[] starts = new int[1];
    private int[] positions = new int[0];
    private float[] values = new float[0];
    private double[] labels = new double[0];
    private float[] weights = new float[0];
    private byte[] scratch = new byte[0];

    /// How many examples it holds.
    public int rows() {
        return rows;
    }

    /// How many non-zero entries its rows have together.
    public int entries() {
        return entries;
    }

    public int keyCount() {
        return keyCount;
    }

    /// Which batch of the data this is, counted from 0, whatever order a pass takes.
    public long number() {
        return number;
    }

    /// The first half of the 128-bit signature of the whole key list.
    public long signatureHigh() {
        return signatureHigh;
    }

    public long signatureLow() {
        return signatureLow;
    }

    public long[] keys() {
        return keys;
    }

    public int[] starts() {
        return starts;
    }

    public int[] positions() {
        return positions;
    }

    /// The value of each entry; 1 throughout for categorical data.
    public float[] values() {
        return values;
    }

    /// The label of each row: its number, or the index of its name in [Labels].
    public double[] labels() {
        return labels;
    }

    /// The instance weight of each row; 1 unless the data says otherwise.
    public float[] weights() {
        return weights;
    }

    /// The same batch in arrays of its own, which are as long as they must be.
    public Batch copy() {
        Batch copy = new Batch();
        copy.number = number;
        copy.rows = rows;
        copy.entries = entries;
        copy.keyCount = keyCount;
        copy.sign(signatureHigh, signatureLow);
        copy.keys = Arrays.copyOf(keys, keyCount);
        copy.starts = Arrays.copyOf(starts, rows + 1);
        copy.positions = Arrays.copyOf(positions, entries);
        copy.values = Arrays.copyOf(values, entries);
        copy.labels = Arrays.copyOf(labels, rows);
        copy.weights = Arrays.copyOf(weights, rows);
        return copy;
    }

    /// Gives every key another one, by a rule that gives no two the same, and puts them in order again. Rows stay as
    /// they are.
    public void rekey(LongUnaryOperator rule) {
        long[] others = new long[keyCount];
        double[] order = new double[keyCount];
        for (int k = 0; k < keyCount; k++) {
            others[k] = rule.applyAsLong(keys[k]);
            order[k] = k;
        }
        RadixSort.sort(others, order);
        int[] ranks = new int[keyCount];
        for (int k = 0; k < keyCount; k++) {
            keys[k] = others[k];
            ranks[(int) order[k]] = k;
        }
        for (int e = 0; e < entries; e++) {
            positions[e] = ranks[positions[e]];
        }
        Hash.Signature signature = Hash.signature(keys, keyCount);
        sign(signature.high(), signature.low());
    }

    /// The memory that a [#copy] takes.
    public long bytes() {
        return 8L * keyCount + 8L * entries + 16L * rows + 256;
    }

    /// Makes room for, and sets the counts of, what a reader is about to fill in.
    void resize(long number, int rows, int entries, int keyCount) {
        this.number = number;
        this.rows = rows;
        this.entries = entries;
        this.keyCount = keyCount;
        if (starts.length < rows + 1) {
            int room = roomFor(rows);
            starts = new int[room + 1];
            labels = new double[room];
            weights = new float[room];
        }
        if (positions.length < entries) {
            int room = roomFor(entries);
            positions = new int[room];
            values = new float[room];
        }
        if (keys.length < keyCount) {
            keys = Arrays.copyOf(keys, roomFor(keyCount));
        }
    }

    /// Bytes to read into, for the thread that owns this batch; holds nothing from call to call.
    byte[] scratch(int length) {
        if (scratch.length < length) {
            scratch = new byte[roomFor(length)];
        }
        return scratch;
    }

    void sign(long high, long low) {
        signatureHigh = high;
        signatureLow = low;
    }

    private static int roomFor(int count) {
        return Math.max(64, count + (count >> 2));
    }
}
