package tandem.solver;

import java.util.Arrays;
import java.util.function.IntToDoubleFunction;
import tandem.problem.GroupKeys;
import tandem.server.Row;
import tandem.server.ServerFunction;
import tandem.server.TableRows;
import tandem.wire.Figures;

/// [BlockFigures#STATE] for the rows of [GroupProximal]: the penalty of all weights; the largest optimality residual of
/// a group, the least norm of what gradient and penalty can add up to; and twice the largest norm of a group's
/// gradient. The argument is the strength of the penalty.
public record GroupFigures(GroupKeys groups) implements ServerFunction {

    /// What servers know it by.
    public static final String NAME = "group state";

    @Override
    public Figures over(TableRows rows, Figures with) {
        Sums sums = new Sums(with.real(0));
        rows.forEach(sums::add);
        sums.close();
        return Figures.of(sums.penalty, sums.residual, sums.largest, sums.largest);
    }

    @Override
    public Figures merge(Figures one, Figures other) {
        return Figures.of(
                one.real(0) + other.real(0),
                Math.max(one.real(1), other.real(1)),
                Math.max(one.real(2), other.real(2)),
                Math.max(one.real(3), other.real(3)));
    }

    /// Of rows ascending by key, so that a group is over when a row of another comes.
    private final class Sums {

        private final double strength;
        private double penalty;
        private double residual;
        private double largest;

        /// Weights and gradients of the group in hand.
        private int group = GroupKeys.ALONE;

        private int size;
        private double[] weights = new double[8];
        private double[] gradients = new double[8];

        Sums(double strength) {
            this.strength = strength;
        }

        void add(Row row) {
            int next = groups.group(row.key());
            if (next == GroupKeys.ALONE || next != group) {
                close();
            }
            group = next;
            if (size == weights.length) {
                weights = Arrays.copyOf(weights, 2 * size);
                gradients = Arrays.copyOf(gradients, 2 * size);
            }
            weights[size] = row.weight(0);
            gradients[size++] = row.value(1, BlockProximal.SEEN);
        }

        void close() {
            double norm = norm(k -> weights[k]);
            double gradient = norm(k -> gradients[k]);
            double off = norm == 0
                    ? Math.max(0, gradient - strength)
                    : norm(k -> gradients[k] + strength * weights[k] / norm);
            penalty += strength * norm;
            residual = Math.max(residual, off);
            largest = Math.max(largest, gradient);
            size = 0;
        }

        private double norm(IntToDoubleFunction of) {
            double squares = 0;
            for (int k = 0; k < size; k++) {
                squares += of.applyAsDouble(k) * of.applyAsDouble(k);
            }
            return Math.sqrt(squares);
        }
    }
}
