package tandem.spark.ml;

import tandem.Linear;
import tandem.Solver;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.worker.Local;

/// What the parameters of a linear estimator mean.
final class LinearSettings {

    private LinearSettings() {}

    /// @param weight of all examples together
    static Linear of(LinearParams params, Loss loss, double weight) {
        return Linear.DEFAULT
                .withLoss(loss)
                .withIntercept(params.getFitIntercept())
                .withSeed(params.getSeed())
                .withPenalty(penalty(params, weight))
                .withSolver(solver(params));
    }

    /// Spark's penalty stands beside the mean loss, Tandem's beside the sum: it is `weight` times as large.
    static Separable penalty(TandemParams params, double weight) {
        double strength = weight * params.getRegParam();
        double share = params.getElasticNetParam();
        return Separable.NONE.withL1(strength * share).withL2(strength * (1 - share));
    }

    private static Solver solver(LinearParams params) {
        double tolerance = params.getTol();
        int most = params.getMaxIter();
        return switch (params.getSolver()) {
            case "auto", "batch", "dbpg" ->
                // A gap that is proven takes hundreds of rounds where the objective is that near after ten.
                Solver.Blocks.DEFAULT
                        .withTolerance(tolerance)
                        .withProgress(tolerance / 2)
                        .withMaxPasses(most);
            case "sdca" -> Solver.Sdca.DEFAULT.withTolerance(tolerance).withMaxPasses(most);
            case "lbfgs" -> Solver.Lbfgs.DEFAULT.withTolerance(tolerance).withMaxIterations(most);
            case "ssp-prox" -> proximal(params, Solver.Proximal.Split.EXAMPLES);
            case "m-papg" -> proximal(params, Solver.Proximal.Split.FEATURES);
            default -> online(params).withPasses(params.isSet(params.maxIter()) ? most : Solver.Online.AUTOMATIC);
        };
    }

    private static Solver proximal(LinearParams params, Solver.Proximal.Split split) {
        return Solver.Proximal.by(split).withTolerance(params.getTol()).withMaxClocks(params.getMaxIter());
    }

    private static Solver.Online online(LinearParams params) {
        return switch (params.getSolver()) {
            case "downpour" -> Solver.Online.downpour();
            case "emso-cd" -> Solver.Online.emso(Local.Emso.By.COORDINATE);
            case "emso-gd" -> Solver.Online.emso(Local.Emso.By.GRADIENT);
            case "adagrad" -> Solver.Online.of(Solver.Rule.ADAGRAD);
            case "adadelay" -> Solver.Online.of(Solver.Rule.ADADELAY);
            case "sgd" -> Solver.Online.of(Solver.Rule.SGD);
            default -> Solver.Online.of(Solver.Rule.FTRL);
        };
    }
}
