package tandem.solver;

import tandem.problem.Separable;
import tandem.server.ServerFunction;
import tandem.wire.Figures;

/// What servers do in dual coordinate ascent, whose rows hold by feature what the slopes of all examples pull its
/// weight by.
public final class DualFigures {

    private DualFigures() {}

    /// The penalty of the weights, and its conjugate at the pulls. The arguments are the penalty, as for
    /// [BlockFigures].
    public static final ServerFunction STATE = (rows, with) -> {
        Separable penalty = BlockFigures.penalty(with);
        double[] sums = new double[2];
        rows.forEach(row -> {
            sums[0] += penalty.value(DualPull.weight(row, penalty));
            sums[1] += penalty.conjugate(DualPull.of(row));
        });
        return Figures.of(sums);
    };
}
