package tandem.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import tandem.data.Batches;
import tandem.data.ColumnLoader;
import tandem.data.Columns;
import tandem.data.Data;
import tandem.math.Parallel;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.solver.Monitor;
import tandem.solver.Problem;
import tandem.solver.ProximalNewton;
import tandem.solver.Solution;
import tandem.worker.Threads;

/// L1 logistic regression without intercept on a file of two classes, held in memory.
record L1Task(Problem problem) {

    static L1Task load(Path file, double l1) throws IOException {
        try (Batches batches = Data.of(file.toString()).stream()) {
            Columns columns = ColumnLoader.load(batches, Parallel.SEQUENTIAL, 1);
            double positive = Arrays.stream(columns.labels()).max().orElse(1);
            double[] labels = Arrays.stream(columns.labels())
                    .map(label -> label == positive ? 1 : -1)
                    .toArray();
            return new L1Task(
                    new Problem(columns, labels, columns.weights(), Loss.named("logistic"), Separable.l1(l1), false));
        }
    }

    Solution solve(double tolerance, int threads) {
        ProximalNewton solver = ProximalNewton.DEFAULT.withTolerance(tolerance).withGap(0);
        try (Threads parallel = new Threads(threads)) {
            double[] start = new double[problem.data().count()];
            return solver.minimise(problem, start, 0, parallel, Monitor.NONE);
        }
    }

    Trial trial(double tolerance, int threads) throws Exception {
        return Trial.of(
                () -> solve(tolerance, threads),
                (times, solution) -> times.withObjective(solution.objective(), solution.nonZeros()));
    }
}
