package tandem;

import java.util.Map;
import java.util.TreeMap;
import tandem.client.Call;
import tandem.consistency.Timetable;
import tandem.model.Diverged;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.server.ServerFunction;
import tandem.solver.BlockFigures;
import tandem.solver.Ending;
import tandem.wire.Figures;
import tandem.worker.BlockLoop;

/// Delayed block proximal gradient (Li, Andersen, Smola and Yu, NIPS 2014, Algorithm 2), the scheduler's side: round
/// after round over all blocks, until no weight can be improved to speak of.
///
/// What differs from the paper. Weights at rest are left out by the gradient that servers saw last, measured once
/// before the first round, and a round that looks at all of them again comes before every end (the second chance).
/// The end itself is an exact optimality residual, for which the gradient is measured once more, and a duality gap.
/// If the objective rises, steps were too long for weights that are moved together: they are halved, and all weights
/// looked at again.
final class BlockCourse implements Course {

    /// Weights are left out whose gradient is further from moving them than the largest residual, by example, times
    /// this.
    private static final double CAUTION = 10;

    /// Rounds in a row that lower the objective by less than the second number, relative to it, before giving up.
    private static final int PATIENCE = 20;

    private static final double HARDLY = 1e-9;

    private static final double LEAST_STEP = 1e-6;

    /// Every so many rounds nothing is left out: what rested may have to move by now.
    private static final int SECOND_CHANCE = 10;

    private final DistributedTraining training;
    private final LinearJob job;
    private final Method.Blocks method;
    private final Solver.Blocks solver;
    private final Run run;
    private final long rows;
    private final int problem;

    private BlockState.Phase phase = BlockState.Phase.START;
    private int passes;
    private double scale = 1;
    private double step;
    private double aim;
    private double residual = Double.POSITIVE_INFINITY;
    private double objective = Double.POSITIVE_INFINITY;
    private boolean all = true;
    private int still;
    private Ending ending;

    /// What the streams said last, and servers.
    private final Map<Integer, BlockLoop.Sums> sums = new TreeMap<>();

    /// The largest gradient of all, and of those that nothing but the L1 strength holds.
    private double steepest;

    private double largest;

    /// @param before where another was with the same problem; null to begin
    BlockCourse(DistributedTraining training, Solver.Blocks solver, int problem, BlockState before) {
        this.training = training;
        this.solver = solver;
        this.problem = problem;
        job = training.job();
        method = (Method.Blocks) job.method();
        run = training.run();
        rows = training.rows();
        step = solver.step();
        aim = solver.tolerance();
        if (before != null) {
            phase = before.phase();
            passes = before.passes();
            scale = before.scale();
            step = before.step();
            aim = before.aim();
            residual = before.residual();
            objective = before.objective();
            all = before.all();
            still = before.still();
            ending = before.ending();
        }
    }

    @Override
    public BlockState state() {
        return new BlockState(phase, passes, scale, step, aim, residual, objective, all, still, ending);
    }

    @Override
    public Finished.Proof next() {
        switch (phase) {
            case START -> {
                round(new LinearJob.Blocks("origin", 1, Double.POSITIVE_INFINITY, 1, 1, 1));
                scale = ResidualScale.of(Math.max(steepest, interceptGradient()), method.penalty());
                phase = BlockState.Phase.SIGHT;
            }
            case SIGHT -> {
                if (job.files().start() != null) {
                    measure(1, 1);
                }
                phase = BlockState.Phase.MOVE;
                tell();
            }
            case MOVE -> move();
            case CHECK -> {
                measure(1, 1);
                if (ending == null && residual > solver.tolerance() * scale) {
                    aim /= 2;
                    all = true;
                    phase = BlockState.Phase.MOVE;
                } else {
                    ending = residual <= solver.tolerance() * scale ? Ending.CONVERGED : ending;
                    phase = BlockState.Phase.BOUND;
                }
            }
            case BOUND -> {
                run.moved(new Run.Steps(step, solver.guaranteed() ? solver.step() : Double.NaN));
                return new Finished.Proof(objective, residual, gap(), ending);
            }
        }
        return null;
    }

    /// A round in which weights move.
    private void move() {
        double before = objective;
        boolean whole = all || !method.kkt();
        double slack = whole ? Double.POSITIVE_INFINITY : CAUTION * residual / rows;
        round(new LinearJob.Blocks("move", step, slack, 1, 1, 1));
        passes++;
        tell();
        if (!Double.isFinite(objective)) {
            throw Diverged.objective(objective);
        }
        boolean rose = objective > before * (1 + 1e-12);
        if (rose && step > LEAST_STEP) {
            step /= 2;
            run.note("the objective rose; steps are half as long from now on (" + step + ")");
        }
        still = before - objective < HARDLY * before ? still + 1 : 0;
        boolean small = residual <= aim * scale;
        if (small && whole && !rose) {
            phase = BlockState.Phase.CHECK;
        } else if (passes >= solver.maxPasses()) {
            ending = Ending.LIMIT;
            phase = BlockState.Phase.CHECK;
        } else if (still >= PATIENCE) {
            ending = Ending.STALLED;
            phase = BlockState.Phase.CHECK;
        }
        all = small || rose || passes % SECOND_CHANCE == 0;
    }

    private void tell() {
        run.step("dbpg", passes, rows, objective / rows, residual / scale);
        run.reached(passes, training.traffic(), objective);
    }

    /// A round in which the gradient of all weights is measured.
    private void measure(double falls, double rises) {
        round(new LinearJob.Blocks("measure", 1, Double.POSITIVE_INFINITY, falls, rises, 1));
    }

    private void round(LinearJob.Blocks order) {
        ask(order);
        training.roundOver();
        Separable penalty = method.penalty();
        Figures state = figures(BlockFigures.STATE, BlockFigures.arguments(penalty));
        residual = Math.max(state.real(1), interceptGradient());
        largest = state.real(2);
        steepest = state.real(3);
        objective = state.real(0)
                + sums.values().stream().mapToDouble(BlockLoop.Sums::loss).sum();
    }

    /// Has workers do something; what each stream sums up to then.
    private void ask(LinearJob.Blocks order) {
        sums.clear();
        int rounds = solver.maxPasses();
        String consistency = new Timetable(job.terms().rhythm().consistency()).at(Math.min(passes, rounds - 1), rounds);
        training.together(LinearJob.Order.blocks(problem, training.rounds(), consistency, order))
                .forEach(report -> report.sums().forEach(one -> sums.put(one.stream(), one)));
    }

    /// The gradient by the intercept, without its sign; 0 if there is none.
    private double interceptGradient() {
        return job.intercept()
                ? figures(job.interceptTable(problem), BlockFigures.STATE, BlockFigures.arguments(Separable.NONE))
                        .real(3)
                : 0;
    }

    private Figures figures(ServerFunction function, Figures arguments) {
        return figures(job.table(problem), function, arguments);
    }

    private Figures figures(int table, ServerFunction function, Figures arguments) {
        Call call = new Call(table, LinearJob.name(function), arguments);
        return training.reader().compute(call, function::merge);
    }

    /// The objective less a lower bound of it, which comes from the slopes of the examples (Fenchel): those of the sign
    /// that outweighs the other are scaled down until they balance, for the intercept's sake, then all until their
    /// gradient is within what the penalty holds. NaN for a loss that is not convex.
    private double gap() {
        if (!Loss.named(job.loss()).convex()) {
            return Double.NaN;
        }
        double value = objective;
        double exact = residual;
        double falls = 1;
        double rises = 1;
        ask(new LinearJob.Blocks("bound", 1, 0, 1, 1, 1));
        if (job.intercept()) {
            double fall =
                    sums.values().stream().mapToDouble(BlockLoop.Sums::falls).sum();
            double rise =
                    sums.values().stream().mapToDouble(BlockLoop.Sums::rises).sum();
            falls = fall > rise ? rise / fall : 1;
            rises = rise > fall ? fall / rise : 1;
            measure(falls, rises);
        }
        Separable penalty = method.penalty();
        double within = largest > penalty.l1() ? penalty.l1() / largest : 1;
        double feasible = within * (1 - 1e-14); // so that rounding does not step over the edge
        ask(new LinearJob.Blocks("bound", 1, 0, falls, rises, feasible));
        double dual = sums.values().stream().mapToDouble(BlockLoop.Sums::dual).sum()
                - figures(BlockFigures.CONJUGATE, BlockFigures.arguments(penalty, feasible))
                        .real(0);
        objective = value;
        residual = exact;
        return Math.max(0, objective - dual);
    }
}
