package tandem.solver;

import java.util.Arrays;
import tandem.problem.Separable;
import tandem.server.Row;
import tandem.server.ServerFunction;
import tandem.server.TableRows;
import tandem.wire.Figures;

/// What the rows of [BlockProximal] and [ClockProximal] sum up to, where they live. Arguments begin with the penalty:
/// l1, l2, the least and the largest weight.
public final class BlockFigures {

    private BlockFigures() {}

    /// The penalty of all weights; the largest optimality residual, by the gradients that were seen last; and the
    /// largest of these, without its sign, of those that nothing but the L1 strength holds, and of all.
    public static final ServerFunction STATE =
            new State((row, penalty) -> penalty.residual(row.weight(0), row.value(1, BlockProximal.SEEN)));

    /// The same of [ClockProximal], where the residual is that of the weights which the gradients were seen at; and
    /// last how far weights have moved, summed up.
    public static final ServerFunction CLOCKED = new State((row, _) -> row.value(0, BlockProximal.SEEN));

    /// How far a weight is from optimal.
    @FunctionalInterface
    private interface Residual {
        double of(Row row, Separable penalty);
    }

    private record State(Residual residual) implements ServerFunction {

        @Override
        public Figures over(TableRows rows, Figures with) {
            Separable penalty = penalty(with);
            double[] state = new double[5];
            rows.forEach(row -> {
                double g = row.value(1, BlockProximal.SEEN);
                state[0] += penalty.value(row.weight(0));
                state[1] = Math.max(state[1], residual.of(row, penalty));
                state[2] = penalty.holds(g) ? state[2] : Math.max(state[2], Math.abs(g));
                state[3] = Math.max(state[3], Math.abs(g));
                state[4] += row.weight(1);
            });
            return Figures.of(state);
        }

        @Override
        public Figures merge(Figures one, Figures other) {
            return Figures.of(
                    one.real(0) + other.real(0),
                    Math.max(one.real(1), other.real(1)),
                    Math.max(one.real(2), other.real(2)),
                    Math.max(one.real(3), other.real(3)),
                    one.real(4) + other.real(4));
        }
    }

    /// The penalty's part of a lower bound of the objective: Σ h*(−scale·g), where `scale` is the fifth argument and g
    /// the gradients that were seen last.
    public static final ServerFunction CONJUGATE = (rows, with) -> {
        Separable penalty = penalty(with);
        double[] sum = {0};
        rows.forEach(row -> sum[0] += penalty.conjugate(-with.real(4) * row.value(1, BlockProximal.SEEN)));
        return Figures.of(sum);
    };

    /// The weights of some keys before their last step, 0 for those that have taken none.
    public static final ServerFunction BEFORE = (rows, with) -> Figures.of(Arrays.stream(with.whole())
            .mapToObj(rows::find)
            .mapToDouble(row -> row == null ? 0 : row.value(0, BlockProximal.BEFORE))
            .toArray());

    /// A penalty as arguments.
    public static Figures arguments(Separable penalty, double... more) {
        double[] all = new double[4 + more.length];
        all[0] = penalty.l1();
        all[1] = penalty.l2();
        all[2] = penalty.low();
        all[3] = penalty.high();
        System.arraycopy(more, 0, all, 4, more.length);
        return Figures.of(all);
    }

    static Separable penalty(Figures with) {
        return new Separable(with.real(0), with.real(1), with.real(2), with.real(3));
    }
}
