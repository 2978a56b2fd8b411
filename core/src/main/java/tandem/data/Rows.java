package tandem.data;

import java.util.Arrays;

/// Rows as read, before packing: ids as found, in the order found. Reused; owned by one thread.
final class Rows {

    int count;
    int entries;
    long[] ids = new long[1 << 12];
    float[] values = new float[1 << 12];
    int[] starts = new int[1 << 8];
    double[] labels = new double[1 << 8];
    float[] weights = new float[1 << 8];

    /// Where each row stands in the data ([Chunk#place]).
    long[] places = new long[1 << 8];

    void clear() {
        count = 0;
        entries = 0;
    }

    void add(long id, float value) {
        if (entries == ids.length) {
            growEntries();
        }
        ids[entries] = id;
        values[entries++] = value;
    }

    /// Makes the entries added since the last row a row.
    void end(double label, float weight, long place) {
        if (count + 1 == starts.length) {
            growRows();
        }
        labels[count] = label;
        weights[count] = weight;
        places[count] = place;
        starts[++count] = entries;
    }

    /// Makes the last row count `times` as much.
    void weigh(float times) throws BadLine {
        float weight = weights[count - 1] * times;
        if (Float.isInfinite(weight)) {
            count--;
            throw new BadLine("the row has the weight " + weights[count] + ", times " + times
                    + " from the file of weights; that is too large for a 32-bit floating-point number."
                    + " Scale the weights");
        }
        weights[count - 1] = weight;
    }

    /// Forgets the entries added since the last row.
    void undo() {
        entries = starts[count];
    }

    void growEntries() {
        ids = Arrays.copyOf(ids, ids.length * 2);
        values = Arrays.copyOf(values, ids.length);
    }

    private void growRows() {
        int room = starts.length * 2;
        starts = Arrays.copyOf(starts, room);
        labels = Arrays.copyOf(labels, room);
        weights = Arrays.copyOf(weights, room);
        places = Arrays.copyOf(places, room);
    }
}
