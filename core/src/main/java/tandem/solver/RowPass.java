package tandem.solver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import tandem.math.Parallel;
import tandem.problem.Loss;

/// Passes over rows in memory, cut into lanes of about as many rows each, which add up by themselves.
final class RowPass {

    /// A stretch of the rows of a slab.
    private record Stretch(RowSlab slab, int from, int to) {}

    private final Loss loss;
    private final Stretches stretches;
    private final List<List<Stretch>> lanes;
    private final Parallel parallel;
    private final double[][] gradients;
    private final double[] losses;
    private final double[] slopes;

    RowPass(QuasiNewton.Task task, int count, Parallel parallel) {
        this.loss = task.loss();
        this.stretches = new Stretches(task.columns(), parallel);
        this.parallel = parallel;
        lanes = IntStream.range(0, count)
                .mapToObj(lane -> lane(task, lane, count))
                .toList();
        gradients = new double[count][task.columns()];
        losses = new double[count];
        slopes = new double[count];
    }

    private static List<Stretch> lane(QuasiNewton.Task task, int lane, int count) {
        long rows = task.rows();
        long from = rows * lane / count;
        long to = rows * (lane + 1) / count;
        List<Stretch> found = new ArrayList<>();
        long before = 0;
        for (RowSlab slab : task.slabs()) {
            int first = (int) Math.max(0, from - before);
            int last = (int) Math.min(slab.rows(), to - before);
            if (first < last) {
                found.add(new Stretch(slab, first, last));
            }
            before += slab.rows();
        }
        return found;
    }

    /// Σ_i c_i·x_ij by column.
    void sums(double[] into) {
        weighted(into, value -> value);
    }

    /// Σ_i c_i·x_ij² by column.
    void squares(double[] into) {
        weighted(into, value -> value * value);
    }

    private void weighted(double[] into, DoubleUnaryOperator of) {
        parallel.run(lanes.size(), lane -> {
            double[] sums = gradients[lane];
            Arrays.fill(sums, 0);
            for (Stretch stretch : lanes.get(lane)) {
                RowSlab slab = stretch.slab;
                for (int r = stretch.from; r < stretch.to; r++) {
                    double importance = slab.importances()[r];
                    for (int e = slab.starts()[r]; e < slab.starts()[r + 1]; e++) {
                        sums[slab.columns()[e]] += importance * of.applyAsDouble(slab.values()[e]);
                    }
                }
            }
        });
        together(into);
    }

    private void together(double[] into) {
        stretches.each((from, to) -> {
            System.arraycopy(gradients[0], from, into, from, to - from);
            for (int lane = 1; lane < gradients.length; lane++) {
                double[] more = gradients[lane];
                for (int j = from; j < to; j++) {
                    into[j] += more[j];
                }
            }
        });
    }

    /// The sum of importances.
    double importance() {
        double sum = 0;
        for (List<Stretch> lane : lanes) {
            for (Stretch stretch : lane) {
                for (int r = stretch.from; r < stretch.to; r++) {
                    sum += stretch.slab.importances()[r];
                }
            }
        }
        return sum;
    }

    /// The intercept that is best where all weights are 0, by Newton's method.
    double bestIntercept() {
        double b = 0;
        for (int step = 0; step < 20; step++) {
            double at = b;
            parallel.run(lanes.size(), lane -> {
                double slope = 0;
                double curvature = 0;
                for (Stretch stretch : lanes.get(lane)) {
                    for (int r = stretch.from; r < stretch.to; r++) {
                        double importance = stretch.slab.importances()[r];
                        slope += importance * loss.derivative(at, stretch.slab.labels()[r]);
                        curvature +=
                                importance * loss.curvature(at, stretch.slab.labels()[r]);
                    }
                }
                slopes[lane] = slope;
                losses[lane] = curvature;
            });
            double move = Arrays.stream(slopes).sum()
                    / Math.max(Double.MIN_NORMAL, Arrays.stream(losses).sum());
            // A step of Newton's may be much too long where the loss is nearly flat.
            b -= Math.clamp(move, -2, 2);
            if (Math.abs(move) <= 1e-9 * Math.max(1, Math.abs(b))) {
                break;
            }
        }
        return b;
    }

    /// The loss at these weights; leaves its gradient in `gradient` and the slope by the intercept in [#slope].
    double loss(double[] weights, double intercept, double[] gradient) {
        parallel.run(lanes.size(), lane -> lane(lane, weights, intercept));
        together(gradient);
        return Arrays.stream(losses).sum();
    }

    double slope() {
        return Arrays.stream(slopes).sum();
    }

    private void lane(int lane, double[] weights, double intercept) {
        double[] gradient = gradients[lane];
        Arrays.fill(gradient, 0);
        double sum = 0;
        double all = 0;
        for (Stretch stretch : lanes.get(lane)) {
            RowSlab slab = stretch.slab;
            int[] columns = slab.columns();
            float[] values = slab.values();
            for (int r = stretch.from; r < stretch.to; r++) {
                int from = slab.starts()[r];
                int to = slab.starts()[r + 1];
                // Two sums, so that one addition need not wait for the other.
                double even = intercept;
                double odd = 0;
                int e = from;
                for (; e < to - 1; e += 2) {
                    even += weights[columns[e]] * values[e];
                    odd += weights[columns[e + 1]] * values[e + 1];
                }
                double score = e < to ? even + odd + weights[columns[e]] * values[e] : even + odd;
                double label = slab.labels()[r];
                double importance = slab.importances()[r];
                sum += importance * loss.value(score, label);
                double slope = importance * loss.derivative(score, label);
                all += slope;
                for (e = from; e < to; e++) {
                    gradient[columns[e]] += slope * values[e];
                }
            }
        }
        losses[lane] = sum;
        slopes[lane] = all;
    }
}
