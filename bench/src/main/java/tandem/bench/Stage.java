package tandem.bench;

import java.io.IOException;
import java.nio.file.Path;
import tandem.CacheUse;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.Where;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.problem.Separable;
import tandem.simulate.Network;

/// L1 logistic regression on generated clicks, for runs in simulated time: 1 Gbit/s and 0.1 ms between nodes, and
/// tasks that take up to 30 % longer or shorter. Ids are ten times as many as rows and the penalty is such that few
/// weights are not 0, as in the data that filters were made for.
///
/// @param l1      the strength of the penalty, on the sum scale
/// @param optimum the least objective
/// @param entries of all rows
record Stage(Data data, Path cache, double l1, double optimum, long rows, long entries, long seed) {

    private static final Network GIGABIT = new Network(100_000, 0, 1.25e8, 0, 0);
    private static final double NOISE = 0.3;
    private static final double L1 = 3;
    private static final long BATCHES_A_WORKER = 4;

    /// Ends within about 1e-7 of the optimum, which is enough to judge 1e-3.
    private static final double REFERENCE = 1e-5;

    static Stage of(Workspace work, Notes notes, long rows, long seed) throws IOException {
        Clicks clicks = Clicks.DEFAULT.withSeed(seed).withRows(rows).withFeatures(10 * rows);
        Path file = work.clicks("clicks-%d-%d.svm".formatted(rows, seed), clicks, notes);
        L1Task task = L1Task.load(file, L1);
        return new Stage(
                Data.of(file.toString()),
                work.folder(),
                L1,
                task.steps(REFERENCE).optimum(),
                rows,
                task.problem().data().entries(),
                seed);
    }

    /// The objective that is so near to the optimum, relative to it.
    double near(double relative) {
        return optimum * (1 + relative);
    }

    LinearTraining job(Solver solver, ClusterPlan plan, double nanosPerEntry) {
        Linear settings = Linear.DEFAULT
                .withPenalty(Separable.l1(l1))
                .withIntercept(false)
                .withSolver(solver)
                .withSeed(seed);
        return LinearTraining.of(settings, data)
                .withCache(new CacheUse.Auto(cache))
                // Small batches, so that no worker has many more rows than another.
                .withCluster(plan.withBatchRows((int) Math.max(1, rows / (BATCHES_A_WORKER * plan.workers())))
                        .withWhere(new Where.Simulated(GIGABIT, nanosPerEntry, 0, 1).withNoise(NOISE)));
    }

    /// How long an entry takes so that a worker computes over one block of so many for as long as this.
    double nanosPerEntry(double blockNanos, int workers, int blocks) {
        return blockNanos * workers * blocks / entries;
    }
}
