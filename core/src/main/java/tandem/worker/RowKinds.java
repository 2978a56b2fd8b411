package tandem.worker;

import java.util.Arrays;

/// The label of each row, as the loss takes it, and how much the row counts. Rows that are alike in both are of one
/// kind; where there are few kinds, as with classes, a row takes one byte.
final class RowKinds {

    private static final int MOST = 256;

    /// By row; null if there are too many kinds, and each row is of its own.
    private final byte[] kinds;

    /// By kind.
    private final double[] labels;

    private final double[] importances;

    private RowKinds(byte[] kinds, double[] labels, double[] importances) {
        this.kinds = kinds;
        this.labels = labels;
        this.importances = importances;
    }

    /// Of the first `rows` rows.
    ///
    /// @param labels  as a batch carries them
    /// @param weights those of the rows
    static RowKinds of(int rows, double[] labels, float[] weights, Target target, double positiveWeight) {
        byte[] kinds = new byte[rows];
        double[] labelOf = new double[Math.min(MOST, Math.max(1, rows))];
        double[] importanceOf = new double[labelOf.length];
        int count = 0;
        for (int i = 0; i < rows; i++) {
            double label = target.of(labels[i]);
            double importance = importance(label, weights[i], positiveWeight);
            int kind = 0;
            while (kind < count && (labelOf[kind] != label || importanceOf[kind] != importance)) {
                kind++;
            }
            if (kind == MOST) {
                return each(rows, labels, weights, target, positiveWeight);
            }
            labelOf[kind] = label;
            importanceOf[kind] = importance;
            count = Math.max(count, kind + 1);
            kinds[i] = (byte) kind;
        }
        return new RowKinds(kinds, Arrays.copyOf(labelOf, count), Arrays.copyOf(importanceOf, count));
    }

    private static RowKinds each(int rows, double[] labels, float[] weights, Target target, double positiveWeight) {
        double[] labelOf = new double[rows];
        double[] importanceOf = new double[rows];
        for (int i = 0; i < rows; i++) {
            labelOf[i] = target.of(labels[i]);
            importanceOf[i] = importance(labelOf[i], weights[i], positiveWeight);
        }
        return new RowKinds(null, labelOf, importanceOf);
    }

    private static double importance(double label, float weight, double positiveWeight) {
        return weight * (label > 0 ? positiveWeight : 1);
    }

    int rows() {
        return kinds == null ? labels.length : kinds.length;
    }

    double label(int row) {
        return labels[kind(row)];
    }

    double importance(int row) {
        return importances[kind(row)];
    }

    /// How much each row counts if that is the same for all; else NaN.
    double sameImportance() {
        double first = rows() == 0 ? Double.NaN : importance(0);
        return Arrays.stream(importances).allMatch(one -> one == first) ? first : Double.NaN;
    }

    /// The labels of some rows.
    void labels(int[] rows, int from, int count, double[] into) {
        gather(labels, rows, from, count, into);
    }

    /// How much some rows count.
    void importances(int[] rows, int from, int count, double[] into) {
        gather(importances, rows, from, count, into);
    }

    private void gather(double[] byKind, int[] rows, int from, int count, double[] into) {
        for (int k = 0; k < count; k++) {
            into[k] = byKind[kinds == null ? rows[from + k] : kinds[rows[from + k]] & 0xff];
        }
    }

    private int kind(int row) {
        return kinds == null ? row : kinds[row] & 0xff;
    }
}
