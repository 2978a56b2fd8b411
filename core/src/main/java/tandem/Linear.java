package tandem;

import java.io.IOException;
import tandem.data.Batches;
import tandem.data.ColumnUse;
import tandem.problem.Loss;
import tandem.problem.Regulariser;
import tandem.problem.Separable;
import tandem.worker.Local;

/// A linear model to be trained: F(w, b) = Σ cᵢ·loss(xᵢᵀw + b, yᵢ) + penalty(w), on the sum scale.
///
/// @param intercept      whether b is fitted; it is never penalised
/// @param positiveWeight how much an example of the positive class counts
/// @param positive       the label that is the positive class, or null for the larger of two
/// @param threads        how many threads work on it; with 1 a run repeats bit for bit
public record Linear(
        Loss loss,
        Penalty penalty,
        boolean intercept,
        double positiveWeight,
        String positive,
        Solver solver,
        int threads,
        long seed) {

    public static final Linear DEFAULT = new Linear(
            Loss.named("logistic"),
            new Penalty.Plain(Separable.l2(1)),
            true,
            1,
            null,
            Solver.Online.of(Solver.Rule.FTRL),
            Runtime.getRuntime().availableProcessors(),
            1);

    public Linear {
        if (threads < 1 || threads > 1024) {
            throw new IllegalArgumentException("threads is " + threads + "; use 1 to 1024");
        }
        if (!(positiveWeight > 0) || Double.isInfinite(positiveWeight)) {
            throw new IllegalArgumentException(
                    "the weight of positives is " + positiveWeight + "; use a number above 0, such as 1");
        }
        if (positiveWeight != 1 && !loss.binary()) {
            throw new IllegalArgumentException(
                    "a weight for positives needs two classes, but the loss is " + loss.name() + "; leave it out");
        }
        if (positive != null && !loss.binary()) {
            throw new IllegalArgumentException(
                    "a positive label needs two classes, but the loss is " + loss.name() + "; leave it out");
        }
        switch (solver) {
            case Solver.Online online -> {
                if (!(penalty instanceof Penalty.Plain(Separable _))) {
                    throw new IllegalArgumentException(
                            online.label() + " handles each weight by itself, but the penalty" + " ("
                                    + penalty.describe() + ") ties them together; use --solver " + solverFor(penalty));
                }
                if (online.local() instanceof Local.Emso) {
                    refuseKink(online, loss);
                }
            }
            case Solver.Factors factors -> {
                if (!(penalty instanceof Penalty.Plain(Separable _) || penalty instanceof Penalty.Usual)) {
                    throw new IllegalArgumentException(factors.label()
                            + " handles each weight by itself, but the penalty (" + penalty.describe()
                            + ") ties them together; use --l1 and --l2");
                }
            }
            case Solver.Batch batch -> refuseKink(batch, loss);
            case Solver.Lbfgs lbfgs -> {
                refuseKink(lbfgs, loss);
                if (!(penalty instanceof Penalty.Plain(Separable(double _, double _, double low, double high)))
                        || low != Double.NEGATIVE_INFINITY
                        || high != Double.POSITIVE_INFINITY) {
                    throw new IllegalArgumentException(lbfgs.label() + " takes L1 and L2 penalties, and the penalty is "
                            + penalty.describe() + "; use --solver batch");
                }
            }
            case Solver.Auto _ -> {} // whatever it chooses says what it refuses
            case Solver.Sdca sdca -> {
                if (!loss.convex()) {
                    throw new IllegalArgumentException("sdca works on the dual problem, and the loss " + loss.name()
                            + " is not convex, so it has none; use --solver dbpg, lbfgs or batch");
                }
                if (!(penalty instanceof Penalty.Plain(Separable plain)) || plain.l2() == 0) {
                    throw new IllegalArgumentException(sdca.label() + " needs an L2 penalty, beside which there may be"
                            + " L1 and bounds, and the penalty is " + penalty.describe() + "; add --l2, such as --l2 1,"
                            + " or use --solver " + (loss.smooth() ? "batch" : "ftrl"));
                }
            }
            case Solver.Proximal proximal -> {
                refuseKink(proximal, loss);
                if (!Double.isFinite(loss.maxCurvature())) {
                    throw new IllegalArgumentException("no step of " + proximal.label() + " is safe for the loss "
                            + loss.name() + ", which may curve as much as it likes; use --solver lbfgs, dbpg or batch");
                }
                if (!(penalty instanceof Penalty.Plain(Separable _))) {
                    throw new IllegalArgumentException(
                            proximal.label() + " handles each weight by itself, but the penalty (" + penalty.describe()
                                    + ") ties them together; use --solver " + solverFor(penalty));
                }
            }
            case Solver.Blocks blocks -> {
                refuseKink(blocks, loss);
                if (penalty instanceof Penalty.Plain(Regulariser plain) && !(plain instanceof Separable)) {
                    throw new IllegalArgumentException(blocks.label()
                            + " handles each weight or group by itself, but the penalty (" + penalty.describe()
                            + ") ties all together; use --solver batch");
                }
                if (penalty instanceof Penalty.Grouped && blocks.columns() == ColumnUse.DISK) {
                    throw new IllegalArgumentException("with groups " + blocks.label()
                            + " has the columns of rows in memory; leave out --columns-in disk");
                }
            }
        }
    }

    /// What takes a penalty that ties weights together.
    private static String solverFor(Penalty penalty) {
        return penalty instanceof Penalty.Grouped ? "dbpg or batch" : "batch";
    }

    private static void refuseKink(Solver solver, Loss loss) {
        if (!loss.smooth()) {
            throw new IllegalArgumentException("the " + solver.label() + " solver needs a smooth loss, and "
                    + loss.name()
                    + " has a kink; use --solver sdca, ftrl, adagrad, adadelay, downpour or sgd, or a smooth loss such"
                    + " as "
                    + (loss.binary() ? "squared-hinge" : "huber"));
        }
    }

    /// Whether there are settings that wait for the unit of what is learned.
    boolean isAutomatic() {
        return penalty instanceof Penalty.Usual
                || switch (solver) {
                    case Solver.Online online -> online.isAutomatic();
                    case Solver.Factors factors -> factors.isAutomatic();
                    case Solver.Batch _,
                            Solver.Blocks _,
                            Solver.Lbfgs _,
                            Solver.Sdca _,
                            Solver.Proximal _,
                            Solver.Auto _ -> false;
                };
    }

    /// The same with those as they suit `data`.
    ///
    /// @param together how many learn from the same weights
    Linear over(Batches data, int together) throws IOException {
        Unit unit = Unit.of(this, data);
        Linear settled = penalty instanceof Penalty.Usual usual ? withPenalty(usual.in(unit)) : this;
        return switch (solver) {
            case Solver.Online online -> settled.withSolver(online.in(unit));
            case Solver.Factors factors -> settled.withSolver(factors.over(data, loss, unit, together));
            case Solver.Batch _, Solver.Blocks _, Solver.Lbfgs _, Solver.Sdca _, Solver.Proximal _, Solver.Auto _ ->
                settled;
        };
    }

    public Linear withLoss(Loss loss) {
        return new Linear(loss, penalty, intercept, positiveWeight, positive, solver, threads, seed);
    }

    public Linear withPenalty(Regulariser regulariser) {
        return withPenalty(new Penalty.Plain(regulariser));
    }

    public Linear withPenalty(Penalty penalty) {
        return new Linear(loss, penalty, intercept, positiveWeight, positive, solver, threads, seed);
    }

    public Linear withIntercept(boolean intercept) {
        return new Linear(loss, penalty, intercept, positiveWeight, positive, solver, threads, seed);
    }

    public Linear withPositiveWeight(double positiveWeight) {
        return new Linear(loss, penalty, intercept, positiveWeight, positive, solver, threads, seed);
    }

    public Linear withPositive(String positive) {
        return new Linear(loss, penalty, intercept, positiveWeight, positive, solver, threads, seed);
    }

    public Linear withSolver(Solver solver) {
        return new Linear(loss, penalty, intercept, positiveWeight, positive, solver, threads, seed);
    }

    public Linear withThreads(int threads) {
        return new Linear(loss, penalty, intercept, positiveWeight, positive, solver, threads, seed);
    }

    public Linear withSeed(long seed) {
        return new Linear(loss, penalty, intercept, positiveWeight, positive, solver, threads, seed);
    }
}
