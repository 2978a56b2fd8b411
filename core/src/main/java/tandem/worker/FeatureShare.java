package tandem.worker;

import java.util.Arrays;
import tandem.client.Slice;
import tandem.data.ColumnShare;
import tandem.data.Columns;
import tandem.problem.Separable;
import tandem.solver.ClockProximal;
import tandem.wire.Keys;

/// Some features of all examples, and their weights: the share of model-parallel proximal gradient (m-PAPG, Zhou et
/// al. 2016). What all share is the margins of the examples, X·w. With those of an earlier clock it moves its own
/// weights,
///
///     w_p ← prox_{η·h}(w_p − η·∇_p f(X·w)),
///
/// and pushes its part of the margins, X_p·w_p, and for whoever takes over from it w_p as it is and as it was
/// before the last leap. The intercept is one more feature, of the first share.
///
/// What differs from the paper. Each pushes the whole of X_p·w_p, not the change: that is as many numbers, and
/// nothing that was lost once stays lost. And margins are those of a clock that is over, one's own part included:
/// what gradients are taken at is a point that there was, at most so many clocks ago.
final class FeatureShare implements ProximalShare {

    /// What is kept of each weight: as it is, and as it was before the last leap.
    private static final int WIDTH = 2;

    private final Columns data;
    private final ScoredRows rows;
    private final ProximalTask task;
    private final Keys keys;
    private final Keys one = Keys.range(OnlineTask.INTERCEPT, 1);
    private final Keys everyRow;
    private final boolean hasIntercept;

    /// The examples that it sums up the loss of, as one of several shares that have all examples.
    private final int from;

    private final int to;

    /// By column, the intercept last.
    private final double[] weights;

    private final double[] bounds;

    /// The weights before the last leap.
    private final double[] before;

    /// How far weights have moved in all, as far as this worker knows.
    private double path;

    FeatureShare(ColumnShare share, ProximalTask task, int stream, int streams) {
        this.data = share.columns();
        this.task = task;
        rows = new ScoredRows(data, task);
        hasIntercept = task.hasIntercept() && stream == 0;
        keys = Keys.repeated(data.keys(), data.count());
        everyRow = Keys.range(0, rows.count());
        from = (int) ((long) rows.count() * stream / streams);
        to = (int) ((long) rows.count() * (stream + 1) / streams);
        weights = new double[data.count() + 1];
        double[] byRow = rows.bounds(share.features(), task.hasIntercept());
        before = new double[weights.length];
        bounds = new double[weights.length];
        for (int j = 0; j < data.count(); j++) {
            bounds[j] = data.dotSquare(j, byRow);
        }
        for (double bound : byRow) {
            bounds[data.count()] += bound;
        }
    }

    @Override
    public Slice[] toBegin(double[][] numbers) {
        return slices(numbers);
    }

    @Override
    public Slice[] toGoOn(double[][] numbers) {
        return new Slice[] {margins(numbers)};
    }

    @Override
    public double[][] room() {
        return new double[][] {new double[rows.count()], new double[WIDTH * data.count()], new double[WIDTH]};
    }

    private Slice margins(double[][] numbers) {
        return new Slice(task.margins(), everyRow, numbers[0]);
    }

    /// Of weights, of the intercept if it is here, and of margins, in the order of their tables.
    private Slice[] slices(double[][] numbers) {
        Slice weighed = new Slice(task.table(), keys, numbers[1]);
        return hasIntercept
                ? new Slice[] {weighed, new Slice(task.intercept(), one, numbers[2]), margins(numbers)}
                : new Slice[] {weighed, margins(numbers)};
    }

    @Override
    public void begin(double[][] pulled) {
        take(pulled);
        for (int j = 0; j < data.count(); j++) {
            weights[j] = pulled[1][WIDTH * j];
            before[j] = pulled[1][WIDTH * j + 1];
        }
        weights[data.count()] = pulled[2][0];
        before[data.count()] = pulled[2][1];
    }

    @Override
    public void take(double[][] pulled) {
        System.arraycopy(pulled[0], 0, rows.scores, 0, rows.count());
        rows.differentiate();
    }

    @Override
    public Slice[] work(ProximalLoop.Round round, long clock, long late) {
        switch (round.aim(clock)) {
            case LEAP -> leap(round.leap());
            case MOVE -> move(round.caution(late, task.guaranteed()));
            case MEASURE -> {}
        }
        double[][] pushed = room();
        Arrays.fill(pushed[0], weights[data.count()]);
        for (int j = 0; j < data.count(); j++) {
            if (weights[j] != 0) {
                data.add(j, weights[j], pushed[0]);
            }
        }
        for (int j = 0; j < data.count(); j++) {
            pushed[1][WIDTH * j] = weights[j];
            pushed[1][WIDTH * j + 1] = before[j];
        }
        pushed[2][0] = weights[data.count()];
        pushed[2][1] = before[data.count()];
        return slices(pushed);
    }

    private void move(double caution) {
        double[] slopes = rows.slopes();
        for (int j = 0; j <= data.count(); j++) {
            double u = caution * bounds[j];
            if (u > 0 && (j < data.count() || hasIntercept)) {
                double moved = penalty(j).prox(weights[j] - gradient(j, slopes) / u, 1 / u);
                path += Math.abs(moved - weights[j]);
                weights[j] = moved;
            }
        }
    }

    private void leap(double far) {
        for (int j = 0; j < weights.length; j++) {
            double weight = weights[j];
            weights[j] = ClockProximal.leap(penalty(j), weight, before[j], far);
            before[j] = weight;
            path += Math.abs(weights[j] - weight);
        }
    }

    private Separable penalty(int column) {
        return column < data.count() ? task.penalty() : Separable.NONE;
    }

    private double gradient(int column, double[] slopes) {
        return column < data.count()
                ? data.dot(column, slopes)
                : Arrays.stream(slopes).sum();
    }

    @Override
    public ProximalLoop.Sums sums(int stream, ProximalLoop.Round round) {
        double[] slopes = rows.slopes(round);
        double[] plain = rows.slopes();
        double value = 0;
        double residual = 0;
        double largest = 0;
        double steepest = 0;
        double conjugate = 0;
        for (int j = 0; j < data.count(); j++) {
            double g = gradient(j, slopes);
            value += task.penalty().value(weights[j]);
            residual = Math.max(residual, task.penalty().residual(weights[j], gradient(j, plain)));
            largest = task.penalty().holds(g) ? largest : Math.max(largest, Math.abs(g));
            steepest = Math.max(steepest, Math.abs(g));
            conjugate += task.penalty().conjugate(-round.scale() * g);
        }
        if (hasIntercept) {
            residual = Math.max(residual, Math.abs(gradient(data.count(), plain)));
            steepest = Math.max(steepest, Math.abs(gradient(data.count(), slopes)));
        }
        return new ProximalLoop.Sums(
                stream,
                rows.loss(from, to),
                rows.falls(from, to),
                rows.rises(from, to),
                rows.dual(from, to, round),
                value,
                residual,
                largest,
                steepest,
                conjugate,
                path);
    }

    @Override
    public long examples() {
        return (long) to - from;
    }

    @Override
    public long entries() {
        return data.entries();
    }
}
