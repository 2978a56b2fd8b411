package tandem.worker;

import java.util.Arrays;
import tandem.data.Columns;
import tandem.problem.Loss;

/// The scores of a stream's rows, and those of the round before; and what follows from them for a column.
///
/// Derivatives of the loss are not kept: the rows of a column lie anywhere, and what is kept of each is read from far
/// away. They are found for some hundred rows at once, when a column is looked at.
final class RowState {

    /// How many rows are gathered at once.
    private static final int GATHERED = 256;

    private final RowKinds kinds;
    private final Loss loss;
    private final double[] scores;
    private final double[] scoresBefore;

    /// How much each row counts if that is the same for all; else NaN.
    private final double importance;

    /// Of the rows that are gathered.
    private final double[] score = new double[GATHERED];

    private final double[] label = new double[GATHERED];
    private final double[] counts = new double[GATHERED];
    private final double[] slope = new double[GATHERED];
    private final double[] bend = new double[GATHERED];

    /// Of the column that was looked at last.
    private double gradient;

    private double curvature;

    RowState(RowKinds kinds, Loss loss) {
        this.kinds = kinds;
        this.loss = loss;
        this.importance = kinds.sameImportance();
        scores = new double[kinds.rows()];
        scoresBefore = new double[kinds.rows()];
    }

    double[] scores() {
        return scores;
    }

    double gradient() {
        return gradient;
    }

    double curvature() {
        return curvature;
    }

    /// Finds the gradient of a column, Σ xᵢ·slopeᵢ, and a bound of its curvature, Σ xᵢ²·min(growth·bendᵢ, most), where
    /// growth is what a bend grows by at most as the weight moves by `reach`, and most what any bend can be.
    void look(Columns columns, int j, double reach) {
        gradient = 0;
        curvature = 0;
        int end = columns.starts()[j + 1];
        for (int from = columns.starts()[j]; from < end; from += GATHERED) {
            int count = Math.min(GATHERED, end - from);
            gather(columns.rowNumbers(), from, count);
            add(columns, j, from, count, reach);
        }
        scale();
    }

    /// The same of a column that is 1 in all rows.
    void lookAtAll(double reach) {
        gradient = 0;
        curvature = 0;
        double growth = loss.growth(reach);
        for (int from = 0; from < scores.length; from += GATHERED) {
            int count = Math.min(GATHERED, scores.length - from);
            gather(from, count);
            addOnes(count, growth);
        }
        scale();
    }

    private void gather(int[] rows, int from, int count) {
        for (int k = 0; k < count; k++) {
            score[k] = scores[rows[from + k]];
        }
        kinds.labels(rows, from, count, label);
        if (Double.isNaN(importance)) {
            kinds.importances(rows, from, count, counts);
        }
        loss.derivatives(score, label, count, slope, bend);
    }

    /// Gathers neighbours.
    private void gather(int first, int count) {
        System.arraycopy(scores, first, score, 0, count);
        for (int k = 0; k < count; k++) {
            label[k] = kinds.label(first + k);
            counts[k] = kinds.importance(first + k);
        }
        loss.derivatives(score, label, count, slope, bend);
    }

    private void add(Columns columns, int j, int from, int count, double reach) {
        double growth = loss.growth(reach);
        if (!columns.hasValues(j)) {
            addOnes(count, growth);
            return;
        }
        float[] values = columns.values();
        int first = columns.valueStart(j) + from - columns.starts()[j];
        boolean grows = growth < Double.POSITIVE_INFINITY;
        boolean alike = !Double.isNaN(importance);
        double most = loss.maxCurvature();
        double g = 0;
        double u = 0;
        for (int k = 0; k < count; k++) {
            double x = values[first + k];
            double bound = grows ? Math.min(loss.growth(Math.abs(x) * reach) * bend[k], most) : most;
            double times = alike ? 1 : counts[k];
            g += times * x * slope[k];
            u += times == 0 ? 0 : times * x * x * bound;
        }
        gradient += g;
        curvature += u;
    }

    private void addOnes(int count, double growth) {
        boolean grows = growth < Double.POSITIVE_INFINITY;
        double most = loss.maxCurvature();
        double g = 0;
        double u = 0;
        for (int k = 0; k < count; k++) {
            double bound = grows ? Math.min(growth * bend[k], most) : most;
            double times = Double.isNaN(importance) ? counts[k] : 1;
            g += times * slope[k];
            u += times == 0 ? 0 : times * bound;
        }
        gradient += g;
        curvature += u;
    }

    /// What the curvature of a column is at most, wherever the scores are.
    double most(Columns columns, int j) {
        boolean ones = !columns.hasValues(j);
        boolean alike = !Double.isNaN(importance);
        if (ones && alike) {
            return importance == 0 ? 0 : importance * columns.entries(j) * loss.maxCurvature();
        }
        double sum = 0;
        for (int e = columns.starts()[j]; e < columns.starts()[j + 1]; e++) {
            double x = columns.value(j, e);
            sum += (alike ? importance : kinds.importance(columns.row(e))) * x * x;
        }
        return sum == 0 ? 0 : sum * loss.maxCurvature();
    }

    /// The same of a column that is 1 in all rows.
    double mostOfAll() {
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            sum += kinds.importance(i);
        }
        return sum == 0 ? 0 : sum * loss.maxCurvature();
    }

    /// Σ of the squares of what scores have moved by since the round began, each as often as it counts.
    double moved() {
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            double by = scores[i] - scoresBefore[i];
            sum += kinds.importance(i) * by * by;
        }
        return sum;
    }

    /// Where all rows count the same, they are multiplied by that in the end.
    private void scale() {
        if (!Double.isNaN(importance)) {
            gradient = importance == 0 ? 0 : importance * gradient;
            curvature = importance == 0 ? 0 : importance * curvature;
        }
    }

    /// Moves all scores by as much.
    void moveAll(double by) {
        for (int i = 0; i < scores.length; i++) {
            scores[i] += by;
        }
    }

    /// Begins a round: scores go on by `momentum` times as far as they came in the round before.
    void begin(double momentum) {
        for (int i = 0; i < scores.length; i++) {
            double now = scores[i];
            scores[i] += momentum * (now - scoresBefore[i]);
            scoresBefore[i] = now;
        }
    }

    /// Sets all scores, and those of the round before.
    void set(double[] now, double[] before) {
        System.arraycopy(now, 0, scores, 0, scores.length);
        System.arraycopy(before, 0, scoresBefore, 0, scores.length);
    }

    /// The slope of the loss of each row, times how much it counts.
    double[] slopes() {
        double[] all = new double[scores.length];
        for (int from = 0; from < all.length; from += GATHERED) {
            int count = Math.min(GATHERED, all.length - from);
            gather(from, count);
            for (int k = 0; k < count; k++) {
                all[from + k] = counts[k] * slope[k];
            }
        }
        return all;
    }

    /// What the slopes would be if all scores were 0.
    double[] slopesAtOrigin() {
        double[] all = new double[scores.length];
        Arrays.setAll(all, i -> kinds.importance(i) * loss.derivative(0, kinds.label(i)));
        return all;
    }
}
