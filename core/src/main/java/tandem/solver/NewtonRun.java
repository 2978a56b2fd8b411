package tandem.solver;

import java.util.Arrays;
import tandem.data.Columns;
import tandem.math.Parallel;
import tandem.problem.Certificate;
import tandem.problem.Separable;

/// One solution in the making, owned by the thread that calls [#run].
final class NewtonRun {

    private static final double ARMIJO = 0.01;
    private static final int HALVINGS = 60;

    /// The model is minimised until its residual is this share of the problem's, but in early steps, whose
    /// model is poor anyway, no longer than a few passes.
    private static final double FORCING = 0.1;

    private static final int MOST_PASSES = 50;

    private final ProximalNewton settings;
    private final Problem problem;
    private final Separable penalty;
    private final Columns data;
    private final ColumnWork columns;
    private final RowState rows;
    private final QuadraticModel model;
    private final double[] weights;
    private final double[] gradient;
    private final double[] direction; // by row
    private final int[] chosen;
    private double intercept;
    private double loss;
    private double objective;

    NewtonRun(ProximalNewton settings, Problem problem, Separable penalty, Parallel parallel) {
        this.settings = settings;
        this.problem = problem;
        this.penalty = penalty;
        data = problem.data();
        columns = new ColumnWork(data, parallel);
        rows = new RowState(problem, parallel);
        model = new QuadraticModel(problem, penalty, rows, parallel, settings.seed());
        weights = new double[data.count()];
        gradient = new double[data.count()];
        direction = new double[rows.rows()];
        chosen = new int[data.count()];
    }

    Solution run(double[] start, double startIntercept, Monitor monitor) {
        int[] alive = new Screen(problem, penalty, columns).alive();
        refresh(alive);
        double scale = Math.max(1, largestGradient(alive));
        if (moveTo(start, startIntercept, alive)) {
            refresh(alive);
        }
        loss = rows.loss();
        Stall stall = new Stall();
        double residual;
        Ending ending = null;
        int iteration = 0;
        while (true) {
            objective = loss + penalty.value(weights);
            residual = residual(alive);
            boolean goesOn =
                    monitor.goesOn(new Monitor.Iteration(iteration, objective, residual, NonZeros.count(weights)));
            if (residual <= settings.tolerance() * scale || hasSmallGap(alive)) {
                ending = Ending.CONVERGED;
            } else if (!goesOn) {
                ending = Ending.ASKED;
            } else if (iteration == settings.maxIterations()) {
                ending = Ending.LIMIT;
            } else if (stall.is(objective, residual) || !newtonStep(alive, residual, iteration)) {
                ending = Ending.STALLED;
            }
            if (ending != null) {
                break;
            }
            refresh(alive);
            iteration++;
        }
        Certificate certificate = new Certificate(Certificate.Kind.KKT, residual, gap(alive));
        return new Solution(weights, intercept, objective, certificate, iteration, ending);
    }

    /// Brings slopes and gradient up to date with the scores.
    private void refresh(int[] alive) {
        rows.refreshSlopes();
        columns.forEach(alive, alive.length, j -> gradient[j] = data.dot(j, rows.slopes));
    }

    /// Leaves the point 0; false if there is nowhere to go.
    private boolean moveTo(double[] start, double startIntercept, int[] alive) {
        intercept = problem.intercept() ? startIntercept : 0;
        boolean moved = intercept != 0;
        for (int j : alive) {
            weights[j] = penalty.prox(start[j], 0);
            moved |= weights[j] != 0;
        }
        if (moved) {
            rows.score(weights, intercept);
        }
        return moved;
    }

    private double largestGradient(int[] alive) {
        double largest = problem.intercept() ? Math.abs(RowState.sumOf(rows.slopes)) : 0;
        for (int j : alive) {
            largest = Math.max(largest, Math.abs(gradient[j]));
        }
        return largest;
    }

    private double residual(int[] alive) {
        double worst = problem.intercept() ? Math.abs(RowState.sumOf(rows.slopes)) : 0;
        for (int j : alive) {
            worst = Math.max(worst, penalty.residual(weights[j], gradient[j]));
        }
        return worst;
    }

    private boolean hasSmallGap(int[] alive) {
        return settings.gap() > 0 && gap(alive) <= settings.gap() * Math.abs(objective);
    }

    private double gap(int[] alive) {
        return new DualBound(problem, penalty, columns).gap(rows, gradient, alive, objective);
    }

    /// Moves along the direction that the model suggests; false if no step lowers the objective.
    private boolean newtonStep(int[] alive, double residual, int iteration) {
        int count = 0;
        for (int j : alive) {
            if (isMoving(j)) {
                chosen[count++] = j;
            }
        }
        model.chooseHeavy(chosen, count);
        count = 0;
        for (int j : alive) {
            model.weights[j] = weights[j];
            if (isMoving(j) || model.isHeavy(j)) {
                chosen[count++] = j;
            }
        }
        rows.refreshCurvatures();
        columns.forEach(chosen, count, j -> model.curvatures[j] = data.dotSquare(j, rows.curvatures) + 1e-12);
        model.descend(chosen, count, FORCING * residual, Math.min(MOST_PASSES, 2 * iteration + 2));
        return search(chosen, count);
    }

    /// Whether the weight is not at rest at 0.
    private boolean isMoving(int j) {
        return weights[j] != 0 || penalty.residual(0, gradient[j]) > 0;
    }

    private boolean search(int[] list, int count) {
        Arrays.fill(direction, model.interceptStep);
        double slope = problem.intercept() ? RowState.sumOf(rows.slopes) * model.interceptStep : 0;
        double promised = slope;
        double penaltyNow = 0;
        for (int k = 0; k < count; k++) {
            int j = list[k];
            double step = model.weights[j] - weights[j];
            penaltyNow += penalty.value(weights[j]);
            if (step != 0) {
                data.add(j, step, direction);
                promised += gradient[j] * step + penalty.value(model.weights[j]) - penalty.value(weights[j]);
            }
        }
        double rounding = 1e-13 * Math.abs(objective);
        double length = 1;
        for (int halving = 0; halving < HALVINGS; halving++, length /= 2) {
            double penaltyThen = 0;
            for (int k = 0; k < count; k++) {
                int j = list[k];
                penaltyThen += penalty.value(weights[j] + length * (model.weights[j] - weights[j]));
            }
            double lossThen = rows.lossAlong(direction, length);
            double change = lossThen - loss + penaltyThen - penaltyNow;
            if (change <= ARMIJO * length * promised + rounding) {
                for (int k = 0; k < count; k++) {
                    int j = list[k];
                    weights[j] = length == 1 ? model.weights[j] : weights[j] + length * (model.weights[j] - weights[j]);
                }
                intercept += length * model.interceptStep;
                rows.move(direction, length);
                loss = lossThen;
                return true;
            }
        }
        return false;
    }
}
