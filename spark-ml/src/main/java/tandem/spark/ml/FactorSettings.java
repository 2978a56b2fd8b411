package tandem.spark.ml;

import tandem.Linear;
import tandem.Penalty;
import tandem.Solver;
import tandem.problem.Loss;
import tandem.problem.Separable;

/// What the parameters of a factorisation machine mean.
final class FactorSettings {

    /// The penalties of the command line, which stand beside the sum of losses.
    private static final double L1 = 0.1;
    private static final double L2 = 1;

    private FactorSettings() {}

    /// @param weight of all examples together
    static Linear of(FactorParams params, Loss loss, double weight) {
        boolean plain = plain(params);
        Penalty penalty = params.isDefined(params.regParam())
                ? new Penalty.Plain(LinearSettings.penalty(params, weight))
                : new Penalty.Usual(Separable.l2(L2).withL1(plain ? 0 : L1));
        return Linear.DEFAULT
                .withLoss(loss)
                .withIntercept(params.getFitIntercept())
                .withSeed(params.getSeed())
                .withSolver(solver(
                        params,
                        (plain ? Solver.Factors.PLAIN : Solver.Factors.ADAPTIVE).among(params.getNumWorkers()),
                        weight))
                .withPenalty(penalty);
    }

    private static Solver.Factors solver(FactorParams params, Solver.Factors usual, double weight) {
        boolean rated = params.isSet(params.stepSize());
        Solver.Online weights = (rated ? usual.weights().withAlpha(params.getStepSize()) : usual.weights())
                .withRows(
                        params.isSet(params.updateRows())
                                ? params.getUpdateRows()
                                : usual.weights().rows())
                .withPasses(params.isDefined(params.maxIter()) ? params.getMaxIter() : Solver.Online.AUTOMATIC);
        Solver.Factors solver = usual.withWeights(weights)
                .withDimension(params.getFactorSize())
                .withRates(rated ? params.getStepSize() : usual.alpha(), usual.beta());
        if (params.isDefined(params.factorRegParam())) {
            solver = solver.withL2(weight * params.getFactorRegParam());
        } else if (params.isDefined(params.regParam())) {
            solver = solver.withL2(weight * params.getRegParam());
        }
        if (params.isSet(params.initStd())) {
            solver = solver.withScale(
                    Math.min(Solver.Factors.MOST_SCALE, params.getInitStd() * FactorKnobs.SCALE_OF_DEVIATION));
        }
        return plain(params)
                ? solver
                : solver.withThreshold(params.getFactorThreshold()).withSparse(params.getSparseFactors());
    }

    private static boolean plain(FactorParams params) {
        return params.getSolver().equals("fm");
    }
}
