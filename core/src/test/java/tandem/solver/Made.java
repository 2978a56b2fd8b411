package tandem.solver;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import tandem.data.Columns;
import tandem.problem.Loss;

/// Small seeded data for solver tests, dense for the checks and by columns for the solvers.
record Made(double[][] x, double[] labels, float[] importances) {

    /// Every third column is of zeros and ones, the others are real numbers, half of them missing.
    static Made random(long seed, int rows, int count, Loss loss, boolean weighted) {
        RandomGenerator random = new SplittableRandom(seed);
        double[][] x = new double[rows][count];
        double[] truth = new double[count];
        Arrays.setAll(truth, j -> random.nextGaussian());
        double[] labels = new double[rows];
        float[] importances = new float[rows];
        for (int i = 0; i < rows; i++) {
            double score = 0.3;
            for (int j = 0; j < count; j++) {
                if (random.nextBoolean()) {
                    x[i][j] = j % 3 == 0 ? 1 : (float) random.nextGaussian();
                }
                score += x[i][j] * truth[j];
            }
            labels[i] = label(loss, score / Math.sqrt(count), random);
            importances[i] = weighted ? (float) random.nextDouble(0.1, 3) : 1;
        }
        return new Made(x, labels, importances);
    }

    private static double label(Loss loss, double score, RandomGenerator random) {
        if (loss.binary()) {
            return random.nextDouble() < 1 / (1 + Math.exp(-3 * score)) ? 1 : -1;
        }
        return loss.name().equals("poisson") ? random.nextInt(4) : score + random.nextGaussian();
    }

    static Made of(double[][] x, double... labels) {
        float[] importances = new float[labels.length];
        Arrays.fill(importances, 1);
        return new Made(x, labels, importances);
    }

    Columns columns() {
        int count = x.length == 0 ? 0 : x[0].length;
        long[] keys = new long[count];
        int[] starts = new int[count + 1];
        int[] valueStarts = new int[count + 1];
        int[] rowNumbers = new int[x.length * count];
        float[] values = new float[x.length * count];
        int entries = 0;
        int held = 0;
        for (int j = 0; j < count; j++) {
            keys[j] = j + 1L;
            boolean ones = true;
            for (int i = 0; i < x.length; i++) {
                ones &= x[i][j] == 0 || x[i][j] == 1;
            }
            for (int i = 0; i < x.length; i++) {
                if (x[i][j] != 0) {
                    rowNumbers[entries++] = i;
                    if (!ones) {
                        values[held++] = (float) x[i][j];
                    }
                }
            }
            starts[j + 1] = entries;
            valueStarts[j + 1] = held;
        }
        return new Columns(keys, starts, rowNumbers, valueStarts, values, labels, importances);
    }

    double score(int i, Solution solution) {
        double score = solution.intercept();
        for (int j = 0; j < x[i].length; j++) {
            score += x[i][j] * solution.weights()[j];
        }
        return score;
    }

    double loss(Loss loss, Solution solution) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += importances[i] * loss.value(score(i, solution), labels[i]);
        }
        return sum;
    }

    /// By column, then that of the intercept.
    double[] gradient(Loss loss, Solution solution) {
        int count = solution.weights().length;
        double[] gradient = new double[count + 1];
        for (int i = 0; i < x.length; i++) {
            double slope = importances[i] * loss.derivative(score(i, solution), labels[i]);
            for (int j = 0; j < count; j++) {
                gradient[j] += slope * x[i][j];
            }
            gradient[count] += slope;
        }
        return gradient;
    }
}
