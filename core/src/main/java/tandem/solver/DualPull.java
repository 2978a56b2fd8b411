package tandem.solver;

import tandem.problem.Separable;
import tandem.server.Row;
import tandem.server.SettlingRule;

/// A row is what the slopes of all examples pull the weight of a feature by, to which workers add changes. The weight
/// follows from it by the penalty, so it is not kept.
///
/// A pass holds the weight where it is, at y, by hold/2·(w − y)², and when its clock is over y moves to where the
/// weight has come. Workers pull v + hold·y, which is all that the weight follows from, and the hold. They push
/// changes of v, and [#MOVES]; or [#STAYS], and then it is y that moves, and not the weight. What is pushed first tells
/// the hold: Σ c·x²·(features of the row), and of how many rows. The hold is the mean of that, so that about as much
/// moves the score of an example through each of its features, whatever their units.
///
/// A row that was started from a weight stands for it until the first change, which is added to 0: what examples pull
/// by is known only then. Where none ever comes no example has the feature, and nothing pulls at it.
public record DualPull(Separable penalty) implements SettlingRule {

    /// What is pushed beside a change that moves the weight, and beside one that does not.
    public static final double MOVES = 1;

    public static final double STAYS = -1;

    private static final int SUM = 1;

    /// In the first entry: what the slopes of all examples pull by.
    private static final int PULL = 2;

    /// In the second: not 0 while a row stands for a weight to start from.
    private static final int STARTED = 2;

    @Override
    public int columns() {
        return 3;
    }

    /// What pulls at the weight of a row.
    public static double of(Row row) {
        return row.value(0, PULL);
    }

    /// The weight of a row.
    public static double weight(Row row, Separable penalty) {
        return row.value(1, STARTED) != 0 ? 0 : penalty.weightUnder(row.weight(0), row.weight(1));
    }

    @Override
    public void update(double[] entries, int at, double change) {
        entries[at + SUM] += change;
    }

    @Override
    public void settle(double[] e, int at, int width) {
        int second = at + columns();
        double change = e[at + SUM];
        double pushes = e[second + SUM];
        if (pushes == 0) {
            return;
        }
        if (pushes < 0) {
            e[at + PULL] += change;
        } else if (e[second] == 0) {
            double weight = penalty.weightUnder(e[at], 0);
            // Where all values are 0 nothing ever pulls.
            e[second] = Math.max(change / pushes, Double.MIN_NORMAL);
            e[at] += e[second] * weight;
        } else if (e[second + STARTED] != 0) {
            double weight = penalty.weightUnder(e[at], e[second]);
            e[second + STARTED] = 0;
            e[at + PULL] = change;
            e[at] = change + e[second] * weight;
        } else {
            double weight = penalty.weightUnder(e[at] + change, e[second]);
            e[at + PULL] += change;
            e[at] = e[at + PULL] + e[second] * weight;
        }
        e[at + SUM] = 0;
        e[second + SUM] = 0;
    }

    /// A pull that leads to the weight.
    @Override
    public void start(double[] entries, int at, int width, double weight) {
        entries[at] = penalty.l2() * weight + penalty.l1() * Math.signum(weight);
        entries[at + columns() + STARTED] = 1;
    }
}
