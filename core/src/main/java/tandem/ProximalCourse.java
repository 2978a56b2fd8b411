package tandem;

import tandem.consistency.Consistency;
import tandem.consistency.Timetable;
import tandem.problem.Diverged;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.solver.Balance;
import tandem.solver.Ending;
import tandem.worker.ProximalLoop;

/// Proximal gradient under stale synchronous parallelism (Ho et al. 2013), data-parallel or model-parallel (m-PAPG,
/// Zhou et al. 2016), the coordinator's side: rounds of some clocks in which workers may be ahead of each other,
/// after each of which the objective and its optimality residual are measured where all agree, until that is small and
/// a duality gap, where there is one, proves that the objective is near its least.
///
/// Steps are safe for the delays that there were. If the objective rises nevertheless, they are halved.
///
/// Unless steps are to be guaranteed, each round goes on from beyond where the last one ended, in the direction
/// from the one before: Nesterov's momentum (with the weights of Tseng 2008), a round being the step. Momentum from
/// clock to clock would not do, because late gradients make it swing; between rounds nothing is late. When the
/// objective rises it begins anew (O'Donoghue and Candès 2015).
final class ProximalCourse implements Course {

    /// Clocks of a round: the fewer, the more momentum; but twice as many as workers may be apart, or waiting for
    /// the end of a round would cost more than nobody waiting within it gains.
    private static final int FEW = 8;

    /// By how many clocks workers may be apart where nothing else says so.
    private static final int FAR = 7;

    /// Rounds in a row that lower the objective by less than the second number, relative to it, before giving up.
    private static final int PATIENCE = 20;

    private static final double HARDLY = 1e-12;

    private static final double LEAST_STEP = 1e-6;

    /// A gap that was too wide is looked at again when so manieth of the clocks until then have been added.
    private static final int BETWEEN_GAPS = 10;

    private final DistributedTraining training;
    private final LinearJob job;
    private final Solver.Proximal solver;
    private final Separable penalty;
    private final Run run;
    private final long rows;
    private final int problem;
    private final Inquiry inquiry;

    private ProximalState.Phase phase = ProximalState.Phase.START;
    private int clocks;
    private double scale = 1;
    private double step;
    private double residual = Double.POSITIVE_INFINITY;
    private double objective = Double.POSITIVE_INFINITY;
    private double path;
    private int leaps;
    private int still;

    /// From how many clocks on it is worth asking for the gap.
    private int due;

    private Ending ending;

    /// @param before where another was with the same problem; null to begin
    ProximalCourse(DistributedTraining training, Solver.Proximal solver, int problem, ProximalState before) {
        this.training = training;
        this.solver = solver;
        this.problem = problem;
        inquiry = new Inquiry(training, problem);
        job = training.job();
        penalty = ((Method.Proximal) job.method()).penalty();
        run = training.run();
        rows = training.rows();
        step = solver.step();
        if (before != null) {
            phase = before.phase();
            clocks = before.clocks();
            scale = before.scale();
            step = before.step();
            residual = before.residual();
            objective = before.objective();
            path = before.path();
            leaps = before.leaps();
            still = before.still();
            due = before.due();
            ending = before.ending();
        }
    }

    @Override
    public ProximalState state() {
        return new ProximalState(phase, clocks, scale, step, residual, objective, path, leaps, still, due, ending);
    }

    @Override
    public Finished.Proof next() {
        switch (phase) {
            case START -> {
                ProximalFigures seen = round(Order.Clocks.ORIGIN);
                scale = ResidualScale.of(seen.steepest(), penalty);
                note(seen);
                phase = ProximalState.Phase.SIGHT;
            }
            case SIGHT -> {
                if (inquiry.isWarm()) {
                    note(round(Order.Clocks.MEASURE));
                }
                tell();
                phase = isSmall() ? ProximalState.Phase.BOUND : ProximalState.Phase.MOVE;
            }
            case MOVE -> move();
            case BOUND -> {
                double gap = gap();
                if (isSmall() && (ending == Ending.STALLED || !isWide(gap))) {
                    ending = Ending.CONVERGED;
                }
                if (ending != null) {
                    run.moved(steps());
                    return new Finished.Proof(objective, residual, gap, ending);
                }
                due = clocks + clocks / BETWEEN_GAPS;
                phase = ProximalState.Phase.MOVE;
            }
        }
        return null;
    }

    /// How far weights moved in the end, and for which length that is proven whatever the delays are.
    private Run.Steps steps() {
        double proven = 1 / ProximalLoop.Round.caution(delay(consistency()));
        return new Run.Steps(solver.guaranteed() ? proven : step, proven, path);
    }

    private boolean isSmall() {
        return residual <= solver.tolerance() * scale;
    }

    /// Whether a gap is more than the tolerance of the objective. There is none for a loss that is not convex, and an
    /// infinite one where nothing bounds the objective from below: then the residual has to do.
    private boolean isWide(double gap) {
        return Double.isFinite(gap) && gap > solver.tolerance() * Math.abs(objective);
    }

    /// How many clocks a round has in which workers may be so far apart.
    static int length(int delay) {
        return Math.max(FEW, 2 * (delay + 1));
    }

    private String consistency() {
        return new Timetable(job.terms().rhythm().consistency())
                .at(Math.min(clocks, solver.maxClocks() - 1), solver.maxClocks());
    }

    private void move() {
        double before = objective;
        int many = Math.min(length(delay(consistency())), solver.maxClocks() - clocks);
        // The first leap is by nothing: it notes where to leap from.
        double far = solver.guaranteed() ? Double.NaN : Math.max(0, (leaps - 1.0) / (leaps + 2));
        note(round(Order.Clocks.moves(many, far, step)));
        clocks += many;
        for (int k = 1; k < many; k++) {
            run.passed();
        }
        tell();
        if (!Double.isFinite(objective)) {
            throw Diverged.objective(objective);
        }
        boolean rose = objective > before + 1e-12 * Math.abs(before);
        if (rose && leaps <= 1 && !solver.guaranteed() && step > LEAST_STEP) {
            step /= 2;
            run.note("the objective rose; steps are half as long from now on (" + step + ")");
        }
        leaps = rose ? 1 : leaps + 1;
        still = before - objective < HARDLY * Math.abs(before) ? still + 1 : 0;
        if (clocks >= solver.maxClocks()) {
            phase = end(Ending.LIMIT);
        } else if (still >= PATIENCE) {
            phase = end(Ending.STALLED);
        } else {
            phase = isSmall() && clocks >= due ? ProximalState.Phase.BOUND : ProximalState.Phase.MOVE;
        }
    }

    private ProximalState.Phase end(Ending why) {
        ending = why;
        return ProximalState.Phase.BOUND;
    }

    private void note(ProximalFigures seen) {
        objective = seen.loss() + seen.penalty();
        residual = seen.residual();
        path = seen.path();
    }

    private void tell() {
        run.step(solver.label(), clocks, rows, objective / rows, residual / scale);
        run.reached(clocks, training.traffic(), objective);
    }

    /// Has workers go through a round.
    private ProximalFigures round(Order.Clocks order) {
        ProximalFigures seen = ask(order.until(training.rounds() + order.count()));
        training.roundsOver(order.count());
        return seen;
    }

    /// Has workers do something, again if some streams had nobody to tell of them; what all sum up to then.
    private ProximalFigures ask(Order.Clocks order) {
        Order asked = new Order(problem, training.rounds(), consistency(), order);
        ProximalFigures all = ProximalFigures.of(inquiry.ask(
                asked,
                (report, sums) -> report.found(WorkerReport.Clocks.class)
                        .sums()
                        .forEach((stream, numbers) -> sums.put(stream, ProximalLoop.Sums.of(stream, numbers)))));
        return solver.split() == Solver.Proximal.Split.FEATURES
                ? all
                : all.seenBy(training.reader(), job, problem, penalty, order.scale());
    }

    /// By how many clocks workers may be apart under a consistency.
    static int delay(String consistency) {
        Consistency named = Consistency.named(consistency);
        if (named.byPass() || named.isEager()) {
            throw new IllegalArgumentException("the consistency is " + consistency
                    + ", but every worker takes part in every step, and weights change only with the clock; use ssp:S,"
                    + " such as ssp:3, bounded:T, async or bsp");
        }
        long everyone = named.after(0, 0).everyone();
        return everyone == Long.MIN_VALUE ? FAR : Math.toIntExact(-everyone);
    }

    /// The objective less a lower bound of it, which comes from the slopes of the examples (Fenchel): those of the
    /// sign that outweighs the other are scaled down until they balance, for the intercept's sake, then all until
    /// their gradient is within what the penalty holds; infinite where that holds nothing.
    /// NaN for a loss that is not convex.
    private double gap() {
        if (!Loss.named(job.loss()).convex()) {
            return Double.NaN;
        }
        ProximalFigures seen = round(Order.Clocks.MEASURE);
        Order.Clocks balanced = Order.Clocks.MEASURE;
        if (job.intercept()) {
            balanced = balanced.balanced(Balance.of(seen.falls(), seen.rises()));
            seen = round(balanced);
        }
        double feasible = penalty.feasible(seen.largest());
        if (feasible == 0) {
            return Double.POSITIVE_INFINITY;
        }
        ProximalFigures bound = ask(balanced.scaled(feasible).until(training.rounds()));
        return Math.max(0, objective - (bound.dual() - bound.conjugate()));
    }
}
