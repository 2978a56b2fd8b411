package tandem.report;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/// Scores of one class with their weights: 8 bytes each, 12 once a weight other than 1 is seen.
final class Scores {

    /// Scores in ascending order with their weights; `weights` is null where all are 1. Where they are
    /// not, scores are distinct and each weight is that of all examples with the score.
    record Ranked(double[] scores, int count, double[] weights) {

        double weight(int index) {
            return weights == null ? 1 : weights[index];
        }
    }

    private static final int LIMIT = Integer.MAX_VALUE - 8;

    private double[] values = new double[256];
    private float[] weights;
    private int count;

    int count() {
        return count;
    }

    void add(double score, double weight) {
        if (count == values.length) {
            reserve(count + 1L);
        }
        if (weight != 1 && weights == null) {
            weights = new float[values.length];
            Arrays.fill(weights, 0, count, 1);
        }
        if (weights != null) {
            weights[count] = (float) weight;
        }
        // Adding +0 turns -0 into +0, so that sorting keeps equal scores together.
        values[count++] = score + 0.0;
    }

    void addAll(Scores other) {
        reserve((long) count + other.count);
        for (int i = 0; i < other.count; i++) {
            add(other.values[i], other.weights == null ? 1 : other.weights[i]);
        }
    }

    void write(DataOutput to) throws IOException {
        to.writeInt(count);
        to.writeBoolean(weights != null);
        for (int i = 0; i < count; i++) {
            to.writeDouble(values[i]);
            if (weights != null) {
                to.writeFloat(weights[i]);
            }
        }
    }

    void read(DataInput from) throws IOException {
        int more = from.readInt();
        boolean weighted = from.readBoolean();
        reserve((long) count + more);
        for (int i = 0; i < more; i++) {
            double score = from.readDouble();
            add(score, weighted ? from.readFloat() : 1);
        }
    }

    /// Sorts; the order in which scores were added is lost.
    Ranked ranked() {
        if (weights == null) {
            Arrays.parallelSort(values, 0, count);
            return new Ranked(values, count, null);
        }
        double[] sorted = Arrays.copyOf(values, count);
        Arrays.parallelSort(sorted);
        int distinct = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || sorted[i] != sorted[distinct - 1]) {
                sorted[distinct++] = sorted[i];
            }
        }
        double[] sums = new double[distinct];
        for (int i = 0; i < count; i++) {
            sums[Arrays.binarySearch(sorted, 0, distinct, values[i])] += weights[i];
        }
        return new Ranked(sorted, distinct, sums);
    }

    private void reserve(long needed) {
        if (needed > LIMIT) {
            throw new IllegalArgumentException("more than " + LIMIT
                    + " examples of one class; an exact AUC keeps every score, so evaluate on a part of the data");
        }
        if (needed > values.length) {
            int room = (int) Math.min(LIMIT, Math.max(needed, values.length + (long) (values.length >> 1)));
            values = Arrays.copyOf(values, room);
            weights = weights == null ? null : Arrays.copyOf(weights, room);
        }
    }
}
