package tandem;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tandem.problem.Loss;
import tandem.problem.Separable;

/// Proximal gradient whose gradients are late, by one thread over whole vectors.
///
/// @param rows the label of each first, then its features
record LateProximal(List<double[]> rows, Loss loss, Separable penalty) {

    /// By how many clocks what the gradient of a coordinate is taken at is too old.
    @FunctionalInterface
    interface Delay {
        int of(int clock, int coordinate);
    }

    /// All points, from zero on, with steps that are as many times shorter than a bound on the curvature as
    /// `caution`.
    List<double[]> iterates(Delay delay, double caution, int clocks) {
        int n = rows.getFirst().length;
        double[] u = curvatures(caution);
        List<double[]> all = new ArrayList<>(List.of(new double[n]));
        List<double[]> gradients = new ArrayList<>();
        for (int t = 0; t < clocks; t++) {
            gradients.add(gradient(all.get(t)));
            double[] w = all.get(t).clone();
            for (int j = 1; j < n; j++) {
                double g = gradients.get(Math.max(0, t - delay.of(t, j)))[j];
                w[j] = penalty.prox(w[j] - g / u[j], 1 / u[j]);
            }
            all.add(w);
        }
        return all;
    }

    /// What a gradient is divided by to make a step.
    double[] curvatures(double caution) {
        int n = rows.getFirst().length;
        double[] u = new double[n];
        for (double[] row : rows) {
            long features = Arrays.stream(row, 1, n).filter(x -> x != 0).count();
            for (int j = 1; j < n; j++) {
                u[j] += caution * loss.maxCurvature() * features * row[j] * row[j];
            }
        }
        return u;
    }

    private double[] gradient(double[] w) {
        double[] g = new double[w.length];
        for (double[] row : rows) {
            double slope = loss.derivative(score(row, w), row[0]);
            for (int j = 1; j < w.length; j++) {
                g[j] += slope * row[j];
            }
        }
        return g;
    }

    double objective(double[] w) {
        double sum = 0;
        for (int j = 1; j < w.length; j++) {
            sum += penalty.value(w[j]);
        }
        for (double[] row : rows) {
            sum += loss.value(score(row, w), row[0]);
        }
        return sum;
    }

    private static double score(double[] row, double[] w) {
        double sum = 0;
        for (int j = 1; j < w.length; j++) {
            sum += row[j] * w[j];
        }
        return sum;
    }
}
