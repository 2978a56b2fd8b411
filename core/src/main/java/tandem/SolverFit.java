package tandem;

import java.util.List;
import java.util.Locale;
import tandem.consistency.Consistency;
import tandem.consistency.Timetable;
import tandem.filter.Direction;
import tandem.filter.Filters;
import tandem.filter.Tally;
import tandem.worker.Local;

/// Whether a plan suits a solver.
record SolverFit(ClusterPlan plan, Solver solver) {

    /// Refuses what does not.
    void check() {
        switch (solver) {
            case Solver.Blocks _ -> checkBlocks();
            case Solver.Factors _ -> {
                checkRagged();
                checkFilters();
            }
            case Solver.Online online -> {
                checkFilters();
                check(online);
            }
            case Solver.Lbfgs _ -> {
                checkFilters();
                checkVectors();
            }
            case Solver.Sdca _ -> {
                checkFilters();
                checkSlopes();
            }
            case Solver.Proximal _ -> {
                checkFilters();
                checkClocks();
            }
            case Solver.Batch _ -> checkFilters();
            case Solver.Auto _ -> {} // the one that is chosen is
        }
        // Last, so that nobody is told what these need who cannot have them at all.
        checkSteal();
        checkBudget();
        checkAggregates();
    }

    private void checkSteal() {
        if (plan.rhythm().steal() && !first().byPass()) {
            throw new IllegalArgumentException("workers take over from others only where nobody waits within a pass;"
                    + " use --steal with a consistency such as fraction:0.75, not " + consistency());
        }
    }

    private void checkBudget() {
        Rhythm rhythm = plan.rhythm();
        if (rhythm.pushBytesPerSecond() > 0
                && (rhythm.batchesPerClock() == 1 && !first().byPass() || first().isEager())) {
            throw new IllegalArgumentException(
                    "with a budget for pushes changes are kept back within a clock, so a clock needs more than one"
                        + " batch, and rows cannot be kept at the workers as well; set the batches of a clock (--clock"
                        + " 8), and use bsp, ssp:S, bounded:T, async or fraction:F");
        }
    }

    private void checkAggregates() {
        if (plan.copies().replication() == Copies.Replication.AGGREGATE
                && (!consistency().equals("bsp") || plan.rhythm().deterministic())) {
            throw new IllegalArgumentException(
                    "updates are passed on after aggregation where all workers are at the same clock, and their sum"
                        + " may come in two pieces if one is late; use --replication aggregate with --consistency bsp"
                        + " and without --deterministic");
        }
    }

    private String consistency() {
        return plan.rhythm().consistency();
    }

    /// The consistency in the first pass.
    private Consistency first() {
        return Consistency.named(new Timetable(consistency()).at(0, 1));
    }

    /// Refuses filters that only block solvers can have.
    private void checkFilters() {
        if (plan.filterNames().significantPull().isPresent()) {
            throw new IllegalArgumentException("the filter significant is for what is pushed with " + solver.label()
                    + ", where nobody knows which weights a worker has; leave out pull=, or use --solver dbpg");
        }
        if (plan.filterNames().kkt()) {
            throw new IllegalArgumentException("the filter kkt leaves out weights that a solver knows to be at rest,"
                    + " and " + solver.label() + " knows of none; use it with --solver dbpg");
        }
    }

    private void check(Solver.Online online) {
        if (online.rule() == Solver.Rule.ADADELAY) {
            checkAges();
        }
        switch (online.local()) {
            case Local.Downpour how -> check(how);
            case Local.Averaging how -> checkRounds(how.exchange());
            case Local.Gradient _, Local.Emso _ -> {}
        }
    }

    private void checkBlocks() {
        Filters.Both filters = plan.filterNames().sent();
        if (filters.push().stream().anyMatch(filter -> filter.startsWith("significant"))) {
            throw new IllegalArgumentException("the filter significant sends small changes later, but " + solver.label()
                    + " needs what all workers think of a block at once; use it for pulls, as pull=significant:0.001,"
                    + " or kkt, skip or fixed instead");
        }
        // Those come between what workers know of weights and what these are.
        plan.filterNames().inexactPull().ifPresent(filter -> {
            throw new IllegalArgumentException("the filter " + filter
                    + " changes weights on their way to workers, which "
                    + solver.label() + " would then take its gradients and its proof at; use it for what is pushed, as"
                    + " push=" + filter + ", and for pulls significant, " + FilterNames.EXACT);
        });
        refuseParts("works on blocks of features, all of which have a weight");
        BlockCourse.delay(new Timetable(consistency()).at(0, 1));
        refuseAggregates();
    }

    /// Refuses what sends or keeps only a part of what there is, or waits for more of it.
    ///
    /// @param why what the solver does instead
    private void refuseParts(String why) {
        Rhythm rhythm = plan.rhythm();
        if (!plan.upkeep().keepsAll()
                || rhythm.steal()
                || rhythm.pushBytesPerSecond() > 0
                || rhythm.batchesPerClock() > 1) {
            throw new IllegalArgumentException(solver.label() + " " + why
                    + "; leave out --admit, --table-bytes, --steal, --clock and --push-budget");
        }
    }

    private void refuseAggregates() {
        if (plan.copies().replication() == Copies.Replication.AGGREGATE) {
            throw new IllegalArgumentException(
                    "servers of " + solver.label() + " pass on each update; use --replication push");
        }
    }

    private void refuseChanges() {
        plan.filterNames().inexact().ifPresent(filter -> {
            throw new IllegalArgumentException("the filter " + filter + " changes what is sent, and " + solver.label()
                    + " needs numbers as they are; it can have " + FilterNames.EXACT);
        });
    }

    /// Refuses what rows of lengths of their own cannot have.
    private void checkRagged() {
        Filters kinds = new Filters();
        for (String filter : plan.filterNames().sent().push()) {
            if (kinds.stack(List.of(filter), Direction.PUSH, new Tally()).chooses()) {
                throw new IllegalArgumentException("the filter " + filter + " leaves out rows of one length, but with "
                        + solver.label() + " some features have factors and some have none; leave it out, and use runs,"
                        + " fixed, fp16, bf16, lz4 or zstd");
            }
        }
        if (plan.upkeep().mostBytes() != Long.MAX_VALUE) {
            throw new IllegalArgumentException("servers cannot tell beforehand what features with factors will take;"
                    + " leave out --table-bytes, and use a higher --threshold for less memory");
        }
        if (first().isEager()) {
            throw new IllegalArgumentException("workers keep no copy of rows with factors, which servers could send as"
                    + " they change; use --consistency " + consistency().replace("essp", "ssp") + " instead of "
                    + consistency());
        }
        if (plan.rhythm().pushBytesPerSecond() > 0) {
            throw new IllegalArgumentException(
                    "workers push changes of rows with factors as soon as they have them; leave out --push-budget");
        }
        refuseAggregates();
    }

    /// Refuses steps without rows, and a warm-up that would wait for those that it keeps waiting.
    private void check(Local.Downpour how) {
        if (plan.batchRows() < how.push()) {
            throw new IllegalArgumentException(how.push() + " steps between pushes of " + plan.batchRows()
                    + " rows; each step needs one, so use more rows (--update-rows " + how.push()
                    + ") or push more often (--push-every)");
        }
        if (how.warmUp() > 0 && (first().after(0, 0).everyone() != Long.MIN_VALUE || first().byPass())) {
            throw new IllegalArgumentException("in a warm-up one worker runs ahead of the others, but the consistency"
                    + " " + consistency() + " has it wait for them; use --consistency async, or leave out"
                    + " --warm-up");
        }
    }

    /// Refuses what has a mean be of other than all workers' weights at the end of a round.
    private void checkRounds(Local.Averaging.Exchange exchange) {
        if (plan.rhythm().deterministic() && exchange != Local.Averaging.Exchange.SERVER) {
            throw new IllegalArgumentException("in which order weights are added up depends on how many workers there"
                    + " are, so a deterministic run cannot have the exchange "
                    + exchange.name().toLowerCase(Locale.ROOT) + "; use --exchange server");
        }
        refuseChanges();
        refuseParts("takes the mean of all weights after every batch");
        if (!consistency().equals("bsp")) {
            throw new IllegalArgumentException("the consistency is " + consistency() + ", but workers of "
                    + solver.label() + " go on from the mean of all of them; use --consistency bsp, or leave it out");
        }
        refuseAggregates();
    }

    private void checkVectors() {
        refuseChanges();
        refuseParts("needs the gradient of all weights at once, and shares out work by itself");
        if (consistency().startsWith("fraction")) {
            throw new IllegalArgumentException("the consistency is " + consistency() + ", but " + solver.label()
                    + " needs the gradient of all examples; leave out --consistency: nobody waits for a slow worker,"
                    + " because others do its work");
        }
        refuseAggregates();
    }

    /// Refuses what would have weights and slopes of examples say different things.
    private void checkSlopes() {
        refuseChanges();
        refuseParts("has a number for each example, which stays with its worker, and needs all weights");
        if (consistency().startsWith("fraction")) {
            throw new IllegalArgumentException("the consistency is " + consistency() + ", but " + solver.label()
                    + " adds up what all examples change in a pass; leave out --consistency");
        }
        refuseAggregates();
    }

    /// Refuses what has servers see other than all gradients of a clock, at its end.
    private void checkClocks() {
        refuseChanges();
        refuseParts("moves all weights with every clock, which is one look at all data");
        Timetable timetable = new Timetable(consistency());
        ProximalCourse.delay(timetable.at(0, 2));
        ProximalCourse.delay(timetable.at(1, 2));
        refuseAggregates();
    }

    /// Refuses what sends changes without the age of what they were computed from.
    private void checkAges() {
        boolean holds = plan.filterNames().sent().push().stream().anyMatch(name -> name.startsWith("signif"));
        boolean sums = plan.copies().replication() == Copies.Replication.AGGREGATE;
        if (first().isEager() || holds || plan.rhythm().pushBytesPerSecond() > 0 || sums) {
            throw new IllegalArgumentException("adadelay takes the length of a step from how late its update is, which"
                    + " nobody knows of changes that are kept back, summed up or computed from kept rows; leave out"
                    + " --push-budget, --replication aggregate, the filter significant and the consistency essp, or use"
                    + " --solver adagrad");
        }
    }
}
