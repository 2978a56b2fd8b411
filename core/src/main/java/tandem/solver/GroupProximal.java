package tandem.solver;

import java.util.stream.IntStream;
import tandem.problem.GroupKeys;
import tandem.problem.Separable;
import tandem.server.SettlingRule;

/// [BlockProximal] for the group lasso: the weights of a group take one proximal step together,
///
///     w ← argmin_x Σ gⱼ(xⱼ − wⱼ) + uⱼ/2·(xⱼ − wⱼ)² + strength·‖x‖, but no weight further than its δ,
///
/// where a step that is too long for one of them is shortened for all. Each weight has a curvature of its own: rare
/// features would hardly move under the largest of their group. With aⱼ = uⱼwⱼ − gⱼ the group is 0 if ‖a‖ ≤ strength,
/// else xⱼ = aⱼρ/(uⱼρ + strength), where ρ = ‖x‖ is the root of ‖aⱼ/(uⱼρ + strength)‖ = 1 (Qin, Scheinberg and
/// Goldfarb, Mathematical Programming Computation 2013).
///
/// What is pushed and pulled is the same; the outlook of a group at rest is that of all its members. A key in no
/// group is a group of its own.
public record GroupProximal(double strength, GroupKeys groups) implements SettlingRule {

    private static final BlockProximal ALONE = new BlockProximal(Separable.NONE);

    private static final int COLUMNS = ALONE.columns();
    private static final int STRIDE = 2 * COLUMNS;

    /// Where a row has what [BlockProximal] has.
    private static final int GRADIENT = 1;

    private static final int BEFORE = BlockProximal.BEFORE;
    private static final int OUTLOOK = COLUMNS;
    private static final int CURVATURE = COLUMNS + 1;
    private static final int SEEN = COLUMNS + BlockProximal.SEEN;

    @Override
    public int columns() {
        return COLUMNS;
    }

    @Override
    public void update(double[] entries, int at, double pushed) {
        ALONE.update(entries, at, pushed);
    }

    @Override
    public void start(double[] entries, int at, int width, double weight) {
        ALONE.start(entries, at, width, weight);
    }

    @Override
    public boolean settlesTogether() {
        return true;
    }

    @Override
    public void settle(long[] keys, double[] rows) {
        int[] pushed = IntStream.range(0, keys.length)
                .filter(k -> rows[k * STRIDE + CURVATURE] != 0)
                .toArray();
        int end;
        for (int k = 0; k < pushed.length; k = end) {
            int group = groups.group(keys[pushed[k]]);
            end = k + 1;
            while (group != GroupKeys.ALONE && end < pushed.length && groups.group(keys[pushed[end]]) == group) {
                end++;
            }
            settle(
                    rows,
                    IntStream.range(k, end)
                            .map(member -> pushed[member] * STRIDE)
                            .toArray());
        }
    }

    /// Settles the rows of a group, which begin at `members`. Whoever pushes to one of them pushes to all that there
    /// are.
    private void settle(double[] e, int[] members) {
        boolean rests = true;
        for (int at : members) {
            e[at + SEEN] = e[at + GRADIENT];
            rests &= e[at] == 0 && e[at + OUTLOOK] <= 0;
        }
        if (e[members[0] + CURVATURE] > 0) {
            rests = step(e, members);
        }
        double outlook = rests ? outlook(e, members) : 0;
        for (int at : members) {
            if (rests) {
                e[at + OUTLOOK] = outlook;
            }
            e[at + GRADIENT] = 0;
            e[at + CURVATURE] = 0;
        }
    }

    /// Moves the weights of a group; whether all were 0 and are.
    private boolean step(double[] e, int[] members) {
        double norm = norm(e, members);
        double share = 1;
        for (int at : members) {
            double far = Math.abs(aim(e, at, norm) - e[at]);
            double reach = BlockProximal.reach(e[at + OUTLOOK]);
            share = far > reach ? Math.min(share, reach / far) : share;
        }
        boolean rests = true;
        for (int at : members) {
            double w = e[at];
            double aim = aim(e, at, norm);
            e[at] = share == 1 ? aim : w + share * (aim - w);
            e[at + BEFORE] = w;
            e[at + OUTLOOK] = Math.min(BlockProximal.MOST, 2 * Math.abs(e[at] - w) + BlockProximal.LEAST);
            rests &= w == 0 && e[at] == 0;
        }
        return rests;
    }

    /// Where the step of a weight leads, if it is not too long, by the norm of the group there.
    private double aim(double[] e, int at, double norm) {
        return norm == 0 ? 0 : pull(e, at) * norm / (e[at + CURVATURE] * norm + strength);
    }

    private static double pull(double[] e, int at) {
        return e[at + CURVATURE] * e[at] - e[at + GRADIENT];
    }

    /// ρ, by Newton's method for 1/‖aⱼ/(uⱼρ + strength)‖ = 1. The left side is concave in ρ and grows, so from 0 on
    /// each step leads closer and none beyond; of a group of one it is a line.
    private double norm(double[] e, int[] members) {
        double pulls = 0;
        for (int at : members) {
            pulls += pull(e, at) * pull(e, at);
        }
        if (Math.sqrt(pulls) <= strength) {
            return 0;
        }
        if (strength == 0) {
            return 1; // any: it cancels
        }
        double norm = 0;
        for (int round = 0; round < 100; round++) {
            double squares = 0;
            double slope = 0;
            for (int at : members) {
                double bottom = e[at + CURVATURE] * norm + strength;
                double part = pull(e, at) / bottom;
                squares += part * part;
                slope += part * part * e[at + CURVATURE] / bottom;
            }
            double by = squares * (Math.sqrt(squares) - 1) / slope;
            norm += Math.max(0, by);
            if (!(by > 1e-15 * norm)) {
                break;
            }
        }
        return norm;
    }

    /// By how much the scores of all rows that have a feature of a group at rest would have to move before it could
    /// wake, as what is below 0; a reach if it should wake.
    private double outlook(double[] e, int[] members) {
        double gradients = 0;
        double curvatures = 0;
        for (int at : members) {
            gradients += e[at + GRADIENT] * e[at + GRADIENT];
            curvatures += e[at + CURVATURE] * e[at + CURVATURE];
        }
        double slack = strength - Math.sqrt(gradients);
        return slack > 0 ? BlockProximal.atRest(slack, Math.sqrt(curvatures)) : BlockProximal.LEAST;
    }
}
