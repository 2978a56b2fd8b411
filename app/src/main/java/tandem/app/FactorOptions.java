package tandem.app;

import picocli.CommandLine.Option;
import tandem.Penalty;
import tandem.Solver;
import tandem.problem.Separable;

/// The options that say how to train a factorisation machine.
final class FactorOptions {

    /// Batches of the usual size of which a machine can learn from the same weights. Of more it takes so long steps in
    /// its first pass that it has to find back. Slower factors alone would not, but miss what pairs mean; smaller
    /// batches and factors that are a little slower do well (docs/algorithms/difacto.md).
    private static final int TOGETHER = 2;

    /// No smaller batch, whose messages would be hardly more than their headers.
    private static final int LEAST = 8;

    /// How many batches are learned from at the same weights.
    int together = 1;

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
            description = "Strength of the L1 penalty on weights, which makes them exactly 0. Default: 0.1; fm 0.")
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
                    + " --factor-group; else 10 for numbers, 5 for classes if rows have 8 features or fewer on"
                    + " average, 0 if they have more.")
    Double factorL2;

    @Option(
            names = "--factor-group",
            paramLabel = "NUMBER",
            description = "Strength of the penalty on the norm of a feature's factors, which makes all of them 0 where"
                    + " pairs with it mean nothing. Default: 0 with --factor-l2; else 8 for classes if rows have more"
                    + " than 8 features on average.")
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
            description = "Examples that a worker learns from at once. Default: 64; with --deterministic fewer where"
                    + " there are more than 2 streams, 16 for its usual 8.")
    Integer updateRows;

    @Option(
            names = "--patience",
            paramLabel = "N",
            description = "Stop after N passes without a better validation loss; 0 never does. Default: 3.")
    Integer patience;

    @Option(names = "--learning-rate", paramLabel = "NUMBER", description = "How fast weights move. Default: 0.1.")
    Double learningRate;

    @Option(
            names = "--beta",
            paramLabel = "NUMBER",
            description = "How much the first steps of weights are damped. Default: 1.")
    Double beta;

    @Option(
            names = "--factor-rate",
            paramLabel = "NUMBER",
            description = "How fast factors move. Default: 0.1; with --deterministic less where there are more than 2"
                    + " streams, 0.05 for its usual 8.")
    Double factorRate;

    @Option(
            names = "--factor-beta",
            paramLabel = "NUMBER",
            description = "How much the first steps of factors are damped. Default: 1.")
    Double factorBeta;

    @Option(
            names = "--factor-scale",
            paramLabel = "NUMBER",
            description = "Factors begin evenly between -NUMBER and NUMBER, at most 1. Default: 0.05.")
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
        double usual = name == Name.difacto ? 0.1 : 0;
        return new Penalty.Plain(Separable.NONE.withL1(l1 == null ? usual : l1).withL2(l2 == null ? 1 : l2));
    }

    /// Examples a task.
    int rows() {
        if (updateRows != null) {
            return updateRows;
        }
        int usual = Solver.Factors.ADAPTIVE.weights().rows();
        return Math.max(LEAST, usual * TOGETHER / Math.max(TOGETHER, together));
    }

    private double usualRate(double alpha) {
        return alpha * Math.sqrt((double) TOGETHER / Math.max(TOGETHER, together));
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
        Solver.Factors usual = switch (name) {
            case difacto -> Solver.Factors.ADAPTIVE;
            case fm -> Solver.Factors.PLAIN;
        };
        Solver.Factors solver = new Solver.Factors(
                weights(usual.weights()),
                dimension == null ? usual.dimension() : dimension,
                threshold == null ? usual.threshold() : threshold,
                sparse == null ? usual.sparse() : sparse,
                factorRate == null ? usualRate(usual.alpha()) : factorRate,
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
