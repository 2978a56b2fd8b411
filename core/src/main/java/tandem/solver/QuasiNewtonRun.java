package tandem.solver;

import java.util.Arrays;
import tandem.math.Parallel;
import tandem.problem.Certificate;
import tandem.problem.Separable;

/// One solution in the making, owned by the thread that calls [#run]. Vectors have a number for each weight, in the
/// units of [QuasiNewton], and a last one for the score of a row whose features are at their mean.
final class QuasiNewtonRun {

    /// The first step, whose length nothing is known of, is about right for rows of so many equal entries.
    private static final double FIRST = 2;

    /// Of a feature that is nearly the same in all rows so much of its square counts.
    private static final double LEAST_SPREAD = 1e-3;

    private final QuasiNewton settings;
    private final QuasiNewton.Task task;
    private final Separable penalty;
    private final RowPass rows;
    private final Stretches columnwise;
    private final Stretches all;
    private final int columns;

    /// What a unit of each vector is in weights.
    private final double[] units;

    /// The mean of each feature, which the intercept makes up for; 0 if there is none.
    private final double[] means;

    private final double[][] steps;
    private final double[][] changes;
    private final double[] weights;
    private final double[] plain; // the gradient by weights
    private double[] point;
    private double[] gradient;
    private double[] tried;
    private double[] triedGradient;
    private final double[] pseudo; // where the objective with its L1 penalty rises
    private final double[] direction;
    private double objective;
    private boolean whole; // whether the next direction is taken as it is

    /// What goes with the weights in hand.
    private double intercept;

    QuasiNewtonRun(QuasiNewton settings, QuasiNewton.Task task, RowPass rows, Parallel parallel) {
        this.settings = settings;
        this.task = task;
        this.rows = rows;
        penalty = task.regulariser();
        columns = task.columns();
        columnwise = new Stretches(columns, parallel);
        all = new Stretches(columns + 1, parallel);
        units = new double[columns + 1];
        means = new double[columns];
        steps = new double[settings.memory()][];
        changes = new double[settings.memory()][];
        weights = new double[columns];
        plain = new double[columns];
        point = new double[columns + 1];
        gradient = new double[columns + 1];
        tried = new double[columns + 1];
        triedGradient = new double[columns + 1];
        pseudo = new double[columns + 1];
        direction = new double[columns + 1];
    }

    Solution run(Monitor monitor) {
        measure();
        if (task.intercept()) {
            point[columns] = rows.bestIntercept() / units[columns];
        }
        objective = look(point, gradient);
        double scale = Math.max(1, largest());
        Stall stall = new Stall();
        double[] earlier = new double[QuasiNewton.SOME];
        Arrays.fill(earlier, Double.POSITIVE_INFINITY);
        Lbfgs memory = new Lbfgs(settings.memory());
        Lbfgs.Products products = null;
        for (int iteration = 0; ; iteration++) {
            double residual = residual();
            boolean goesOn =
                    monitor.goesOn(new Monitor.Iteration(iteration, objective, residual, NonZeros.count(weights)));
            double won = earlier[iteration % earlier.length] - objective;
            earlier[iteration % earlier.length] = objective;
            Ending ending = residual <= settings.tolerance() * scale || won <= settings.progress() * objective
                    ? Ending.CONVERGED
                    : !goesOn
                            ? Ending.ASKED
                            : iteration == settings.maxIterations()
                                    ? Ending.LIMIT
                                    : stall.is(objective, residual) ? Ending.STALLED : null;
            if (ending == null) {
                seekDown(memory, products);
                if (!step(iteration == 0)) {
                    ending = Ending.STALLED;
                }
            }
            if (ending != null) {
                return new Solution(
                        weights,
                        intercept,
                        objective,
                        new Certificate(Certificate.Kind.KKT, residual, Double.NaN),
                        iteration,
                        ending);
            }
            products = remember(memory);
            int slot = memory.room(products);
            if (slot >= 0) {
                keep(slot);
            }
            memory = memory.with(products);
            swap();
        }
    }

    /// Takes units in which each weight bends the objective alike once the intercept has made up for the mean of its
    /// feature.
    private void measure() {
        double importance = rows.importance();
        double bend =
                Double.isInfinite(task.loss().maxCurvature()) ? 1 : task.loss().maxCurvature();
        if (task.intercept()) {
            rows.sums(means);
        }
        rows.squares(plain);
        columnwise.each((from, to) -> {
            for (int j = from; j < to; j++) {
                means[j] /= importance;
                double spread = Math.max(LEAST_SPREAD * plain[j], plain[j] - importance * means[j] * means[j]);
                double curvature = bend * spread + penalty.l2();
                units[j] = curvature > 0 ? 1 / Math.sqrt(curvature) : 1;
            }
        });
        units[columns] = 1 / Math.sqrt(Math.max(Double.MIN_NORMAL, bend * importance));
    }

    /// The objective at `at`, whose weights are then those in hand, and the gradient there of all but the L1 penalty.
    private double look(double[] at, double[] into) {
        double shift = columnwise.sum((from, to) -> {
            double some = 0;
            for (int j = from; j < to; j++) {
                weights[j] = at[j] * units[j];
                some += weights[j] * means[j];
            }
            return some;
        });
        intercept = task.intercept() ? at[columns] * units[columns] - shift : 0;
        double loss = rows.loss(weights, intercept, plain);
        double slope = task.intercept() ? rows.slope() : 0;
        double cost = columnwise.sum((from, to) -> {
            double some = 0;
            for (int j = from; j < to; j++) {
                some += penalty.value(weights[j]);
                into[j] = (plain[j] + penalty.l2() * weights[j] - slope * means[j]) * units[j];
            }
            return some;
        });
        into[columns] = slope * units[columns];
        return loss + cost;
    }

    /// The derivative by a weight, the intercept staying as it is.
    private double slope(int j) {
        return gradient[j] / units[j] + means[j] * interceptSlope();
    }

    private double interceptSlope() {
        return gradient[columns] / units[columns];
    }

    private double largest() {
        double largest = Math.abs(interceptSlope());
        for (int j = 0; j < columns; j++) {
            largest = Math.max(largest, Math.abs(slope(j)));
        }
        return largest;
    }

    /// The KKT residual.
    private double residual() {
        double worst = Math.abs(interceptSlope());
        for (int j = 0; j < columns; j++) {
            worst = Math.max(worst, Math.abs(LbfgsRows.pseudo(point[j], slope(j), penalty.l1())));
        }
        return worst;
    }

    /// Where to go: what L-BFGS says, without what would go up; or, if the last step was refused at first, without
    /// weights that would leave 0 the wrong way (see [LbfgsRows]).
    private void seekDown(Lbfgs memory, Lbfgs.Products products) {
        columnwise.each((from, to) -> {
            for (int j = from; j < to; j++) {
                pseudo[j] = LbfgsRows.pseudo(point[j], gradient[j], penalty.l1() * units[j]);
            }
        });
        pseudo[columns] = gradient[columns];
        if (products == null || memory.slots().isEmpty()) {
            all.each((from, to) -> {
                for (int j = from; j < to; j++) {
                    direction[j] = -pseudo[j];
                }
            });
            return;
        }
        Lbfgs.Direction way = memory.direction(against(memory, products), -1);
        all.each((from, to) -> {
            for (int j = from; j < to; j++) {
                direction[j] = way.gradient() * pseudo[j];
            }
            for (int slot : memory.slots()) {
                double[] step = steps[slot];
                double[] change = changes[slot];
                double s = way.steps()[slot];
                double y = way.changes()[slot];
                for (int j = from; j < to; j++) {
                    direction[j] += s * step[j] + y * change[j];
                }
            }
            for (int j = from; j < to; j++) {
                if (penalty.l1() > 0 && j < columns && (point[j] == 0 || !whole) && direction[j] * pseudo[j] >= 0) {
                    direction[j] = 0;
                }
            }
        });
    }

    /// Moves along the direction until the objective is lower; false if it never is. Weights that would change their
    /// sign stop at 0.
    private boolean step(boolean first) {
        double width = first ? FIRST / Math.sqrt(Math.max(1, entriesARow())) : 1;
        for (LineSearch search = new LineSearch(Math.min(1, width)); !search.isOver(); search = search.shorter()) {
            double t = search.step();
            double moved = all.sum((from, to) -> {
                double some = 0;
                for (int j = from; j < to; j++) {
                    double next = point[j] + t * direction[j];
                    if (penalty.l1() > 0 && j < columns) {
                        double side = point[j] != 0 ? point[j] : -pseudo[j];
                        next = next * side > 0 ? next : 0;
                    }
                    tried[j] = next;
                    some += pseudo[j] * (next - point[j]);
                }
                return some;
            });
            double there = look(tried, triedGradient);
            if (!LineSearch.isTooLong(objective, moved, there)) {
                whole = search.isRefused();
                boolean lower = there < objective;
                objective = there;
                return lower || moved < 0;
            }
        }
        look(point, triedGradient);
        return false;
    }

    private double entriesARow() {
        long entries = task.slabs().stream()
                .mapToLong(slab -> slab.starts()[slab.rows()])
                .sum();
        return (double) entries / Math.max(1, task.rows());
    }

    /// The products of the step just made with those that are kept; those with the next pseudo-gradient follow.
    private Lbfgs.Products remember(Lbfgs memory) {
        int m = settings.memory();
        double[] s = new double[m];
        double[] y = new double[m];
        for (int slot : memory.slots()) {
            s[slot] = all.sum((from, to) -> {
                double some = 0;
                for (int j = from; j < to; j++) {
                    some += steps[slot][j] * (triedGradient[j] - gradient[j]);
                }
                return some;
            });
            y[slot] = all.sum((from, to) -> {
                double some = 0;
                for (int j = from; j < to; j++) {
                    some += changes[slot][j] * (triedGradient[j] - gradient[j]);
                }
                return some;
            });
        }
        double stepChange = all.sum((from, to) -> {
            double some = 0;
            for (int j = from; j < to; j++) {
                some += (tried[j] - point[j]) * (triedGradient[j] - gradient[j]);
            }
            return some;
        });
        double changeChange = all.sum((from, to) -> {
            double some = 0;
            for (int j = from; j < to; j++) {
                double change = triedGradient[j] - gradient[j];
                some += change * change;
            }
            return some;
        });
        return new Lbfgs.Products(stepChange, changeChange, 0, 0, 0, s, y, new double[m], new double[m]);
    }

    /// The same with the products with the pseudo-gradient.
    private Lbfgs.Products against(Lbfgs memory, Lbfgs.Products products) {
        int m = settings.memory();
        double[] s = new double[m];
        double[] y = new double[m];
        for (int slot : memory.slots()) {
            s[slot] = all.dot(steps[slot], pseudo);
            y[slot] = all.dot(changes[slot], pseudo);
        }
        return new Lbfgs.Products(
                products.stepChange(),
                products.changeChange(),
                0,
                0,
                all.dot(pseudo, pseudo),
                products.s(),
                products.y(),
                s,
                y);
    }

    private void keep(int slot) {
        if (steps[slot] == null) {
            steps[slot] = new double[columns + 1];
            changes[slot] = new double[columns + 1];
        }
        double[] step = steps[slot];
        double[] change = changes[slot];
        all.each((from, to) -> {
            for (int j = from; j < to; j++) {
                step[j] = tried[j] - point[j];
                change[j] = triedGradient[j] - gradient[j];
            }
        });
    }

    private void swap() {
        double[] earlier = point;
        point = tried;
        tried = earlier;
        earlier = gradient;
        gradient = triedGradient;
        triedGradient = earlier;
    }
}
