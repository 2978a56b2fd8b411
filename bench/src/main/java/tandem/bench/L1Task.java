package tandem.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tandem.data.Batches;
import tandem.data.ColumnLoader;
import tandem.data.Columns;
import tandem.data.Data;
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
        try (Batches batches = Data.of(file.toString()).stream();
                Threads threads = new Threads(2)) {
            Columns columns = ColumnLoader.load(batches, threads, 2);
            double positive = Arrays.stream(columns.labels()).max().orElse(1);
            double[] labels = Arrays.stream(columns.labels())
                    .map(label -> label == positive ? 1 : -1)
                    .toArray();
            return new L1Task(
                    new Problem(columns, labels, columns.weights(), Loss.named("logistic"), Separable.l1(l1), false));
        }
    }

    Solution solve(double tolerance, int threads) {
        return solve(tolerance, threads, Monitor.NONE);
    }

    private Solution solve(double tolerance, int threads, Monitor monitor) {
        ProximalNewton solver = ProximalNewton.DEFAULT.withTolerance(tolerance).withGap(0);
        try (Threads parallel = new Threads(threads)) {
            double[] start = new double[problem.data().count()];
            return solver.minimise(problem, start, 0, parallel, monitor);
        }
    }

    /// The steps of a solution, the first from weights of 0.
    ///
    /// @param scale what a tolerance is multiplied with: the largest gradient at weights of 0
    record Steps(double scale, List<Monitor.Iteration> steps) {

        double optimum() {
            return steps.getLast().objective();
        }

        /// The objective that `tolerance` ends at: until a solver stops, its steps do not depend on it.
        double objective(double tolerance) {
            return steps.stream()
                    .filter(step -> step.residual() <= tolerance * scale)
                    .findFirst()
                    .orElse(steps.getLast())
                    .objective();
        }
    }

    Steps steps(double tolerance) {
        List<Monitor.Iteration> steps = new ArrayList<>();
        solve(tolerance, 2, steps::add);
        double l1 = ((Separable) problem.regulariser()).l1();
        return new Steps(Math.max(1, steps.getFirst().residual() + l1), steps);
    }

    Trial trial(double tolerance, int threads) throws Exception {
        return Trial.of(
                () -> solve(tolerance, threads),
                (times, solution) -> times.withObjective(solution.objective(), solution.nonZeros()));
    }
}
