package tandem;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tandem.problem.Diverged;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.solver.Balance;
import tandem.solver.Ending;
import tandem.solver.Lbfgs;
import tandem.solver.LbfgsRows;
import tandem.solver.LineSearch;
import tandem.wire.Figures;
import tandem.worker.GradientLoop;

/// L-BFGS, and OWL-QN (Andrew and Gao 2007) where there is an L1 penalty, as Sandblaster (Dean et al.
/// 2012): the coordinator's side. It has vectors combined where they live and workers look at points,
/// and sees nothing but sums.
///
/// It begins with the squares of all values, which tell the unit of each weight: so neither the steps nor how many it
/// takes depend on how features are scaled, as they do in the papers.
///
/// An iteration is one turn on servers, one look of workers at all data and one push of the gradient.
/// Where the step is wrong, others are tried on the line between scores, at the cost of a few numbers,
/// and what is found is looked at once more. That line ends where the L1 penalty stops a weight at 0:
/// then every step that is tried is looked at.
final class LbfgsCourse implements Course {

    /// Iterations in a row that lower the objective by less than the second number, relative to it,
    /// before giving up.
    private static final int PATIENCE = 5;

    private static final double HARDLY = 1e-13;

    private final DistributedTraining training;
    private final LinearJob job;
    private final Solver.Lbfgs solver;
    private final Separable penalty;
    private final Run run;
    private final long rows;
    private final int problem;
    private final Inquiry inquiry;

    private LbfgsState.Phase phase = LbfgsState.Phase.LOOK;
    private LbfgsState.Aim aim = LbfgsState.Aim.UNITS;
    private LbfgsState.Count count = new LbfgsState.Count(0, 0, 0, 0);
    private double scale = 1;
    private Lbfgs memory;
    private LineSearch search = new LineSearch(0);
    private LbfgsState.Intercept intercept;
    private Figures change = Figures.NONE;
    private Balance balance = Balance.NONE;
    private GradientLoop.Seen seen;
    private Map<Integer, List<GradientLoop.Portion>> shares = Map.of();

    /// Streams of which more than one worker told, so that whoever has one may not know all of its portions.
    private final Set<Integer> shared = new TreeSet<>();

    private double before = Double.POSITIVE_INFINITY;
    private double objective = Double.POSITIVE_INFINITY;
    private double residual = Double.POSITIVE_INFINITY;
    private int still;
    private Ending ending;

    /// @param from where another was with the same problem; null to begin
    LbfgsCourse(DistributedTraining training, Solver.Lbfgs solver, int problem, LbfgsState from) {
        this.training = training;
        this.solver = solver;
        this.problem = problem;
        inquiry = new Inquiry(training, problem);
        job = training.job();
        penalty = ((Method.Vectors) job.method()).penalty();
        run = training.run();
        rows = training.rows();
        memory = new Lbfgs(solver.memory());
        if (from != null) {
            phase = from.phase();
            aim = from.aim();
            count = from.count();
            scale = from.scale();
            memory = from.memory();
            search = from.search();
            intercept = from.intercept();
            change = from.change();
            balance = from.balance();
            seen = from.seen();
            shares = from.shares();
            shared.addAll(shares.keySet());
            before = from.before();
            objective = from.objective();
            residual = from.residual();
            still = from.still();
            ending = from.ending();
        }
        if (intercept == null) {
            intercept = new LbfgsState.Intercept(inquiry.firstIntercept(), solver.memory());
        }
    }

    @Override
    public LbfgsState state() {
        return new LbfgsState(
                phase, aim, count, scale, memory, search, intercept, change, balance, seen, shares, before, objective,
                residual, still, ending);
    }

    @Override
    public double intercept() {
        return intercept.point();
    }

    @Override
    public Finished.Proof next() {
        return switch (phase) {
            case UNIT -> change("unit");
            case TURN -> change("turn");
            case SLIDE -> change("slide");
            case LOOK -> look();
            case PUSH -> {
                push();
                yield decide();
            }
        };
    }

    /// Servers that add up in the order of streams do so once all know that the round is over.
    private void roundOver() {
        training.roundOver();
        if (job.inOrder()) {
            ask(new Order.Vectors.Tick());
            training.roundOver();
        }
    }

    /// Has every stream push the gradient of its portions. Its worker knows them, unless the stream came to it after
    /// the look: with many workers, what all are told of the portions of all would take longer than everything
    /// else.
    private void push() {
        Set<Integer> asked = new TreeSet<>(shared);
        while (true) {
            Map<Integer, List<GradientLoop.Portion>> told = new TreeMap<>();
            asked.forEach(stream -> told.put(stream, shares.getOrDefault(stream, List.of())));
            Set<Integer> missing = new TreeSet<>();
            for (WorkerReport report : ask(new Order.Vectors.Push(told))) {
                report.streams().stream()
                        .filter(at -> at.sequence() <= training.rounds())
                        .forEach(at -> missing.add(at.stream()));
            }
            if (missing.isEmpty()) {
                roundOver();
                return;
            }
            asked.addAll(missing);
        }
    }

    /// Has every stream tell servers to change their vectors.
    private Finished.Proof change(String what) {
        ask(new Order.Vectors.Change(what, change));
        roundOver();
        phase = LbfgsState.Phase.LOOK;
        return null;
    }

    /// Has workers look at the point, again if what some of them saw was lost with them.
    private Finished.Proof look() {
        seen = null;
        while (seen == null || seen.batches() != training.batches()) {
            Map<Integer, GradientLoop.Seen> byStream = isFixed() ? lookAtOwn() : lookAtAny();
            shares = new TreeMap<>();
            byStream.forEach((stream, there) -> shares.put(stream, there.portions()));
            seen = byStream.values().stream()
                    .reduce(GradientLoop.Seen.NOTHING, GradientLoop.Seen::plus)
                    .withoutPortions();
        }
        intercept = intercept.gathered(job.intercept() ? seen.slopes() : 0);
        count = switch (aim) {
            case UNITS, ORIGIN, FIRST -> count;
            case STEP, FOUND, AGAIN, LAST, BOUND -> count.looked();
        };
        phase = LbfgsState.Phase.PUSH;
        return null;
    }

    /// Whether each stream has batches of its own: so that the bits do not depend on who was fast, or because its
    /// batches have features in common or are where its worker is.
    private boolean isFixed() {
        return job.terms().rhythm().deterministic() || job.terms().placed();
    }

    /// By stream, what was seen by whoever was there first. One who has come to another's stream may be known by that.
    private Map<Integer, GradientLoop.Seen> lookAtAny() {
        Map<Integer, GradientLoop.Seen> all = new TreeMap<>();
        shared.clear();
        for (WorkerReport report : training.share(order(new Order.Vectors.Look()))) {
            report.found(WorkerReport.Vectors.class).seen().forEach((stream, there) -> {
                if (all.containsKey(stream)) {
                    shared.add(stream);
                }
                all.merge(stream, there, GradientLoop.Seen::plus);
            });
        }
        return all;
    }

    /// The same where what a stream has seen is the same, whoever says it.
    private Map<Integer, GradientLoop.Seen> lookAtOwn() {
        Map<Integer, GradientLoop.Seen> all = new TreeMap<>();
        shared.clear();
        ask(new Order.Vectors.LookAtOwn(training.batches()))
                .forEach(report ->
                        all.putAll(report.found(WorkerReport.Vectors.class).seen()));
        return all;
    }

    /// Makes up its mind about the point, now that servers have the gradient there.
    private Finished.Proof decide() {
        if (aim == LbfgsState.Aim.UNITS) {
            return measure();
        }
        Figures figures = inquiry.figures(LbfgsRows.LOOK, LbfgsRows.look(penalty, solver.memory()));
        LbfgsRows.View view = LbfgsRows.View.of(figures);
        double steepest = Math.max(view.steepest(), Math.abs(intercept.gathered()));
        if (aim == LbfgsState.Aim.ORIGIN) {
            scale = ResidualScale.of(steepest, penalty);
            slide(0, LbfgsState.Aim.FIRST);
            return null;
        }
        if (aim == LbfgsState.Aim.BOUND) {
            return proof(view.steepest());
        }
        objective = seen.loss() + view.penalty();
        residual = Math.max(view.residual(), Math.abs(intercept.gathered()));
        return switch (aim) {
            case FIRST -> {
                scale = inquiry.isWarm() ? scale : ResidualScale.of(steepest, penalty);
                tell();
                yield goOn(view);
            }
            case STEP, FOUND -> step(view);
            case AGAIN -> {
                memory = memory.forgetful();
                yield goOn(view);
            }
            case LAST -> end();
            case UNITS, ORIGIN, BOUND -> throw new IllegalStateException("nothing is decided of " + aim);
        };
    }

    /// Measures each weight by the root of a bound on its curvature; where the loss has none, as if that were 1.
    private Finished.Proof measure() {
        double most = Loss.named(job.loss()).maxCurvature();
        double curvature = Double.isFinite(most) ? most : 1;
        intercept = intercept.weighted(LbfgsRows.inverse(intercept.gathered(), curvature, 0));
        change = LbfgsRows.unit(penalty, curvature);
        count = count.moved();
        phase = LbfgsState.Phase.UNIT;
        aim = inquiry.isWarm() ? LbfgsState.Aim.ORIGIN : LbfgsState.Aim.FIRST;
        return null;
    }

    private void tell() {
        long seen = rows * count.passes();
        run.step("lbfgs", count.iterations(), rows, seen, objective / rows, residual / scale);
        run.reached(count.passes(), training.traffic(), objective);
    }

    /// Ends here, or takes the next direction from here.
    private Finished.Proof goOn(LbfgsRows.View view) {
        if (!Double.isFinite(objective)) {
            throw Diverged.objective(objective);
        }
        if (residual <= solver.tolerance() * scale) {
            ending = Ending.CONVERGED;
            return end();
        }
        if (count.iterations() >= solver.maxIterations()) {
            ending = Ending.LIMIT;
            return end();
        }
        if (still >= PATIENCE) {
            ending = Ending.STALLED;
            return end();
        }
        Lbfgs.Products products = intercept.plus(view.products());
        int into = memory.room(products);
        memory = memory.with(products);
        Lbfgs.Direction along = memory.direction(products, into);
        if (!(along.slope() < 0)) {
            memory = memory.forgetful();
            into = -1;
            along = memory.direction(products, into);
        }
        // Under L1 a step that was refused may have lacked what weights do against their own slope.
        boolean whole = search.isRefused();
        // Nothing is known of the curvature at first: a step of length 1.
        search = new LineSearch(memory.slots().isEmpty() ? 1 / Math.sqrt(-along.slope()) : 1);
        intercept = intercept.turned(into, along, search.step());
        before = objective;
        change = LbfgsRows.turn(penalty, true, into, along, whole, search.step());
        count = count.accepted().moved();
        phase = LbfgsState.Phase.TURN;
        aim = LbfgsState.Aim.STEP;
        return null;
    }

    /// Sees whether a step is right, and if not looks for another.
    private Finished.Proof step(LbfgsRows.View view) {
        double moved = view.moved() + intercept.gradient() * (intercept.point() - intercept.weight());
        double first = view.first() + intercept.gradient() * intercept.direction();
        double slope = view.slope() + intercept.gathered() * intercept.direction();
        boolean tooLong = LineSearch.isTooLong(before, moved, objective);
        boolean tooShort = aim == LbfgsState.Aim.STEP && isTooShort(first, slope);
        if (!tooLong && !tooShort) {
            count = count.iterated();
            still = before - objective < HARDLY * Math.abs(before) ? still + 1 : 0;
            tell();
            return goOn(view);
        }
        double here = search.step();
        search = tooLong ? search.shorter() : search.longer();
        boolean found = isOnLine(view) && findOnLine(here, first);
        if (!search.isOver()) {
            slide(search.step(), found ? LbfgsState.Aim.FOUND : LbfgsState.Aim.STEP);
        } else if (!memory.slots().isEmpty()) {
            slide(0, LbfgsState.Aim.AGAIN);
        } else {
            ending = Ending.STALLED;
            slide(0, LbfgsState.Aim.LAST);
        }
        return null;
    }

    /// Whether there is a line to look for a step on. Where bits matter there is not: whoever takes over a stream does
    /// not know the scores that it begins with.
    private boolean isOnLine(LbfgsRows.View view) {
        return !job.terms().rhythm().deterministic() && seen.lines() == training.batches() && view.clipped() == 0;
    }

    /// Under L1 the slope may jump, so that no step need be long enough.
    private boolean isTooShort(double first, double slope) {
        return penalty.l1() == 0 && LineSearch.isTooShort(first, slope);
    }

    /// Looks for a step on the line between the scores at the weights and at the point, `here` along the
    /// direction.
    private boolean findOnLine(double here, double first) {
        while (!search.isOver()) {
            double[] sums = sums(new Order.Vectors.Between(search.step() / here));
            if (sums[2] != training.batches()) {
                return false; // somebody is gone, and with it its scores
            }
            Figures along = inquiry.figures(LbfgsRows.ALONG, LbfgsRows.along(penalty, search.step()));
            double moved = along.real(1) + intercept.gradient() * search.step() * intercept.direction();
            double slope = sums[1] / here + along.real(2);
            if (LineSearch.isTooLong(before, moved, sums[0] + along.real(0))) {
                search = search.shorter();
            } else if (isTooShort(first, slope)) {
                search = search.longer();
            } else {
                return true;
            }
        }
        return false;
    }

    private void slide(double step, LbfgsState.Aim next) {
        change = LbfgsRows.slide(penalty, step);
        intercept = intercept.slid(step);
        count = count.moved();
        phase = LbfgsState.Phase.SLIDE;
        aim = next;
        if (step == 0) {
            search = new LineSearch(0);
        }
    }

    /// All that is missing is a bound. With an intercept it takes slopes that sum to 0, so those of the
    /// sign that outweighs the other are scaled down, and the gradient of these is needed.
    private Finished.Proof end() {
        if (!Loss.named(job.loss()).convex()) {
            return new Finished.Proof(objective, residual, Double.NaN, ending);
        }
        if (job.intercept()) {
            balance = Balance.of(seen.falls(), seen.rises());
        }
        slide(search.step(), LbfgsState.Aim.BOUND);
        return null;
    }

    /// The objective less a lower bound of it, which comes from the slopes of the examples (Fenchel),
    /// scaled down until their gradient is within what the penalty holds.
    private Finished.Proof proof(double steepest) {
        double feasible = penalty.feasible(penalty.l2() > 0 ? 0 : steepest);
        double[] sums = sums(new Order.Vectors.Bound(feasible));
        if (sums[2] != training.batches()) {
            slide(search.step(), LbfgsState.Aim.BOUND); // somebody is gone, and with it its scores
            return null;
        }
        double dual = sums[0]
                - inquiry.figures(LbfgsRows.CONJUGATE, LbfgsRows.along(penalty, feasible))
                        .real(0);
        return new Finished.Proof(objective, residual, Math.max(0, objective - dual), ending);
    }

    private Order order(Order.Vectors.Deed deed) {
        GradientLoop.Point point = new GradientLoop.Point(
                count.point(),
                count.base(),
                training.rounds(),
                intercept.point(),
                switch (aim) {
                    case UNITS -> GradientLoop.Gathers.SQUARES;
                    case ORIGIN -> GradientLoop.Gathers.ORIGIN;
                    case FIRST, STEP, FOUND, AGAIN, LAST, BOUND -> GradientLoop.Gathers.GRADIENT;
                },
                balance);
        return new Order(problem, training.rounds(), null, new Order.Vectors(point, deed));
    }

    private Collection<WorkerReport> ask(Order.Vectors.Deed deed) {
        return new ArrayList<>(training.together(order(deed)));
    }

    /// What workers answer, summed up in the order of streams; the last number is of how many batches.
    private double[] sums(Order.Vectors.Deed deed) {
        Map<Integer, double[]> byStream = new TreeMap<>();
        ask(deed)
                .forEach(report ->
                        byStream.putAll(report.found(WorkerReport.Vectors.class).figures()));
        double[] sums = new double[3];
        for (double[] of : byStream.values()) {
            for (int k = 0; k < sums.length; k++) {
                sums[k] += of[k];
            }
        }
        return sums;
    }
}
