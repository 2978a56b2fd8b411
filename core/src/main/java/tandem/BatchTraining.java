package tandem;

import tandem.cluster.Traffic;
import tandem.data.Columns;
import tandem.math.Mix;
import tandem.problem.Regulariser;
import tandem.problem.Separable;
import tandem.solver.Fista;
import tandem.solver.Monitor;
import tandem.solver.Problem;
import tandem.solver.ProximalNewton;
import tandem.solver.Solution;
import tandem.worker.Target;

/// Trains problems on data in memory, each to its optimum: proximal Newton where the penalty treats each
/// weight by itself, FISTA where it ties them together.
final class BatchTraining {

    private final Run run;
    private final Solver.Batch solver;
    private final Columns columns;
    private final Regulariser regulariser;

    BatchTraining(Run run, Solver.Batch solver, Columns columns) {
        this.run = run;
        this.solver = solver;
        this.columns = columns;
        this.regulariser = run.settings().penalty().over(columns.keys());
    }

    /// The optimum of one problem, from `start` or from 0; what was found so far if it was interrupted.
    Solution solve(Target target, Weights start, String stage) {
        Linear settings = run.settings();
        double[] labels = columns.labels().clone();
        float[] importances = columns.weights().clone();
        for (int i = 0; i < labels.length; i++) {
            labels[i] = target.of(labels[i]);
            if (labels[i] > 0) {
                importances[i] *= (float) settings.positiveWeight();
            }
        }
        Problem problem = new Problem(columns, labels, importances, settings.loss(), regulariser, settings.intercept());
        double[] from = start == null ? new double[columns.count()] : placed(start);
        double intercept = start == null ? 0 : start.intercept();
        return switch (regulariser) {
            case Separable _ ->
                new ProximalNewton(solver.tolerance(), solver.tolerance(), solver.maxIterations(), settings.seed())
                        .minimise(problem, from, intercept, run.threads(), watch(stage));
            default ->
                new Fista(solver.tolerance(), solver.maxIterations())
                        .minimise(problem, from, intercept, run.threads(), watch(stage));
        };
    }

    /// The weights of a solution, by feature id.
    Weights weights(Solution solution) {
        return Weights.ofKeys(columns.keys().clone(), solution.weights().clone(), solution.intercept());
    }

    private double[] placed(Weights start) {
        double[] placed = new double[columns.count()];
        for (int j = 0; j < placed.length; j++) {
            int at = find(start.ids(), Mix.unmix(columns.keys()[j]));
            placed[j] = at < 0 ? 0 : start.values()[at];
        }
        return placed;
    }

    private static int find(long[] ids, long id) {
        int low = 0;
        int high = ids.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Long.compareUnsigned(ids[middle], id);
            if (order == 0) {
                return middle;
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle - 1;
        }
        return -1;
    }

    private Monitor watch(String stage) {
        double weight = 0;
        for (float w : columns.weights()) {
            weight += w;
        }
        double total = weight;
        return at -> {
            run.reached(at.number(), Traffic.NONE, at.objective());
            run.step(stage, at.number(), columns.rows(), at.objective() / total, at.residual());
            return !run.interrupted();
        };
    }
}
