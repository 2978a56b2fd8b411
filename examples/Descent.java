import java.util.Arrays;
import java.util.SplittableRandom;
import tandem.Cluster;

/// Least squares by gradient descent: each worker has some rows, and the gradients of all are summed between workers.
void main() {
    int workers = 4, rows = 250, columns = 20;
    double[] truth = new SplittableRandom(1).doubles(columns, -1, 1).toArray();
    double[][] learned = new double[workers][];

    Cluster.embedded(workers, 1).run(worker -> {
        SplittableRandom chance = new SplittableRandom(100 + worker.number());
        double[][] x = new double[rows][];
        double[] y = new double[rows];
        for (int r = 0; r < rows; r++) {
            x[r] = chance.doubles(columns, -1, 1).toArray();
            y[r] = dot(x[r], truth) + 0.01 * chance.nextDouble(-1, 1);
        }
        double[] w = new double[columns];
        for (int step = 0; step < 100; step++) {
            double[] gradient = new double[columns];
            for (int r = 0; r < rows; r++) {
                double error = dot(x[r], w) - y[r];
                for (int c = 0; c < columns; c++) {
                    gradient[c] += error * x[r][c];
                }
            }
            // Asynchronous: other work could be done before the wait, such as the next layer's gradient.
            worker.await(worker.sum(gradient));
            for (int c = 0; c < columns; c++) {
                w[c] -= 2.0 / (workers * rows) * gradient[c];
            }
        }
        learned[worker.number()] = w;
    });

    double furthest = 0;
    for (int c = 0; c < columns; c++) {
        furthest = Math.max(furthest, Math.abs(learned[0][c] - truth[c]));
    }
    boolean alike = Arrays.stream(learned).allMatch(w -> Arrays.equals(w, learned[0]));
    IO.println("furthest weight off by %.4f; the same bits at all workers: %s".formatted(furthest, alike));
    if (!(furthest < 0.01) || !alike) {
        throw new AssertionError(furthest + " " + alike);
    }
}

double dot(double[] a, double[] b) {
    double sum = 0;
    for (int c = 0; c < a.length; c++) {
        sum += a[c] * b[c];
    }
    return sum;
}
