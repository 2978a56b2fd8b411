package tandem.app;

import picocli.CommandLine.Option;
import tandem.Penalty;
import tandem.Solver;
import tandem.problem.Separable;

/// The options that say how to train a factorisation machine.
final class FactorOptions {

    /// How many workers learn at a time.
    int workers = 1;

    enum Name {
        difacto,
        fm
    }

    @Option(
            names = "--solver",
            paramLabel = "NAME",
            description = "difacto (only features that are frequent and have a weight get factors) or fm (all do)."
                    + " Default: difacto.")
    Name name = Name.difacto;

    @Option(
            names = "--dimension",
            paramLabel = "N",
            description = "How many factors a feature has, at most 1024; 0 for a linear model. Default: 8.")
    Integer dimension;

    @Option(
            names = "--threshold",
            paramLabel = "N",
            description =
                    "Difacto: how often a feature must have come, in the first pass, to get factors." + " Default: 10.")
    Integer threshold;

    @Option(
            names = "--sparse-factors",
            arity = "1",
            paramLabel = "true|false",
            description = "Difacto: a feature gets factors only once its weight is not 0. Default: true.")
    Boolean sparse;

    @Option(
            names = "--l1",
            paramLabel = "NUMBER",
            description = "Strength of the L1 penalty on weights, which makes them exactly 0. Default: 0.1, for numbers"
                    + " times the standard deviation of the first labels; fm 0.")
    Double l1;

    @Option(
            names = "--l2",
            paramLabel = "NUMBER",
            description = "Strength of the L2 penalty on weights, NUMBER/2 times their squares. Default: 1.")
    Double l2;

    @Option(
            names = "--factor-l2",
            paramLabel = "NUMBER",
            description = "Strength of the L2 penalty on factors, NUMBER/2 times their squares. Default: 0 with"
                + " --factor-group; else 10 for numbers, times their standard deviation, 5 for classes if rows have 12"
                + " features of value 1 or fewer (in squared length, on average), 0 if they have more.")
    Double factorL2;

    @Option(
            names = "--factor-group",
            paramLabel = "NUMBER",
            description = "Strength of the penalty on the norm of a feature's factors, which makes all of them 0 where"
                    + " pairs with it mean nothing. Default: 0 with --factor-l2; else 8 for classes if rows have more"
                    + " than 12 features of value 1 (in squared length, on average).")
    Double factorGroup;

    @Option(
            names = "--passes",
            paramLabel = "N",
            description = "How often the data is read, at most. Default: as often as shows two million examples, from"
                    + " 1 to 20 times.")
    Integer passes;

    @Option(
            names = "--update-rows",
            paramLabel = "N",
            description = "Examples that a worker learns from at once. Default: 64 with 2 workers, fewer with more:"
                    + " 128 for all of them together, and at least 4 for each.")
    Integer updateRows;

    @Option(
            names = "--patience",
            paramLabel = "N",
            description = "Stop after N passes without a better validation loss; 0 never does. Default: 3.")
    Integer patience;

    @Option(
            names = "--learning-rate",
            paramLabel = "NUMBER",
            description = "How fast weights move. Default: 0.1, for numbers times the standard deviation of the first"
                    + " labels.")
    Double learningRate;

    @Option(
            names = "--beta",
            paramLabel = "NUMBER",
            description =
                    "How much the first steps of weights are damped; for numbers, unless --learning-rate is given,"
                            + " in units of the loss's slope a standard deviation away. Default: 1.")
    Double beta;

    @Option(
            names = "--factor-rate",
            paramLabel = "NUMBER",
            description = "How fast factors move. Default: 0.1 with 2 workers, less with more: 0.05 with 8; for numbers"
                    + " times the root of their standard deviation.")
    Double factorRate;

    @Option(
            names = "--factor-beta",
            paramLabel = "NUMBER",
            description = "How much the first steps of factors are damped; for numbers, unless --factor-rate is given,"
                    + " in units of how steep the loss is by factors. Default: 1.")
    Double factorBeta;

    @Option(
            names = "--factor-scale",
            paramLabel = "NUMBER",
            description =
                    "Factors begin evenly between -NUMBER and NUMBER, at most 1. Default: 0.05, for numbers times the"
                            + " root of their standard deviation.")
    Double factorScale;

    @Option(
            names = "--clip",
            arity = "1",
            paramLabel = "true|false",
            description = "Where numbers are predicted: none below the least or above the largest of the training"
                    + " data. Default: true.")
    Boolean clip;

    Penalty penalty() {
        Check.notNegative("--l1", l1, "a penalty");
        Check.notNegative("--l2", l2, "a penalty");
        Separable squares = Separable.l2(l2 == null ? 1 : l2);
        return l1 != null
                ? new Penalty.Plain(squares.withL1(l1))
                : new Penalty.Usual(squares.withL1(name == Name.difacto ? 0.1 : 0));
    }

    /// Examples a task.
    int rows() {
        return updateRows == null ? usual().weights().rows() : updateRows;
    }

    /// How many workers there are if nobody says how many, and there may be as many as threads.
    int learners(int threads) {
        Check.atLeast(1, "--update-rows", updateRows);
        Solver.Factors usual = suited().among(threads);
        return (updateRows == null ? usual : usual.withWeights(usual.weights().withRows(updateRows))).workers(threads);
    }

    private Solver.Factors usual() {
        return suited().among(workers);
    }

    private Solver.Factors suited() {
        return name == Name.fm ? Solver.Factors.PLAIN : Solver.Factors.ADAPTIVE;
    }

    Solver solver() {
        if (name == Name.fm) {
            refuse("--threshold", threshold);
            refuse("--sparse-factors", sparse);
        }
        Check.within(0, Solver.Factors.MOST, "--dimension", dimension);
        Check.atLeast(0, "--threshold", threshold);
        Check.positive("--factor-rate", factorRate, "a learning rate");
        Check.notNegative("--factor-beta", factorBeta, "damping");
        Check.notNegative("--factor-l2", factorL2, "a penalty");
        Check.notNegative("--factor-group", factorGroup, "a penalty");
        Check.share("--factor-scale", factorScale, Solver.Factors.MOST_SCALE, "what factors begin with");
        Solver.Factors usual = usual();
        Solver.Factors solver = new Solver.Factors(
                weights(usual.weights()),
                dimension == null ? usual.dimension() : dimension,
                threshold == null ? usual.threshold() : threshold,
                sparse == null ? usual.sparse() : sparse,
                factorRate == null ? usual.alpha() : factorRate,
                factorBeta == null ? usual.beta() : factorBeta,
                usual.l2(),
                usual.group(),
                factorScale == null ? usual.scale() : factorScale,
                clip == null ? usual.clipped() : clip);
        solver = factorL2 == null ? solver : solver.withL2(factorL2);
        return factorGroup == null ? solver : solver.withGroup(factorGroup);
    }

    private Solver.Online weights(Solver.Online usual) {
        Check.positive("--learning-rate", learningRate, "a learning rate");
        Check.notNegative("--beta", beta, "damping");
        Check.atLeast(1, "--passes", passes);
        Check.atLeast(1, "--update-rows", updateRows);
        Check.atLeast(0, "--patience", patience);
        return new Solver.Online(
                usual.rule(),
                learningRate == null ? usual.alpha() : learningRate,
                beta == null ? usual.beta() : beta,
                rows(),
                passes == null ? usual.passes() : passes,
                patience == null ? usual.patience() : patience,
                usual.local(),
                usual.hogwild());
    }

    private static void refuse(String option, Object value) {
        if (value != null) {
            throw new IllegalArgumentException(
                    option + " says which features get factors, and with --solver fm all do; leave it out or use"
                            + " --solver difacto");
        }
    }
}
