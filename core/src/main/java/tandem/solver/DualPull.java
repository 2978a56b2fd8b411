package tandem.solver;

import tandem.problem.Separable;
import tandem.server.Row;
import tandem.server.UpdateRule;

/// A row is what the slopes of all examples pull the weight of a feature by, to which workers add changes. The weight
/// follows from it by the penalty, so it is not kept.
///
/// A row that was started from a weight stands for it until the first change, which is added to 0: what examples pull
/// by is known only then. Where none ever comes no example has the feature, and nothing pulls at it.
public record DualPull(Separable penalty) implements UpdateRule {

    /// The column that is not 0 while a row stands for a weight to start from.
    private static final int STARTED = 1;

    @Override
    public int columns() {
        return 2;
    }

    /// What pulls at the weight of a row.
    public static double of(Row row) {
        return row.value(0, STARTED) != 0 ? 0 : row.weight(0);
    }

    @Override
    public void update(float[] entries, int at, float change) {
        throw new IllegalArgumentException("dual coordinate ascent works on tables of doubles");
    }

    @Override
    public void update(double[] entries, int at, double change) {
        entries[at] = (entries[at + STARTED] != 0 ? 0 : entries[at]) + change;
        entries[at + STARTED] = 0;
    }

    /// A pull that leads to the weight.
    @Override
    public void start(double[] entries, int at, int width, double weight) {
        entries[at] = penalty.l2() * weight + penalty.l1() * Math.signum(weight);
        entries[at + STARTED] = 1;
    }
}
