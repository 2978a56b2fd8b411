package tandem;

import java.util.Map;
import tandem.consistency.After;
import tandem.consistency.Consistency;
import tandem.consistency.Timetable;
import tandem.problem.Diverged;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.solver.Balance;
import tandem.solver.BlockFigures;
import tandem.solver.Ending;
import tandem.solver.GroupFigures;
import tandem.wire.Figures;
import tandem.worker.BlockLoop;

/// Delayed block proximal gradient (Li, Andersen, Smola and Yu, NIPS 2014, Algorithm 2), the scheduler's side: round
/// after round over all blocks, until no weight can be improved to speak of.
///
/// What differs from the paper. Rounds have momentum: the gradient is taken ahead of the weights, in the direction of
/// the round before (Nesterov's acceleration, with a round over all blocks in the place of a gradient step), because
/// coordinate methods are slow where features are correlated. If the objective rises, momentum begins anew; if that
/// happens soon after, steps were too long for weights that are moved together or too late: they are halved.
///
/// Every so many rounds, and whenever the objective rose, the gradient of all weights is measured while they stand
/// still. That brings back weights that were left out and should move (the second chance), and says how far from
/// optimal they are, exactly. What ends it is a duality gap, or where that is enough that rounds win little.
final class BlockCourse implements Course {

    /// Weights are left out that would rest even if the scores of all their rows moved, the same way, by this times
    /// what scores moved by in the last round.
    private static final double CAUTION = 0.5;

    /// Rounds in a row that lower the objective by less than the second number, relative to it, before giving up.
    private static final int PATIENCE = 20;

    private static final double HARDLY = 1e-12;

    private static final double LEAST_STEP = 1e-6;

    /// Rounds between two measurements of all weights.
    private static final int BETWEEN_LOOKS = 10;

    /// If the objective rises within so many rounds since momentum began, steps are too long.
    private static final int SOON = 8;

    /// So many features of a row that move without knowing of each other are too many for full steps.
    private static final double CROWD = 2.5;

    private final DistributedTraining training;
    private final LinearJob job;
    private final Method.Blocks method;
    private final Solver.Blocks solver;
    private final Run run;
    private final long rows;
    private final int problem;
    private final Inquiry inquiry;

    private BlockState.Phase phase = BlockState.Phase.START;
    private int passes;
    private double scale = 1;
    private double step;

    /// The same in the last round, where blocks may have been late.
    private double used;

    private double residual = Double.POSITIVE_INFINITY;

    /// The largest gradient of those that nothing but the L1 strength holds, when they were measured last.
    private double largest;

    private double objective = Double.POSITIVE_INFINITY;

    /// The objective at the last round whose number [Solver.Blocks#SOME] divides; infinite if it has risen since.
    private double mark = Double.POSITIVE_INFINITY;

    /// How far scores moved in the last round, the root of the mean of squares.
    private double moved = Double.POSITIVE_INFINITY;

    private int fresh;
    private boolean whole;

    /// Whether servers take small steps too.
    private boolean exact;

    private int still;
    private Ending ending;

    /// What the streams said last.
    private Map<Integer, BlockLoop.Sums> sums = Map.of();

    /// The largest gradient of all, when they were measured last.
    private double steepest;

    /// @param before where another was with the same problem; null to begin
    BlockCourse(DistributedTraining training, Solver.Blocks solver, int problem, BlockState before) {
        this.training = training;
        this.solver = solver;
        this.problem = problem;
        inquiry = new Inquiry(training, problem);
        job = training.job();
        method = (Method.Blocks) job.method();
        run = training.run();
        rows = training.rows();
        step = solver.step();
        whole = !method.lossy();
        exact = method.hold() == 0;
        if (before != null) {
            phase = before.phase();
            passes = before.passes();
            scale = before.scale();
            step = before.step();
            residual = before.residual();
            largest = before.largest();
            objective = before.objective();
            mark = before.mark();
            moved = before.moved();
            fresh = before.fresh();
            whole = before.whole();
            exact = before.exact();
            still = before.still();
            ending = before.ending();
        }
        used = step;
    }

    @Override
    public BlockState state() {
        return new BlockState(
                phase, passes, scale, step, residual, largest, objective, mark, moved, fresh, whole, exact, still,
                ending);
    }

    @Override
    public Finished.Proof next() {
        switch (phase) {
            case START -> {
                measure(Order.Blocks.Aim.MEASURE_ORIGIN, Balance.NONE);
                scale = ResidualScale.of(Math.max(steepest, interceptGradient()), method.penalty());
                phase = BlockState.Phase.SIGHT;
            }
            case SIGHT -> {
                if (inquiry.isWarm()) {
                    measure(Order.Blocks.Aim.MEASURE, Balance.NONE);
                }
                tell();
                phase = BlockState.Phase.BOUND;
            }
            case MOVE -> move();
            case LOOK -> {
                measure(Order.Blocks.Aim.MEASURE, Balance.NONE);
                phase = BlockState.Phase.BOUND;
            }
            case BOUND -> {
                boolean small = residual <= solver.tolerance() * scale;
                if (small || ending != null) {
                    double gap = gap();
                    if (small && (ending == Ending.STALLED || !isWide(gap))) {
                        ending = Ending.CONVERGED;
                    }
                    if (ending != null) {
                        run.moved(new Run.Steps(used, solver.guaranteed() ? solver.step() : Double.NaN));
                        return new Finished.Proof(objective, residual, gap, ending);
                    }
                }
                phase = BlockState.Phase.MOVE;
            }
        }
        return null;
    }

    /// Whether a gap is more than the tolerance of the objective. There is none for a loss that is not convex, and an
    /// infinite one where nothing bounds the objective from below: then the residual has to do.
    private boolean isWide(double gap) {
        return Double.isFinite(gap) && gap > solver.tolerance() * Math.abs(objective);
    }

    /// A round in which weights move.
    private void move() {
        double before = objective;
        double slack = method.kkt() ? CAUTION * moved : Double.POSITIVE_INFINITY;
        double momentum = momentum();
        used = step / crowding();
        Order.Blocks order = Order.Blocks.move(used, momentum, slack, exact ? 0 : passes + 1);
        round(whole && method.lossy() ? order.asWhole() : order);
        moved = Math.sqrt(
                sums.values().stream().mapToDouble(BlockLoop.Sums::moved).sum() / rows);
        passes++;
        fresh++;
        tell();
        if (!Double.isFinite(objective)) {
            throw Diverged.objective(objective);
        }
        boolean rose = objective - before > HARDLY * Math.abs(before);
        if (rose && !whole) {
            whole = true;
            run.note("the objective rose, and filters lose something of what is pushed; they do so no longer");
        } else if (rose && step > LEAST_STEP && (momentum == 0 || fresh <= SOON)) {
            step /= 2;
            run.note("the objective rose; steps are half as long from now on (" + step + ")");
        }
        fresh = rose ? 0 : fresh;
        still = before - objective < HARDLY * Math.abs(before) ? still + 1 : 0;
        if (still >= PATIENCE / 2 && !exact) {
            exact = true;
            still = 0;
            run.note("the objective falls no longer, and small steps are left for later; all are taken from now on");
        }
        boolean little = winsLittle(rose);
        if (little && exact && whole && wereAllSeen()) {
            ending = Ending.CONVERGED;
        } else if (passes >= solver.maxPasses()) {
            ending = Ending.LIMIT;
        } else if (still >= PATIENCE) {
            ending = Ending.STALLED;
        }
        if (little) {
            // Perhaps only because of what is left for later, or lost.
            exact = true;
            whole = true;
        }
        if (ending != null || rose || passes % BETWEEN_LOOKS == 0) {
            phase = BlockState.Phase.LOOK;
        }
    }

    /// Whether the last rounds together have lowered the objective by no more than is worth going on for.
    private boolean winsLittle(boolean rose) {
        if (rose) {
            mark = Double.POSITIVE_INFINITY;
        }
        if (passes % Solver.Blocks.SOME != 0) {
            return false;
        }
        double won = mark - objective;
        mark = objective;
        return solver.progress() > 0 && won <= solver.progress() * Math.abs(objective);
    }

    /// Whether the gradient of all weights was measured as the last rounds began: else they may have won little because
    /// a weight was left out that should move.
    private boolean wereAllSeen() {
        return !method.kkt() || (passes - Solver.Blocks.SOME) % BETWEEN_LOOKS == 0;
    }

    /// How far ahead of the weights a round begins, of what they moved in the last one. Steps that are proven
    /// go without, and those of which filters lose something: it would add up what is lost.
    private double momentum() {
        return !whole || solver.guaranteed() || fresh == 0 ? 0 : (fresh - 1.0) / (fresh + 2);
    }

    /// How much shorter steps are because blocks move without knowing of each other: as many features of a row as were
    /// on their way in the last round hinder each other as those of one block do. A few more than there may be in a
    /// block do no harm, because some workers are late where others are not.
    private double crowding() {
        double rowsOfBlocks = (double) rows * solver.blocks();
        double alone =
                1 + sums.values().stream().mapToLong(BlockLoop.Sums::entries).sum() / rowsOfBlocks;
        double together =
                alone + sums.values().stream().mapToLong(BlockLoop.Sums::late).sum() / rowsOfBlocks;
        return solver.guaranteed() || together <= CROWD ? 1 : together / Math.max(BlockCut.FEW, alone);
    }

    private void tell() {
        run.step("dbpg", passes, rows, objective / rows, residual / scale);
        run.reached(passes, training.traffic(), objective);
    }

    /// A round in which the gradient of all weights is measured.
    private void measure(Order.Blocks.Aim aim, Balance balance) {
        Order.Blocks order = Order.Blocks.look(aim, balance, method.hold() > 0 ? passes + 1 : 0);
        Figures seen = round(method.lossy() ? order.asWhole() : order);
        residual = Math.max(seen.real(1), interceptGradient());
        largest = seen.real(2);
        steepest = seen.real(3);
    }

    private Figures round(Order.Blocks order) {
        ask(order);
        training.roundOver();
        Figures seen = seenByServers();
        objective = seen.real(0)
                + sums.values().stream().mapToDouble(BlockLoop.Sums::loss).sum();
        return seen;
    }

    private Figures seenByServers() {
        return method.groups() == null
                ? inquiry.figures(BlockFigures.STATE, BlockFigures.arguments(method.penalty()))
                : inquiry.figures(
                        GroupFigures.NAME,
                        new GroupFigures(method.groups()),
                        Figures.of(method.penalty().l1()));
    }

    /// The penalty's part of a lower bound. That of a norm is 0 within its strength.
    private double conjugate(double feasible) {
        return method.groups() == null
                ? inquiry.figures(BlockFigures.CONJUGATE, BlockFigures.arguments(method.penalty(), feasible))
                        .real(0)
                : 0;
    }

    /// Has workers do something; what each stream sums up to then.
    private void ask(Order.Blocks order) {
        int rounds = solver.maxPasses();
        String consistency = new Timetable(job.terms().rhythm().consistency()).at(Math.min(passes, rounds - 1), rounds);
        sums = inquiry.ask(
                new Order(problem, training.rounds(), consistency, order),
                (report, told) ->
                        report.found(WorkerReport.Blocks.class).sums().forEach(one -> told.put(one.stream(), one)));
    }

    /// The gradient by the intercept, without its sign; 0 if there is none.
    private double interceptGradient() {
        return job.intercept()
                ? inquiry.figures(
                                job.interceptTable(problem), BlockFigures.STATE, BlockFigures.arguments(Separable.NONE))
                        .real(3)
                : 0;
    }

    /// The objective less a lower bound of it, which comes from the slopes of the examples (Fenchel): those of the sign
    /// that outweighs the other are scaled down until they balance, for the intercept's sake, then all until their
    /// gradient is within what the penalty holds; infinite where that holds nothing. NaN for a loss that is not
    /// convex.
    private double gap() {
        if (!Loss.named(job.loss()).convex()) {
            return Double.NaN;
        }
        double value = objective;
        double exact = residual;
        Balance balance = Balance.NONE;
        ask(Order.Blocks.bound(balance, 1));
        if (job.intercept()) {
            double fall =
                    sums.values().stream().mapToDouble(BlockLoop.Sums::falls).sum();
            double rise =
                    sums.values().stream().mapToDouble(BlockLoop.Sums::rises).sum();
            balance = Balance.of(fall, rise);
            measure(Order.Blocks.Aim.MEASURE, balance);
        }
        double feasible = method.penalty().feasible(largest);
        objective = value;
        residual = exact;
        if (feasible == 0) {
            return Double.POSITIVE_INFINITY;
        }
        ask(Order.Blocks.bound(balance, feasible));
        double dual = sums.values().stream().mapToDouble(BlockLoop.Sums::dual).sum() - conjugate(feasible);
        return Math.max(0, objective - dual);
    }

    /// How many blocks a worker may go on before it knows what came of one.
    static int delay(String consistency) {
        Consistency named = Consistency.named(consistency);
        After after = named.after(0, 0);
        if (after.everyone() == Long.MIN_VALUE || named.byPass() || named.isEager()) {
            throw new IllegalArgumentException("the consistency is " + consistency
                    + ", which bounds no delay of blocks; use bounded:T, such as bounded:8, or bsp");
        }
        return Math.toIntExact(-after.everyone());
    }
}
