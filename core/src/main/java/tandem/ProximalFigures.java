package tandem;

import java.util.Map;
import java.util.TreeMap;
import tandem.client.Call;
import tandem.client.Session;
import tandem.problem.Separable;
import tandem.server.ServerFunction;
import tandem.solver.BlockFigures;
import tandem.wire.Figures;
import tandem.worker.ProximalLoop;

/// What all streams of a proximal solver sum up to after a round. What concerns weights is with whoever moves them:
/// servers where workers have examples, and workers where they have features.
///
/// @param penalty   the penalty of the weights
/// @param residual  the largest optimality residual
/// @param largest   the largest gradient, without its sign, of weights that nothing but the L1 strength holds
/// @param steepest  the same of all, and of the intercept
/// @param conjugate the penalty's part of a lower bound of the objective
/// @param dual      the examples' part of it
/// @param path      how far weights have moved in all
record ProximalFigures(
        double loss,
        double falls,
        double rises,
        double dual,
        double penalty,
        double residual,
        double largest,
        double steepest,
        double conjugate,
        double path) {

    /// Where workers have features.
    static ProximalFigures of(Map<Integer, ProximalLoop.Sums> streams) {
        ProximalFigures all = new ProximalFigures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        for (ProximalLoop.Sums one : new TreeMap<>(streams).values()) {
            all = new ProximalFigures(
                    all.loss + one.loss(),
                    all.falls + one.falls(),
                    all.rises + one.rises(),
                    all.dual + one.dual(),
                    all.penalty + one.penalty(),
                    Math.max(all.residual, one.residual()),
                    Math.max(all.largest, one.largest()),
                    Math.max(all.steepest, one.steepest()),
                    all.conjugate + one.conjugate(),
                    all.path + one.path());
        }
        return all;
    }

    /// The same where servers move weights, which have seen the gradient that was pushed last.
    ///
    /// @param scale what that is multiplied by for a bound; 1 if none is wanted
    ProximalFigures seenBy(Session reader, LinearJob job, int problem, Separable met, double scale) {
        Figures state = figures(reader, job.table(problem), BlockFigures.CLOCKED, BlockFigures.arguments(met));
        double bound = scale == 1
                ? Double.NaN
                : figures(reader, job.table(problem), BlockFigures.CONJUGATE, BlockFigures.arguments(met, scale))
                        .real(0);
        double by = job.intercept()
                ? figures(
                                reader,
                                job.interceptTable(problem),
                                BlockFigures.CLOCKED,
                                BlockFigures.arguments(Separable.NONE))
                        .real(3)
                : 0;
        return new ProximalFigures(
                loss,
                falls,
                rises,
                dual,
                state.real(0),
                Math.max(state.real(1), by),
                state.real(2),
                Math.max(state.real(3), by),
                bound,
                state.real(4));
    }

    private static Figures figures(Session reader, int table, ServerFunction function, Figures arguments) {
        return reader.compute(new Call(table, SolverRules.name(function), arguments), function::merge);
    }
}
