package tandem;

import java.util.Locale;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.report.Progress;

/// Which solver `auto` takes, and why in a line: the one that ends with a certificate soonest, where there is one that
/// takes the loss and the penalty and has room for the data; else FTRL.
///
/// It does not begin with a pass of FTRL: that takes as long as it saves, or longer (docs/algorithms/auto.md).
record Choice(Solver solver, String reason) {

    /// What share of memory data may take: solvers and models need some too.
    private static final double SHARE = 0.5;

    /// Bytes that an entry takes as rows and as columns, and a row with what solvers keep of it.
    private static final int ENTRY_BYTES = 16;

    private static final int ROW_BYTES = 72;

    /// What is known of data before it is learned.
    ///
    /// @param rows    how many examples
    /// @param entries how many features they have in all, about
    /// @param heap    bytes that a process may use
    record Shape(long rows, long entries, long heap) {

        /// How many bytes the data takes in memory.
        private double bytes() {
            return (double) ENTRY_BYTES * entries + (double) ROW_BYTES * rows;
        }

        private String told(int processes) {
            return String.format(
                    Locale.ROOT,
                    "%s rows with %.1f features each take about %.1f MB of the %.1f that %s may use",
                    Progress.count(rows),
                    (double) entries / Math.max(1, rows),
                    bytes() / 1e6,
                    processes * heap / 1e6,
                    processes == 1 ? "Java" : processes + " workers");
        }
    }

    /// @param settings with [Solver.Auto]
    /// @param shape    null if the data can only be read once
    /// @param cluster  null to train in one process
    static Choice of(Linear settings, Shape shape, ClusterPlan cluster) {
        Choice best = best(settings, shape, cluster);
        if (cluster == null || best.solver instanceof Solver.Online) {
            return best;
        }
        if (settings.penalty() instanceof Penalty.Grouped) {
            cluster.check(best.solver); // no other solver for servers takes groups
            return best;
        }
        try {
            cluster.check(best.solver);
            return best;
        } catch (IllegalArgumentException unfit) {
            return online("servers and workers are to work as no solver with a certificate does");
        }
    }

    private static Choice best(Linear settings, Shape shape, ClusterPlan cluster) {
        Loss loss = settings.loss();
        if (!(settings.penalty() instanceof Penalty.Plain(Separable penalty))) {
            return tied(settings, cluster);
        }
        if (shape == null) {
            return online("the data is read once, as it comes");
        }
        boolean alone = cluster == null
                || !(cluster.where() instanceof Where.Processes || cluster.where() instanceof Where.Hosted);
        int processes = alone ? 1 : cluster.workers();
        boolean fits = shape.bytes() <= SHARE * processes * shape.heap;
        String size = shape.told(processes);
        if (!loss.smooth()) {
            return penalty.l2() > 0 && fits
                    ? new Choice(Solver.Sdca.DEFAULT, "the loss has a kink, there is an L2 penalty, and " + size)
                    : online("the loss has a kink, and " + (fits ? "there is no L2 penalty" : size));
        }
        if (cluster == null && fits) {
            return new Choice(Solver.Batch.DEFAULT, size + ", so that it is solved to the optimum");
        }
        boolean bounded = Double.isFinite(penalty.low()) || Double.isFinite(penalty.high());
        if (cluster != null && fits && (bounded || penalty.l1() > 0)) {
            return new Choice(
                    Solver.Blocks.DEFAULT,
                    (bounded ? "weights have bounds" : "with L1 most weights are at rest") + ", and " + size);
        }
        if (!bounded && (double) ROW_BYTES * shape.rows <= SHARE * processes * shape.heap) {
            return new Choice(
                    Solver.Lbfgs.DEFAULT,
                    fits ? "the loss is smooth, and there are workers" : size + ", so that it is read again and again");
        }
        return online(size);
    }

    /// For a penalty that ties weights together.
    private static Choice tied(Linear settings, ClusterPlan cluster) {
        Penalty penalty = settings.penalty();
        if (cluster == null) {
            return new Choice(
                    Solver.Batch.DEFAULT, "the penalty ties weights together, which the batch solver handles best");
        }
        if (!(penalty instanceof Penalty.Grouped)) {
            throw new IllegalArgumentException("the penalty (" + penalty.describe() + ") ties all weights together,"
                    + " and no solver for servers and workers handles that; leave out --runtime, --workers and"
                    + " --servers, or use --l1 and --l2");
        }
        if (!settings.loss().smooth()) {
            throw new IllegalArgumentException("the loss " + settings.loss().name() + " has a kink, and no solver takes"
                    + " groups with that; use a smooth loss such as "
                    + (settings.loss().binary() ? "squared-hinge" : "huber") + ", or --l1 and --l2");
        }
        return new Choice(Solver.Blocks.DEFAULT, "the penalty has groups of weights, which servers move together");
    }

    private static Choice online(String reason) {
        return new Choice(Solver.Online.of(Solver.Rule.FTRL), reason);
    }
}
