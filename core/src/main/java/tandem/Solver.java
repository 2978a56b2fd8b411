package tandem;

import java.io.IOException;
import tandem.data.Batches;
import tandem.data.ColumnUse;
import tandem.data.Data;
import tandem.problem.Loss;
import tandem.problem.Separable;
import tandem.server.Hogwild;
import tandem.server.UpdateRule;
import tandem.solver.AdaDelay;
import tandem.solver.AdaGrad;
import tandem.solver.Ftrl;
import tandem.solver.Overdue;
import tandem.solver.Sgd;
import tandem.worker.Local;

/// How a linear model is trained.
public sealed interface Solver {

    /// The name on the command line.
    String label();

    /// Whether it goes about features in an order that has nothing to do with their keys, so that those which a worker
    /// needs can have keys beside each other. Blocks are ranges of keys, one after the other, and would each be for
    /// one worker. Where workers have features instead of examples, all need all examples.
    default boolean placesFeatures() {
        return switch (this) {
            case Blocks _ -> false;
            case Proximal proximal -> proximal.split() == Proximal.Split.EXAMPLES;
            case Online _, Factors _, Lbfgs _, Sdca _, Batch _, Auto _ -> true;
        };
    }

    /// Example by example, in passes over data that need not fit in memory.
    ///
    /// @param alpha    the learning rate, which each rule lowers by itself as it learns; [#AUTOMATIC]
    ///                 for SGD to take it from how long the rows are, and others from how far labels are
    ///                 from each other
    /// @param beta     how much the first steps are damped; with an automatic rate in units of slopes
    /// @param rows     rows between two updates
    /// @param passes   how often the data is read, at most; [#AUTOMATIC] for as many as small data needs
    /// @param patience passes without a better validation loss before stopping early; 0 never stops
    /// @param local    what each worker makes of a batch, which is for servers and workers; with EMSO the rule,
    ///                 learning rate and damping do not matter, since servers take a mean
    /// @param hogwild  how threads of one process share weights; servers apply one update after the other
    record Online(
            Rule rule, double alpha, double beta, int rows, int passes, int patience, Local local, Hogwild hogwild)
            implements Solver {

        /// As many passes as show about [#ENOUGH] examples, but at most [#MOST]; a learning rate from the data.
        public static final int AUTOMATIC = 0;

        /// The usual learning rate, of all rules but SGD, in units of what is learned; for classes that is 1.
        public static final double RATE = 0.1;

        private static final long ENOUGH = 2_000_000;
        private static final int MOST = 20;

        /// Rows of a batch that is to be worth more than a step.
        public static final int LARGE = 4096;

        public Online {
            if (passes < 0) {
                throw new IllegalArgumentException("passes is " + passes + "; use 1 or more");
            }
            if (rows < 1) {
                throw new IllegalArgumentException("rows between updates is " + rows + "; use 1 or more");
            }
            if (local instanceof Local.Averaging how) {
                checkAveraging(rule, rows, how.every());
            }
            if (patience < 0) {
                throw new IllegalArgumentException("patience is " + patience + "; use 0 to never stop early, or more");
            }
        }

        private static void checkAveraging(Rule rule, int rows, int every) {
            if (rule != Rule.SGD && rule != Rule.ADAGRAD) {
                throw new IllegalArgumentException("workers that average their weights move them by sgd or adagrad,"
                        + " not by " + rule.label + "; use one of those");
            }
            if ((long) rows * every > Data.MOST_BATCH_ROWS) {
                throw new IllegalArgumentException(every + " steps of " + rows + " rows between two averages are "
                        + (long) rows * every + " rows; a worker holds at most " + Data.MOST_BATCH_ROWS
                        + " at a time, so average more often (--average-every) or take smaller steps"
                        + " (--update-rows)");
            }
        }

        public static Online of(Rule rule) {
            return new Online(rule, AUTOMATIC, 1, 16, AUTOMATIC, 2, Local.GRADIENT, Hogwild.RELAXED);
        }

        /// Downpour: workers take steps of their own between exchanges, and servers AdaGrad's.
        public static Online downpour() {
            return of(Rule.ADAGRAD).withRows(ClusterPlan.DEFAULT.batchRows()).withLocal(Local.Downpour.DEFAULT);
        }

        /// EMSO: workers find weights that do well on large batches, and servers take their mean.
        public static Online emso(Local.Emso.By by) {
            return of(Rule.ADAGRAD).withRows(LARGE).withLocal(Local.Emso.by(by));
        }

        /// Averaging: workers take steps of their own, by SGD or AdaGrad, and all go on from the mean of what they got
        /// to.
        public static Online averaging(Rule rule) {
            return of(rule).withRows(Local.Steps.DEFAULT.rows()).withLocal(Local.Averaging.DEFAULT);
        }

        public Online withLocal(Local local) {
            return new Online(rule, alpha, beta, rows, passes, patience, local, hogwild);
        }

        public Online withHogwild(Hogwild hogwild) {
            return new Online(rule, alpha, beta, rows, passes, patience, local, hogwild);
        }

        public Online withAlpha(double alpha) {
            return new Online(rule, alpha, beta, rows, passes, patience, local, hogwild);
        }

        public Online withBeta(double beta) {
            return new Online(rule, alpha, beta, rows, passes, patience, local, hogwild);
        }

        public Online withRows(int rows) {
            return new Online(rule, alpha, beta, rows, passes, patience, local, hogwild);
        }

        public Online withPasses(int passes) {
            return new Online(rule, alpha, beta, rows, passes, patience, local, hogwild);
        }

        public Online withPatience(int patience) {
            return new Online(rule, alpha, beta, rows, passes, patience, local, hogwild);
        }

        /// Whether the rate waits for the unit of what is learned.
        boolean isAutomatic() {
            return alpha == AUTOMATIC && rule != Rule.SGD;
        }

        /// The same with the usual rate in this unit, unless there is one, or the rule takes it from the rows.
        Online in(Unit unit) {
            return isAutomatic() ? withAlpha(RATE * unit.labels()).withBeta(beta * unit.slopes()) : this;
        }

        /// The same with what is automatic settled for `data`, which may have an unknown number of rows.
        ///
        /// @param together how many pushes may be made from the same weights
        Online over(Batches data, Loss loss, int together) throws IOException {
            long count = data.rows();
            Online settled = passes != AUTOMATIC
                    ? this
                    : withPasses(count < 0 ? 1 : Math.clamp(ENOUGH / Math.max(1, count), 1, MOST));
            Online rated = alpha == AUTOMATIC ? settled.withAlpha(SgdRate.of(loss, rows, together, data)) : settled;
            return switch (local) {
                case Local.Gradient() -> rated;
                case Local.Downpour how ->
                    how.rate() == Local.Downpour.AUTOMATIC
                            ? rated.withLocal(how.withRate(SgdRate.safe(loss, Math.ceilDiv(rows, how.push()), data)))
                            : rated;
                case Local.Emso _, Local.Averaging _ -> rated;
            };
        }

        /// Whether hosts average without servers and workers.
        boolean isByRounds() {
            return local instanceof Local.Averaging how && how.exchange() == Local.Averaging.Exchange.SPARK;
        }

        /// The same on servers and workers, where a batch of so many rows is an update, or has the rows of all steps
        /// between two averages.
        Online onBatches(int batchRows) {
            return local instanceof Local.Averaging ? this : withRows(batchRows);
        }

        /// Rows of a batch on servers and workers that have `usual` rows otherwise: those of all steps between two
        /// averages, if there are any.
        int batchRows(int usual) {
            return local instanceof Local.Averaging how ? Math.multiplyExact(rows, how.every()) : usual;
        }

        @Override
        public String label() {
            return switch (local) {
                case Local.Gradient() -> rule.label;
                case Local.Downpour _ -> "downpour";
                case Local.Emso how ->
                    switch (how.by()) {
                        case GRADIENT -> "emso-gd";
                        case COORDINATE -> "emso-cd";
                    };
                case Local.Averaging _ -> "averaging";
            };
        }
    }

    /// All examples at once, to the optimum, with a certificate.
    ///
    /// @param tolerance how large the optimality residual may stay, relative to that of zero weights
    record Batch(double tolerance, int maxIterations) implements Solver {

        public static final Batch DEFAULT = new Batch(1e-6, 10_000);

        public Batch {
            if (!(tolerance > 0)) {
                throw new IllegalArgumentException(
                        "tolerance is " + tolerance + "; use a number above 0, such as 1e-6");
            }
            if (maxIterations < 1) {
                throw new IllegalArgumentException("iterations is " + maxIterations + "; use 1 or more");
            }
        }

        @Override
        public String label() {
            return "batch";
        }
    }

    /// Block of features after block on servers and workers, to the optimum, with a certificate: delayed block
    /// proximal gradient.
    ///
    /// @param tolerance how large the optimality residual may stay, relative to the largest gradient at
    ///                  zero weights, and the duality gap, relative to the objective
    /// @param progress  or that [#SOME] times through all blocks together lower the objective by no more than
    ///                  this, as a share of it; 0 to wait for the gap. That is no proof of being near, but far from
    ///                  the optimum they lower it by more
    /// @param maxPasses times through all blocks, at most
    /// @param blocks    how many blocks features are cut into; [#AUTOMATIC] for four times as many as
    ///                  rows have features
    /// @param step      how far weights move, of what is safe for each by itself; [#AUTOMATIC] for as
    ///                  far as is safe for most of those that are moved together
    /// @param guaranteed whether weights move only as far as convergence is proven for, whatever the data;
    ///                  then `step` follows from that
    /// @param columns   where workers have the features of their rows
    record Blocks(
            double tolerance,
            double progress,
            int maxPasses,
            int blocks,
            double step,
            boolean guaranteed,
            ColumnUse columns)
            implements Solver {

        public static final int AUTOMATIC = 0;

        static final int SOME = 5;

        static final int MOST_BLOCKS = 1 << 16;

        public static final Blocks DEFAULT = new Blocks(1e-4, 0, 1_000, AUTOMATIC, AUTOMATIC, false, ColumnUse.AUTO);

        public Blocks {
            if (!(tolerance > 0)) {
                throw new IllegalArgumentException(
                        "tolerance is " + tolerance + "; use a number above 0, such as 1e-4");
            }
            if (!(progress >= 0)) {
                throw new IllegalArgumentException(
                        "progress is " + progress + "; use a number of 0 or more, such as 1e-4");
            }
            if (maxPasses < 1) {
                throw new IllegalArgumentException("passes is " + maxPasses + "; use 1 or more");
            }
            if (blocks < 0 || blocks > MOST_BLOCKS) {
                throw new IllegalArgumentException(blocks + " blocks; use 1 to " + MOST_BLOCKS);
            }
            if (!(step >= 0)) {
                throw new IllegalArgumentException("a step of " + step + "; use a number above 0, such as 1");
            }
        }

        public Blocks withTolerance(double tolerance) {
            return new Blocks(tolerance, progress, maxPasses, blocks, step, guaranteed, columns);
        }

        public Blocks withProgress(double progress) {
            return new Blocks(tolerance, progress, maxPasses, blocks, step, guaranteed, columns);
        }

        public Blocks withMaxPasses(int maxPasses) {
            return new Blocks(tolerance, progress, maxPasses, blocks, step, guaranteed, columns);
        }

        public Blocks withBlocks(int blocks) {
            return new Blocks(tolerance, progress, maxPasses, blocks, step, guaranteed, columns);
        }

        public Blocks withGuaranteedSteps() {
            return new Blocks(tolerance, progress, maxPasses, blocks, step, true, columns);
        }

        public Blocks withStep(double step) {
            return new Blocks(tolerance, progress, maxPasses, blocks, step, guaranteed, columns);
        }

        public Blocks withColumns(ColumnUse columns) {
            return new Blocks(tolerance, progress, maxPasses, blocks, step, guaranteed, columns);
        }

        @Override
        public String label() {
            return "dbpg";
        }
    }

    /// A weight a feature by FTRL and, beside it, factors by AdaGrad, whose products say what pairs of features mean
    /// together: a factorisation machine. On servers and workers, in passes over data that need not fit in memory.
    ///
    /// @param weights   how weights are trained; with [Rule#FTRL]
    /// @param dimension how many factors a feature has; 0 for a linear model
    /// @param threshold how often a feature is counted before it gets factors
    /// @param sparse    whether a feature gets factors only once its weight is not 0
    /// @param alpha     the learning rate of factors, or [#AUTOMATIC]
    /// @param beta      how much their first steps are damped; with an automatic rate in units of slopes
    /// @param l2        the strength of their penalty, l2/2 times their squares, on the sum scale, or [#AUTOMATIC]
    /// @param group     the strength of the penalty on their norm, group·‖v‖; [#AUTOMATIC] if `l2` is
    /// @param scale     factors begin between −scale and scale, or [#AUTOMATIC]
    /// @param clipped   whether predicted numbers stay among those of the training data
    record Factors(
            Online weights,
            int dimension,
            int threshold,
            boolean sparse,
            double alpha,
            double beta,
            double l2,
            double group,
            double scale,
            boolean clipped)
            implements Solver {

        /// What suits the data, once that is there: of penalties both, or none.
        public static final double AUTOMATIC = -1;

        /// The usual first values of factors, where numbers to predict spread by 1, and for classes.
        public static final double SCALE = 0.05;

        /// Factors for features that were counted ten times and have a weight: DiFacto.
        public static final Factors ADAPTIVE = new Factors(
                Online.of(Rule.FTRL).withRows(64).withPatience(3),
                8,
                10,
                true,
                AUTOMATIC,
                1,
                AUTOMATIC,
                AUTOMATIC,
                AUTOMATIC,
                true);

        /// Factors for every feature: a plain factorisation machine.
        public static final Factors PLAIN = ADAPTIVE.withThreshold(0).withSparse(false);

        /// The mean squared length of rows, how many features they have if all values are 1, above which most pairs
        /// mean nothing.
        private static final double LONG = 12;

        /// Makes the factors of features whose pairs mean nothing 0.
        private static final double GROUP_OF_LONG = 8;

        /// In shorter rows the penalty on norms would keep factors from ever beginning.
        private static final double L2_OF_SHORT = 5;

        private static final double L2_OF_NUMBERS = 10;

        /// Rows that workers may learn from at the same weights. Of more, all of them together take so long steps in
        /// the first pass that the machine has to find back. Slower factors alone would not, but miss what
        /// pairs mean.
        private static final int TOGETHER = 128;

        /// More workers than these have factors move less, also where each learns from few rows.
        private static final double MOST_AT_FULL_RATE = 2;

        /// No smaller batch, whose messages would be hardly more than their headers.
        private static final int LEAST = 4;

        /// The largest dimension.
        public static final int MOST = 1024;

        /// The largest first value of a factor that anyone asks for.
        public static final double MOST_SCALE = 1;

        public Factors {
            if (weights.rule() != Rule.FTRL) {
                throw new IllegalArgumentException(
                        "beside factors weights are trained by ftrl, not by " + weights.label() + "; use ftrl");
            }
            if (dimension < 0 || dimension > MOST) {
                throw new IllegalArgumentException("a dimension of " + dimension + "; use 0 to " + MOST);
            }
            if (threshold < 0) {
                throw new IllegalArgumentException("a threshold of " + threshold + "; use 0 or more");
            }
            boolean automatic = l2 == AUTOMATIC && group == AUTOMATIC;
            if (!(alpha > 0 || alpha == AUTOMATIC)
                    || !(beta >= 0)
                    || !(automatic || l2 >= 0 && group >= 0)
                    || !(scale > 0 && scale < Double.POSITIVE_INFINITY || scale == AUTOMATIC)) {
                throw new IllegalArgumentException("factors with a learning rate of " + alpha + ", damping of " + beta
                        + ", penalties of " + l2 + " and " + group + " and first values within " + scale
                        + "; use a learning rate above 0, damping and penalties of 0 or more, and values within a"
                        + " small number above 0, such as " + SCALE);
            }
        }

        public Factors withWeights(Online weights) {
            return new Factors(weights, dimension, threshold, sparse, alpha, beta, l2, group, scale, clipped);
        }

        public Factors withDimension(int dimension) {
            return new Factors(weights, dimension, threshold, sparse, alpha, beta, l2, group, scale, clipped);
        }

        public Factors withThreshold(int threshold) {
            return new Factors(weights, dimension, threshold, sparse, alpha, beta, l2, group, scale, clipped);
        }

        public Factors withSparse(boolean sparse) {
            return new Factors(weights, dimension, threshold, sparse, alpha, beta, l2, group, scale, clipped);
        }

        public Factors withRates(double alpha, double beta) {
            return new Factors(weights, dimension, threshold, sparse, alpha, beta, l2, group, scale, clipped);
        }

        /// With this penalty on squares, and the one on norms that there is, or none if it is automatic.
        public Factors withL2(double l2) {
            return new Factors(
                    weights, dimension, threshold, sparse, alpha, beta, l2, Math.max(0, group), scale, clipped);
        }

        /// With this penalty on norms, and the one on squares that there is, or none if it is automatic.
        public Factors withGroup(double group) {
            return new Factors(
                    weights, dimension, threshold, sparse, alpha, beta, Math.max(0, l2), group, scale, clipped);
        }

        /// The same where so many workers learn at a time: from smaller batches.
        public Factors among(int workers) {
            int rows = weights.rows();
            double share = Math.min(1, (double) TOGETHER / rows / Math.max(1, workers));
            return withWeights(weights.withRows(Math.clamp((long) (rows * share), Math.min(LEAST, rows), rows)));
        }

        /// How many workers learn well from batches as large as these; no more than `most`.
        public int workers(int most) {
            return Math.min(most, Math.max(2, TOGETHER / weights.rows()));
        }

        boolean isAutomatic() {
            return weights.isAutomatic() || alpha == AUTOMATIC || l2 == AUTOMATIC || scale == AUTOMATIC;
        }

        /// With what is automatic as it suits `data` and so many who learn from the same weights. A product of two
        /// factors is in the unit of labels, so they are in that of its root.
        Factors over(Batches data, Loss loss, Unit unit, int together) throws IOException {
            double root = Math.sqrt(unit.labels());
            Factors rated = alpha != AUTOMATIC
                    ? this
                    : withRates(
                            Online.RATE * Math.sqrt(Math.min(1, MOST_AT_FULL_RATE / together)) * root,
                            beta * unit.slopes() * root);
            Factors begun = scale != AUTOMATIC ? rated : rated.withScale(SCALE * root);
            Factors settled = begun.withWeights(weights.in(unit));
            return l2 != AUTOMATIC ? settled : settled.penalised(data, loss, unit);
        }

        /// With penalties that suit `data`. Found by trying on generated and real data, by held-out loss.
        private Factors penalised(Batches data, Loss loss, Unit unit) throws IOException {
            if (!loss.binary()) {
                return withL2(unit.penalty(L2_OF_NUMBERS));
            }
            return FirstRows.meanSquare(data) > LONG ? withGroup(GROUP_OF_LONG) : withL2(L2_OF_SHORT);
        }

        public Factors withScale(double scale) {
            return new Factors(weights, dimension, threshold, sparse, alpha, beta, l2, group, scale, clipped);
        }

        public Factors withClipped(boolean clipped) {
            return new Factors(weights, dimension, threshold, sparse, alpha, beta, l2, group, scale, clipped);
        }

        @Override
        public String label() {
            return threshold == 0 && !sparse ? "fm" : "difacto";
        }
    }

    /// All examples at once on servers and workers, to the optimum, with a certificate: L-BFGS, or OWL-QN where
    /// there is an L1 penalty.
    ///
    /// @param tolerance how large the optimality residual may stay, relative to the largest gradient at
    ///                  zero weights
    /// @param memory    how many of the last steps are remembered
    record Lbfgs(double tolerance, int maxIterations, int memory) implements Solver {

        static final int MOST_MEMORY = 100;

        public static final Lbfgs DEFAULT = new Lbfgs(1e-4, 1_000, 10);

        public Lbfgs {
            if (!(tolerance > 0)) {
                throw new IllegalArgumentException(
                        "tolerance is " + tolerance + "; use a number above 0, such as 1e-4");
            }
            if (maxIterations < 1) {
                throw new IllegalArgumentException("iterations is " + maxIterations + "; use 1 or more");
            }
            if (memory < 1 || memory > MOST_MEMORY) {
                throw new IllegalArgumentException(
                        "a memory of " + memory + " steps; use 1 to " + MOST_MEMORY + ", such as 10");
            }
        }

        public Lbfgs withTolerance(double tolerance) {
            return new Lbfgs(tolerance, maxIterations, memory);
        }

        public Lbfgs withMaxIterations(int maxIterations) {
            return new Lbfgs(tolerance, maxIterations, memory);
        }

        public Lbfgs withMemory(int memory) {
            return new Lbfgs(tolerance, maxIterations, memory);
        }

        @Override
        public String label() {
            return "lbfgs";
        }
    }

    /// Example after example on servers and workers, to the optimum, with a certificate: stochastic dual coordinate
    /// ascent. Needs an L2 penalty; the loss may have kinks.
    ///
    /// @param tolerance how far the objective may stay above its lower bound, relative to it
    /// @param maxPasses passes over the examples, at most
    record Sdca(double tolerance, int maxPasses) implements Solver {

        public static final Sdca DEFAULT = new Sdca(1e-4, 10_000);

        public Sdca {
            if (!(tolerance > 0)) {
                throw new IllegalArgumentException(
                        "tolerance is " + tolerance + "; use a number above 0, such as 1e-4");
            }
            if (maxPasses < 1) {
                throw new IllegalArgumentException("passes is " + maxPasses + "; use 1 or more");
            }
        }

        public Sdca withTolerance(double tolerance) {
            return new Sdca(tolerance, maxPasses);
        }

        public Sdca withMaxPasses(int maxPasses) {
            return new Sdca(tolerance, maxPasses);
        }

        @Override
        public String label() {
            return "sdca";
        }
    }

    /// Whichever of the others suits the data, the loss, the penalty and where it is to run.
    record Auto() implements Solver {

        @Override
        public String label() {
            return "auto";
        }
    }

    /// All weights at once by proximal steps, on servers and workers that may be some clocks ahead of each other, to
    /// the optimum, with a certificate.
    ///
    /// @param split      what each worker has: some examples, or some features
    /// @param tolerance  how large the optimality residual may stay, relative to the largest gradient at
    ///                   zero weights, and the duality gap, where there is one, relative to the objective
    /// @param maxClocks  steps, at most
    /// @param step       how far weights move, of what is safe for the data and the delays that there were
    /// @param guaranteed whether weights move only as far as convergence is proven for, whatever the delays; then
    ///                   `step` is 1
    record Proximal(Split split, double tolerance, int maxClocks, double step, boolean guaranteed) implements Solver {

        /// What each worker has of the data.
        public enum Split {
            EXAMPLES("ssp-prox"),
            FEATURES("m-papg");

            private final String label;

            Split(String label) {
                this.label = label;
            }
        }

        public Proximal {
            if (!(tolerance > 0)) {
                throw new IllegalArgumentException(
                        "tolerance is " + tolerance + "; use a number above 0, such as 1e-4");
            }
            if (maxClocks < 1) {
                throw new IllegalArgumentException("iterations is " + maxClocks + "; use 1 or more");
            }
            if (!(step > 0) || guaranteed && step != 1) {
                throw new IllegalArgumentException("a step of " + step + (guaranteed ? " that is guaranteed" : "")
                        + "; use a number above 0, such as 1");
            }
        }

        public static Proximal by(Split split) {
            return new Proximal(split, 1e-4, 10_000, 1, false);
        }

        public Proximal withTolerance(double tolerance) {
            return new Proximal(split, tolerance, maxClocks, step, guaranteed);
        }

        public Proximal withMaxClocks(int maxClocks) {
            return new Proximal(split, tolerance, maxClocks, step, guaranteed);
        }

        public Proximal withStep(double step) {
            return new Proximal(split, tolerance, maxClocks, step, guaranteed);
        }

        public Proximal withGuaranteedSteps() {
            return new Proximal(split, tolerance, maxClocks, 1, true);
        }

        @Override
        public String label() {
            return split.label;
        }
    }

    /// The update rules of online training.
    enum Rule {
        FTRL("ftrl"),
        ADAGRAD("adagrad"),
        ADADELAY("adadelay"),
        SGD("sgd");

        private static final double[] USUAL = {0, 1, 0, 0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 0};

        private final String label;

        Rule(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }

        /// The penalty that each update meets in a run over `rows` rows (-1 if unknown). FTRL sums the losses
        /// of all passes and meets the penalty once, so it gets it for every pass. The others meet it at every
        /// push, so they get the share of a push.
        Separable met(Online settings, Separable penalty, long rows) {
            return met(settings, penalty, rows < 0 ? 0 : Math.min(1.0, (double) settings.rows() / rows));
        }

        /// The same where it is known what part of a pass an update is.
        Separable met(Online settings, Separable penalty, double share) {
            double times = this == FTRL ? settings.passes() : share;
            return penalty.withL1(times * penalty.l1()).withL2(times * penalty.l2());
        }

        /// The same for workers that average their weights.
        Local.Steps.Rule local() {
            return switch (this) {
                case SGD -> Local.Steps.Rule.SGD;
                case ADAGRAD -> Local.Steps.Rule.ADAGRAD;
                case FTRL, ADADELAY -> throw new IllegalStateException(label + " takes no mean");
            };
        }

        UpdateRule of(double alpha, double beta, Separable penalty) {
            return switch (this) {
                case FTRL -> new Ftrl(alpha, beta, penalty);
                case ADAGRAD -> Overdue.of(new AdaGrad(alpha, beta, penalty));
                case ADADELAY -> Overdue.of(new AdaDelay(alpha, beta, penalty));
                case SGD -> Overdue.of(new Sgd(alpha, beta, penalty));
            };
        }

        /// The rule of a table.
        ///
        /// @param settings the learning rate, beta, l1, l2, the least, largest and first weight;
        ///                 what is left out is 1 for beta, no penalty, no bounds, 0
        UpdateRule of(double[] settings) {
            if (settings.length < 1 || settings.length > USUAL.length) {
                throw new IllegalArgumentException("the rule " + label + " was given " + settings.length
                        + " numbers; give 1 to " + USUAL.length
                        + ": learning rate, beta, l1, l2, least weight, largest weight, first weight");
            }
            double[] s = USUAL.clone();
            System.arraycopy(settings, 0, s, 0, settings.length);
            return of(s[0], s[1], new Separable(s[2], s[3], s[4], s[5])).beginningAt((float) s[6]);
        }

        /// The rule of a run in this process.
        UpdateRule of(Online settings, Separable penalty, long rows) {
            return of(settings.alpha(), settings.beta(), met(settings, penalty, rows));
        }
    }
}
