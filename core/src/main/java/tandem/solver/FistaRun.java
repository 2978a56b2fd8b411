package tandem.solver;

import java.util.Arrays;
import tandem.data.Columns;
import tandem.math.Parallel;
import tandem.problem.Certificate;
import tandem.problem.Separable;

/// One solution in the making, owned by the thread that calls [#run].
///
/// A point holds the weights and then the intercept. `at` is where the gradient is taken, ahead of the
/// result `best` by the momentum; the rows' scores belong to `at`.
final class FistaRun {

    private static final double SMALLEST_STEP = 1e-200;

    private final Fista settings;
    private final Problem problem;
    private final Columns data;
    private final ColumnWork columns;
    private final RowState rows;
    private final int[] all;
    private final double[] gradient;
    private final double[] shift; // by row, X·(next − at)
    private double loss; // at `at`
    private double nextLoss;
    private double step = 1;

    FistaRun(Fista settings, Problem problem, Parallel parallel) {
        this.settings = settings;
        this.problem = problem;
        data = problem.data();
        columns = new ColumnWork(data, parallel);
        rows = new RowState(problem, parallel);
        all = new int[data.count()];
        Arrays.setAll(all, j -> j);
        gradient = new double[data.count() + 1];
        shift = new double[rows.rows()];
    }

    Solution run(double[] start, double intercept, Monitor monitor) {
        refresh();
        double enough = settings.tolerance() * Math.max(1, largest(gradient));
        double[] best = Arrays.copyOf(start, data.count() + 1);
        regularise(best, SMALLEST_STEP);
        best[data.count()] = problem.intercept() ? intercept : 0;
        rows.score(best, best[data.count()]);
        refresh();
        widen(best);
        double objective = loss + penalty(best);
        double[] at = best.clone();
        double[] bestScores = rows.scores.clone();
        int momentum = 0;
        Ending ending = null;
        int iteration = 0;
        for (; ; iteration++) {
            double[] next = descend(at);
            double residual = distance(at, next) / step;
            boolean goesOn =
                    monitor.goesOn(new Monitor.Iteration(iteration, objective, residual, NonZeros.count(best)));
            ending = momentum == 0 && residual <= enough
                    ? Ending.CONVERGED
                    : !goesOn
                            ? Ending.ASKED
                            : step < SMALLEST_STEP
                                    ? Ending.STALLED
                                    : iteration == settings.maxIterations() ? Ending.LIMIT : null;
            if (ending != null) {
                break;
            }
            // Near the end too, as only a point without momentum can be certified.
            boolean drops = residual <= enough
                    || pointsUphill(at, next, best)
                    || !problem.loss().convex();
            momentum = drops ? 0 : momentum + 1;
            double share = momentum / (momentum + 3.0);
            for (int i = 0; i < bestScores.length; i++) {
                double score = rows.scores[i] + shift[i];
                rows.scores[i] = score + share * (score - bestScores[i]);
                bestScores[i] = score;
            }
            for (int j = 0; j < at.length; j++) {
                at[j] = next[j] + share * (next[j] - best[j]);
            }
            best = next;
            objective = nextLoss + penalty(best);
            refresh();
        }
        return solution(best, iteration, ending);
    }

    /// Certifies `best` itself: the last gradient may be that of a point ahead of it.
    private Solution solution(double[] best, int iterations, Ending ending) {
        double intercept = best[data.count()];
        rows.score(best, intercept);
        refresh();
        double residual = distance(best, proximalStep(best)) / step;
        double objective = loss + penalty(best);
        double gap = problem.regulariser() instanceof Separable separable
                ? new DualBound(problem, separable, columns).gap(rows, gradient, all, objective)
                : Double.NaN;
        Certificate certificate = new Certificate(Certificate.Kind.PROXIMAL_GRADIENT, residual, gap);
        return new Solution(Arrays.copyOf(best, data.count()), intercept, objective, certificate, iterations, ending);
    }

    /// Loss and gradient at the rows' scores.
    private void refresh() {
        loss = rows.loss();
        rows.refreshSlopes();
        columns.forEach(all, all.length, j -> gradient[j] = data.dot(j, rows.slopes));
        gradient[data.count()] = problem.intercept() ? RowState.sumOf(rows.slopes) : 0;
    }

    /// The first step size is found from below, so that it does not depend on the data's units.
    private void widen(double[] at) {
        while (step < 1e100 && fits(at, proximalStep(at))) {
            step *= 2;
        }
    }

    /// prox(at − step·gradient), with the step halved until the loss stays below its quadratic bound.
    private double[] descend(double[] at) {
        double[] next = proximalStep(at);
        while (!fits(at, next) && step >= SMALLEST_STEP) {
            step /= 2;
            next = proximalStep(at);
        }
        return next;
    }

    private double[] proximalStep(double[] at) {
        double[] next = new double[at.length];
        for (int j = 0; j < at.length; j++) {
            next[j] = at[j] - step * gradient[j];
        }
        regularise(next, step);
        return next;
    }

    /// f(next) ≤ f(at) + ⟨∇f(at), d⟩ + ‖d‖²/(2·step) for d = next − at, up to rounding.
    private boolean fits(double[] at, double[] next) {
        int last = data.count();
        Arrays.fill(shift, next[last] - at[last]);
        double bound = 0;
        for (int j = 0; j <= last; j++) {
            double d = next[j] - at[j];
            bound += d * (gradient[j] + d / (2 * step));
            if (d != 0 && j < last) {
                data.add(j, d, shift);
            }
        }
        nextLoss = rows.lossAlong(shift, 1);
        return nextLoss - loss <= bound + 1e-14 * Math.abs(loss);
    }

    private void regularise(double[] point, double step) {
        double[] weights = Arrays.copyOf(point, data.count());
        problem.regulariser().prox(weights, step);
        System.arraycopy(weights, 0, point, 0, weights.length);
    }

    private double penalty(double[] point) {
        return problem.regulariser().value(Arrays.copyOf(point, data.count()));
    }

    private static boolean pointsUphill(double[] at, double[] next, double[] best) {
        double sum = 0;
        for (int j = 0; j < at.length; j++) {
            sum += (at[j] - next[j]) * (next[j] - best[j]);
        }
        return sum > 0;
    }

    private static double distance(double[] a, double[] b) {
        double most = 0;
        for (int j = 0; j < a.length; j++) {
            most = Math.max(most, Math.abs(a[j] - b[j]));
        }
        return most;
    }

    private static double largest(double[] v) {
        double most = 0;
        for (double each : v) {
            most = Math.max(most, Math.abs(each));
        }
        return most;
    }
}
