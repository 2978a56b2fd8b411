package tandem.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import tandem.data.Aside;
import tandem.data.Columns;
import tandem.problem.Loss;
import tandem.solver.Balance;

/// The scores of a stream's rows, and those of the round before; and what follows from them for a column.
///
/// Columns have rows anywhere, so one number of each row is in memory: its score, or its slope while gradients are
/// measured. What is gone through in order is put aside.
///
/// Derivatives of the loss are not kept: the rows of a column lie anywhere, and what is kept of each is read from far
/// away. They are found for some hundred rows at once, when a column is looked at.
final class RowState {

    /// How many rows are gathered at once.
    private static final int GATHERED = 256;

    /// How many numbers are brought from aside at once.
    private static final int BROUGHT = 4096;

    private final RowKinds kinds;
    private final Loss loss;

    /// The score of each row; or its slope, if [#view] is not null.
    private final double[] numbers;

    private View view;

    /// Scores while slopes are in their place, and those of the round before.
    private final Aside scoresAside;

    private final Aside scoresBefore;
    private final double[] brought;

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

    /// Which slopes: those of scores, or of scores of 0, and how often they count.
    record View(boolean origin, Balance balance) {}

    RowState(RowKinds kinds, Loss loss, Aside scoresAside, Aside scoresBefore) {
        this.kinds = kinds;
        this.loss = loss;
        this.importance = kinds.sameImportance();
        this.scoresAside = scoresAside;
        this.scoresBefore = scoresBefore;
        numbers = new double[kinds.rows()];
        brought = new double[Math.min(BROUGHT, numbers.length)];
    }

    /// The score of each row, until slopes are asked for.
    double[] scores() {
        if (view != null) {
            forEachPart((from, count) -> {
                scoresAside.read(from, brought, count);
                System.arraycopy(brought, 0, numbers, from, count);
            });
            view = null;
        }
        return numbers;
    }

    /// The slope of the loss of each row, times how much it counts, until scores are asked for.
    double[] slopes(View wanted) {
        if (!wanted.equals(view)) {
            double[] scores = scores();
            forEachPart((from, count) -> {
                System.arraycopy(scores, from, brought, 0, count);
                scoresAside.write(from, brought, count);
            });
            for (int from = 0; from < scores.length; from += GATHERED) {
                int count = Math.min(GATHERED, scores.length - from);
                if (wanted.origin) {
                    Arrays.fill(scores, from, from + count, 0);
                }
                gather(from, count);
                for (int k = 0; k < count; k++) {
                    scores[from + k] = wanted.balance.scaled(counts[k] * slope[k]);
                }
            }
            view = wanted;
        }
        return numbers;
    }

    @FunctionalInterface
    private interface Part {
        void rows(int from, int count) throws IOException;
    }

    private void forEachPart(Part part) {
        try {
            for (int from = 0; from < numbers.length; from += brought.length) {
                part.rows(from, Math.min(brought.length, numbers.length - from));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    double gradient() {
        return gradient;
    }

    double curvature() {
        return curvature;
    }

    /// Begins to find the gradient of a column, Σ xᵢ·slopeᵢ, and a bound of its curvature, Σ xᵢ²·min(growth·bendᵢ,
    /// most), where growth is what a bend grows by at most as the weight moves by a reach, and most what any bend
    /// can be.
    void beginLook() {
        gradient = 0;
        curvature = 0;
    }

    /// Adds what a column has of it, or one of its stretches, each of a multiple of 256 entries but the last.
    void look(Columns columns, int j, double reach) {
        double[] scores = scores();
        int end = columns.starts()[j + 1];
        for (int from = columns.starts()[j]; from < end; from += GATHERED) {
            int count = Math.min(GATHERED, end - from);
            gather(scores, columns.rowNumbers(), from, count);
            add(columns, j, from, count, reach);
        }
    }

    /// The same of a column that is 1 in all rows.
    void lookAtAll(double reach) {
        double growth = loss.growth(reach);
        int rows = scores().length;
        for (int from = 0; from < rows; from += GATHERED) {
            int count = Math.min(GATHERED, rows - from);
            gather(from, count);
            addOnes(count, growth);
        }
    }

    private void gather(double[] scores, int[] rows, int from, int count) {
        for (int k = 0; k < count; k++) {
            score[k] = scores[rows[from + k]];
        }
        kinds.labels(rows, from, count, label);
        if (Double.isNaN(importance)) {
            kinds.importances(rows, from, count, counts);
        }
        loss.derivatives(score, label, count, slope, bend);
    }

    /// Gathers neighbours, whose scores are there.
    private void gather(int first, int count) {
        System.arraycopy(numbers, first, score, 0, count);
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

    /// Adds to `sum` the squares of a column, or of one of its stretches; each as often as its row counts, unless all
    /// count the same.
    double squares(double sum, Columns columns, int j) {
        boolean alike = !Double.isNaN(importance);
        if (alike && !columns.hasValues(j)) {
            return sum + columns.entries(j);
        }
        for (int e = columns.starts()[j]; e < columns.starts()[j + 1]; e++) {
            double x = columns.value(j, e);
            sum += (alike ? 1 : kinds.importance(columns.row(e))) * x * x;
        }
        return sum;
    }

    /// The same of a column that is 1 in all rows.
    double squaresOfAll() {
        if (!Double.isNaN(importance)) {
            return numbers.length;
        }
        double sum = 0;
        for (int i = 0; i < numbers.length; i++) {
            sum += kinds.importance(i);
        }
        return sum;
    }

    /// What the curvature of a column of such squares is at most, wherever the scores are.
    double most(double squares) {
        double counted = Double.isNaN(importance) ? squares : importance * squares;
        return counted == 0 ? 0 : counted * loss.maxCurvature();
    }

    /// Σ of the squares of what scores have moved by since the round began, each as often as it counts.
    double moved() {
        double[] scores = scores();
        double[] sum = {0};
        forEachPart((from, count) -> {
            scoresBefore.read(from, brought, count);
            for (int k = 0; k < count; k++) {
                double by = scores[from + k] - brought[k];
                sum[0] += kinds.importance(from + k) * by * by;
            }
        });
        return sum[0];
    }

    /// Ends a look: where all rows count the same, they are multiplied by that.
    void endLook() {
        if (!Double.isNaN(importance)) {
            gradient = importance == 0 ? 0 : importance * gradient;
            curvature = importance == 0 ? 0 : importance * curvature;
        }
    }

    /// Moves all scores by as much.
    void moveAll(double by) {
        double[] scores = scores();
        for (int i = 0; i < scores.length; i++) {
            scores[i] += by;
        }
    }

    /// Begins a round: scores go on by `momentum` times as far as they came in the round before.
    void begin(double momentum) {
        double[] scores = scores();
        forEachPart((from, count) -> {
            scoresBefore.read(from, brought, count);
            for (int k = 0; k < count; k++) {
                double now = scores[from + k];
                scores[from + k] += momentum * (now - brought[k]);
                brought[k] = now;
            }
            scoresBefore.write(from, brought, count);
        });
    }

    /// Takes the scores as they are for those of the round before.
    void setBefore() {
        double[] scores = scores();
        forEachPart((from, count) -> {
            System.arraycopy(scores, from, brought, 0, count);
            scoresBefore.write(from, brought, count);
        });
    }

    /// What bounds the objective from below (Fenchel), and what makes that bound feasible.
    ///
    /// @param falls Σ of the slopes below 0, without their sign
    /// @param rises Σ of those above
    /// @param dual  −Σ loss* of the slopes, made feasible
    record Bound(double falls, double rises, double dual) {}

    /// @param scale what slopes are multiplied by, besides
    Bound bound(Balance balance, double scale) {
        int rows = scores().length;
        double falling = 0;
        double rising = 0;
        double dual = 0;
        for (int from = 0; from < rows; from += GATHERED) {
            int count = Math.min(GATHERED, rows - from);
            gather(from, count);
            for (int k = 0; k < count; k++) {
                falling += counts[k] * Math.max(0, -slope[k]);
                rising += counts[k] * Math.max(0, slope[k]);
                if (counts[k] > 0) {
                    dual -= counts[k] * loss.conjugate(balance.scaled(scale * slope[k]), label[k]);
                }
            }
        }
        return new Bound(falling, rising, dual);
    }
}
