package tandem;

import java.util.Map;
import java.util.function.ToDoubleFunction;
import tandem.problem.Diverged;
import tandem.problem.Separable;
import tandem.solver.Balance;
import tandem.solver.BlockFigures;
import tandem.solver.DualFigures;
import tandem.solver.Ending;
import tandem.wire.Figures;
import tandem.worker.DualLoop;

/// Stochastic dual coordinate ascent (Shalev-Shwartz and Zhang 2013), on several workers CoCoA+ (Ma et al. 2015), the
/// coordinator's side: pass after pass over the examples, until the objective is so near its lower bound.
///
/// Every example has a slope u, and the dual problem is to raise −Σ c·loss*(u) − h*(v), where v = −Σ c·u·x pulls at the
/// weights. It bounds the objective from below whatever the slopes are, but with an intercept only if Σ c·u = 0. The
/// papers have none. Here a pass holds the intercept b where it is by strength/2·(b − b₀)², which makes it one more
/// weight, and b₀ is moved to b after each: the method of multipliers for that constraint, whose end has no trace of
/// the strength. What is left of the sum in the end is balanced away before the bound is found; weights stay.
///
/// Weights are held in the same way, by servers: see [tandem.solver.DualPull].
final class DualCourse implements Course {

    /// How strongly a pass holds the intercept, times what would make it move like the features of a row together:
    /// found on a9a and w8a, where 1 takes half again as many passes.
    private static final double HOLD = 5;

    private final DistributedTraining training;
    private final LinearJob job;
    private final Solver.Sdca solver;
    private final Separable penalty;
    private final Run run;
    private final long rows;
    private final int problem;
    private final Inquiry inquiry;

    private DualState.Phase phase;
    private int passes;
    private double intercept;
    private double strength;
    private double slopes;
    private Balance balance = Balance.NONE;
    private boolean balanced;
    private int told;

    /// What the streams said last.
    private Map<Integer, DualLoop.Sums> sums = Map.of();

    /// @param before where another was with the same problem; null to begin
    DualCourse(DistributedTraining training, Solver.Sdca solver, int problem, DualState before) {
        this.training = training;
        this.solver = solver;
        this.problem = problem;
        inquiry = new Inquiry(training, problem);
        job = training.job();
        penalty = ((Method.Dual) job.method()).penalty();
        run = training.run();
        rows = training.rows();
        boolean warm = inquiry.isWarm();
        if (before == null) {
            phase = DualState.Phase.HOLDS;
            intercept = inquiry.firstIntercept();
            balanced = !warm || !job.intercept();
        } else {
            phase = before.phase();
            passes = before.passes();
            intercept = before.intercept();
            strength = before.strength();
            slopes = before.slopes();
            balance = before.balance();
            balanced = before.balanced();
            told = before.told();
        }
    }

    @Override
    public DualState state() {
        return new DualState(phase, passes, intercept, strength, slopes, balance, balanced, told);
    }

    @Override
    public double intercept() {
        return intercept;
    }

    @Override
    public Finished.Proof next() {
        return switch (phase) {
            case HOLDS -> round(DualLoop.Aim.HOLDS, inquiry.isWarm() ? DualState.Phase.SLOPES : DualState.Phase.LOOK);
            case SLOPES -> round(DualLoop.Aim.SLOPES, DualState.Phase.GATHER);
            case GATHER -> round(DualLoop.Aim.GATHER, DualState.Phase.LOOK);
            case LOOK -> look();
            case PASS -> pass();
            case BALANCE -> {
                balanced = true;
                yield round(DualLoop.Aim.BALANCE, DualState.Phase.LOOK);
            }
        };
    }

    private Finished.Proof round(DualLoop.Aim aim, DualState.Phase then) {
        ask(aim);
        training.roundOver();
        slopes = sum();
        phase = then;
        return null;
    }

    private Finished.Proof pass() {
        round(DualLoop.Aim.PASS, DualState.Phase.LOOK);
        passes++;
        intercept -= job.intercept() ? slopes / strength : 0;
        balanced = !job.intercept();
        return null;
    }

    /// Sees how good weights and slopes are, and what is to be done about it.
    private Finished.Proof look() {
        ask(DualLoop.Aim.LOOK);
        Figures state = inquiry.figures(DualFigures.STATE, BlockFigures.arguments(penalty));
        double objective = total(DualLoop.Sums::loss) + state.real(0);
        double gap = objective - total(DualLoop.Sums::dual) + state.real(1);
        if (!Double.isFinite(objective)) {
            throw Diverged.objective(objective);
        }
        if (strength == 0) {
            double length = total(DualLoop.Sums::lengths) / total(DualLoop.Sums::importance);
            strength = length > 0 ? HOLD / length : HOLD;
        }
        // What the gap is, or nearly is once slopes are balanced.
        double tilt = balanced ? 0 : sum() * intercept;
        double near = Math.max(0, gap - tilt) + Math.abs(tilt);
        tell(objective, near);
        Ending ending = near <= solver.tolerance() * Math.abs(objective)
                ? Ending.CONVERGED
                : passes >= solver.maxPasses() ? Ending.LIMIT : null;
        if (ending != null && balanced) {
            return new Finished.Proof(objective, Double.NaN, Math.max(0, gap), ending);
        }
        balance = Balance.of(total(DualLoop.Sums::falls), total(DualLoop.Sums::rises));
        phase = ending == null ? DualState.Phase.PASS : DualState.Phase.BALANCE;
        return null;
    }

    private void tell(double objective, double gap) {
        if (passes == told && passes > 0) {
            return;
        }
        told = passes;
        run.step("sdca", passes, rows, objective / rows, gap / Math.abs(objective));
        run.reached(passes, training.traffic(), objective);
    }

    /// Σ of the slopes.
    private double sum() {
        return total(DualLoop.Sums::rises) - total(DualLoop.Sums::falls);
    }

    private double total(ToDoubleFunction<DualLoop.Sums> of) {
        return sums.values().stream().mapToDouble(of).sum();
    }

    /// Has workers do something; what each stream sums up to then.
    private void ask(DualLoop.Aim aim) {
        // A pass begins where the multiplier and what is held of the sum say.
        double at = aim == DualLoop.Aim.PASS && job.intercept() ? intercept - slopes / strength : intercept;
        Order.Dual order = new Order.Dual(aim, new DualLoop.Intercept(at, strength), balance);
        sums = inquiry.ask(
                new Order(problem, training.rounds(), null, order),
                (report, told) ->
                        report.found(WorkerReport.Dual.class).sums().forEach(one -> told.put(one.stream(), one)));
    }
}
