package tandem.app;

import picocli.CommandLine.Option;
import tandem.Solver;
import tandem.data.ColumnUse;
import tandem.server.Hogwild;
import tandem.worker.Local;

/// The options that say how to train.
final class SolverOptions {

    enum Name {
        auto,
        batch,
        dbpg,
        lbfgs,
        sdca,
        ftrl,
        adagrad,
        adadelay,
        averaging,
        downpour,
        emso_cd,
        emso_gd,
        sgd,
        ssp_prox,
        m_papg;

        /// As it is written.
        @Override
        public String toString() {
            return name().replace('_', '-');
        }
    }

    /// Where columns are.
    enum Place {
        auto(ColumnUse.AUTO),
        memory(ColumnUse.MEMORY),
        disk(ColumnUse.DISK);

        private final ColumnUse use;

        Place(ColumnUse use) {
            this.use = use;
        }
    }

    @Option(
            names = "--solver",
            paramLabel = "NAME",
            description =
                    "ftrl, adagrad, adadelay, sgd (online: passes over data of any size), downpour, emso-cd, emso-gd,"
                        + " averaging (online on servers and workers, which do more between two exchanges), batch (all"
                        + " data in memory, to the optimum, with a certificate), dbpg (the same on servers and"
                        + " workers, block of features after block), lbfgs (the same, all features at once; with --l1"
                        + " OWL-QN), sdca (the same, example after example, for --l2; hinge loss too), ssp-prox (the"
                        + " same by proximal steps, with workers that may be some clocks apart: --consistency ssp:S)"
                        + " or m-papg (the same, each worker having some features instead of some examples). auto"
                        + " takes one that suits the data, and says why. Default: ftrl.")
    Name name = Name.ftrl;

    @Option(
            names = "--passes",
            paramLabel = "N",
            description = "Online: how often the data is read, at most. Default: as often as shows two million"
                    + " examples, from 1 to 20 times.")
    Integer passes;

    @Option(
            names = "--learning-rate",
            paramLabel = "NUMBER",
            description = "Online: how fast weights move. Default: 0.1, for numbers times the standard deviation of the"
                    + " first labels; sgd takes it from how long rows are.")
    Double learningRate;

    @Option(
            names = "--beta",
            paramLabel = "NUMBER",
            description = "Online: how much the first steps are damped; for numbers, unless --learning-rate is given,"
                    + " in units of the loss's slope a standard deviation away. Default: 1.")
    Double beta;

    @Option(
            names = "--update-rows",
            paramLabel = "N",
            description = "Online: rows between two updates. Default: 16; with servers and workers 512;"
                    + " emso-cd and emso-gd 4096; averaging, rows of a step: 64.")
    Integer updateRows;

    @Option(
            names = "--patience",
            paramLabel = "N",
            description = "Online: stop after N passes without a better validation loss; 0 never does. Default: 2.")
    Integer patience;

    enum Sharing {
        relaxed,
        strict
    }

    @Option(
            names = "--hogwild",
            paramLabel = "relaxed|strict",
            description = "Online in one process: whether an update may be lost when two threads change a weight at the"
                    + " same moment (relaxed), or none ever is (strict, slower). Default: relaxed.")
    Sharing hogwild;

    @Option(
            names = "--tolerance",
            paramLabel = "NUMBER",
            description = "Batch, dbpg, lbfgs, ssp-prox and m-papg: stop when the optimality residual is this small,"
                    + " relative to that of zero weights; sdca: when the duality gap is, relative to the objective;"
                    + " dbpg, ssp-prox and m-papg: both, where there is a gap. Default: 1e-6; on servers and workers"
                    + " 1e-4.")
    Double tolerance;

    @Option(
            names = "--max-iterations",
            paramLabel = "N",
            description = "Batch and lbfgs: stop after N at the latest. Default: 10000; lbfgs 1000; dbpg, times through"
                    + " all blocks: 1000; sdca, passes, and ssp-prox and m-papg, clocks: 10000.")
    Integer maxIterations;

    @Option(
            names = "--memory",
            paramLabel = "N",
            description = "Lbfgs: how many of the last steps are remembered; each takes two numbers a feature on"
                    + " servers. Default: 10.")
    Integer memory;

    @Option(
            names = "--blocks",
            paramLabel = "N",
            description = "Dbpg: how many blocks features are cut into. Default: four times as many as a row has"
                    + " features.")
    Integer blocks;

    @Option(
            names = "--step",
            paramLabel = "NUMBER",
            description = "Dbpg: how far weights move, of what is safe for each by itself; `guaranteed` for as far as"
                    + " convergence is proven for, whatever the data and the delay: such steps are short, without"
                    + " momentum, and take many more rounds. Default: 1, or less where many"
                    + " features of a row are in one block; halved whenever the objective rises. Ssp-prox and m-papg:"
                    + " the same, of what is safe for the data and the delays that there are.")
    String step;

    @Option(
            names = "--columns-in",
            paramLabel = "WHERE",
            description =
                    "Dbpg: where workers have the features of their rows: memory, disk (a cache of their own, read"
                            + " block by block) or auto. Default: auto, which is memory if they fit well.")
    Place columnsIn;

    @Option(
            names = "--push-every",
            paramLabel = "N",
            description = "Downpour: steps that a worker takes on the rows between two updates. Default: 4.")
    Integer pushEvery;

    @Option(
            names = "--fetch-every",
            paramLabel = "N",
            description = "Downpour: steps after which a worker fetches weights anew. Default: as for --push-every,"
                    + " which must be a multiple of it.")
    Integer fetchEvery;

    @Option(
            names = "--local-rate",
            paramLabel = "NUMBER",
            description = "Downpour: how far a worker's own weights move between updates. Default: what is safe for"
                    + " the data.")
    Double localRate;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "Downpour: batches that one worker learns before the others begin; needs --consistency"
                    + " async. Default: 0.")
    Integer warmUp;

    @Option(
            names = "--inner",
            paramLabel = "N",
            description = "Emso: passes over the coordinates of a batch (emso-cd, default 1) or gradient steps on it"
                    + " (emso-gd, default 5).")
    Integer inner;

    @Option(
            names = "--gamma",
            paramLabel = "NUMBER",
            description = "Emso: how conservative weights are, times the root of the rows seen. Default: 0.5.")
    Double gamma;

    @Option(
            names = "--average-every",
            paramLabel = "N",
            description = "Averaging: steps that a worker takes on weights of its own between two averages. Default:"
                    + " 10.")
    Integer averageEvery;

    /// How workers move their own weights.
    enum LocalRule {
        sgd(Solver.Rule.SGD),
        adagrad(Solver.Rule.ADAGRAD);

        private final Solver.Rule rule;

        LocalRule(Solver.Rule rule) {
            this.rule = rule;
        }
    }

    @Option(
            names = "--local-rule",
            paramLabel = "sgd|adagrad",
            description = "Averaging: how a worker moves its own weights. Default: adagrad.")
    LocalRule localRule;

    /// How weights are averaged.
    enum Exchange {
        server(Local.Averaging.Exchange.SERVER),
        ring(Local.Averaging.Exchange.RING),
        direct(Local.Averaging.Exchange.DIRECT),
        spark(Local.Averaging.Exchange.SPARK);

        private final Local.Averaging.Exchange exchange;

        Exchange(Local.Averaging.Exchange exchange) {
            this.exchange = exchange;
        }
    }

    @Option(
            names = "--exchange",
            paramLabel = "WAY",
            description = "Averaging: through whom: server (only weights that were touched travel), ring (all weights,"
                    + " from each worker to the next), direct (the same, from everyone to everyone) or, with --runtime"
                    + " spark, spark (a job of Spark's for every round). Default: server.")
    Exchange exchange;

    Solver solver() {
        return switch (name) {
            case auto -> auto();
            case batch -> batch();
            case dbpg -> dbpg();
            case lbfgs -> lbfgs();
            case sdca -> sdca();
            case ftrl -> online(Solver.Rule.FTRL);
            case adagrad -> online(Solver.Rule.ADAGRAD);
            case adadelay -> online(Solver.Rule.ADADELAY);
            case averaging -> averaging();
            case downpour -> downpour();
            case emso_cd -> emso(Local.Emso.By.COORDINATE);
            case emso_gd -> emso(Local.Emso.By.GRADIENT);
            case sgd -> online(Solver.Rule.SGD);
            case ssp_prox -> proximal(Solver.Proximal.Split.EXAMPLES);
            case m_papg -> proximal(Solver.Proximal.Split.FEATURES);
        };
    }

    private Solver auto() {
        refuseOnline();
        refuseBlocks();
        refuseMemory();
        refuseToTheOptimum();
        return new Solver.Auto();
    }

    private Solver batch() {
        refuseOnline();
        refuseBlocks();
        refuseMemory();
        Solver.Batch usual = Solver.Batch.DEFAULT;
        return new Solver.Batch(
                tolerance == null ? usual.tolerance() : tolerance,
                maxIterations == null ? usual.maxIterations() : maxIterations);
    }

    private Solver lbfgs() {
        refuseOnline();
        refuseBlocks();
        Check.atLeast(1, "--memory", memory);
        Solver.Lbfgs usual = Solver.Lbfgs.DEFAULT;
        return new Solver.Lbfgs(
                tolerance == null ? usual.tolerance() : tolerance,
                maxIterations == null ? usual.maxIterations() : maxIterations,
                memory == null ? usual.memory() : memory);
    }

    private Solver sdca() {
        refuseOnline();
        refuseBlocks();
        refuseMemory();
        Solver.Sdca usual = Solver.Sdca.DEFAULT;
        return new Solver.Sdca(
                tolerance == null ? usual.tolerance() : tolerance,
                maxIterations == null ? usual.maxPasses() : maxIterations);
    }

    private Solver dbpg() {
        refuseOnline();
        refuseMemory();
        Check.atLeast(1, "--blocks", blocks);
        Solver.Blocks usual = Solver.Blocks.DEFAULT;
        Solver.Blocks chosen = usual.withTolerance(tolerance == null ? usual.tolerance() : tolerance)
                .withMaxPasses(maxIterations == null ? usual.maxPasses() : maxIterations)
                .withBlocks(blocks == null ? usual.blocks() : blocks)
                .withColumns(columnsIn == null ? usual.columns() : columnsIn.use);
        if (step == null) {
            return chosen;
        }
        return step.equals("guaranteed") ? chosen.withGuaranteedSteps() : chosen.withStep(number(step));
    }

    private Solver proximal(Solver.Proximal.Split split) {
        refuseOnline();
        refuseMemory();
        refuse("--blocks", blocks, "dbpg");
        refuse("--columns-in", columnsIn, "dbpg");
        Solver.Proximal usual = Solver.Proximal.by(split);
        Solver.Proximal chosen = usual.withTolerance(tolerance == null ? usual.tolerance() : tolerance)
                .withMaxClocks(maxIterations == null ? usual.maxClocks() : maxIterations);
        if (step == null) {
            return chosen;
        }
        return step.equals("guaranteed") ? chosen.withGuaranteedSteps() : chosen.withStep(number(step));
    }

    private static double number(String step) {
        try {
            double number = Double.parseDouble(step);
            Check.positive("--step", number, "a step");
            return number;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "--step is " + step + "; use a number above 0, such as 1, or guaranteed", e);
        }
    }

    private void refuseOnline() {
        String users = "ftrl, adagrad, adadelay, averaging, downpour, emso-cd, emso-gd and sgd";
        refuseDownpour();
        refuseEmso();
        refuseAveraging();
        refuse("--passes", passes, users);
        refuse("--learning-rate", learningRate, users);
        refuse("--beta", beta, users);
        refuse("--update-rows", updateRows, users);
        refuse("--patience", patience, users);
        refuse("--hogwild", hogwild, "ftrl, adagrad, adadelay and sgd");
        Check.positive("--tolerance", tolerance, "a tolerance");
        Check.atLeast(1, "--max-iterations", maxIterations);
    }

    private void refuseDownpour() {
        refuse("--push-every", pushEvery, "downpour");
        refuse("--fetch-every", fetchEvery, "downpour");
        refuse("--local-rate", localRate, "downpour");
        refuse("--warm-up", warmUp, "downpour");
    }

    private void refuseEmso() {
        refuse("--inner", inner, "emso-cd and emso-gd");
        refuse("--gamma", gamma, "emso-cd and emso-gd");
    }

    private void refuseAveraging() {
        refuse("--average-every", averageEvery, "averaging");
        refuse("--local-rule", localRule, "averaging");
        refuse("--exchange", exchange, "averaging");
    }

    private void refuseBlocks() {
        refuse("--blocks", blocks, "dbpg");
        refuse("--step", step, "dbpg, ssp-prox and m-papg");
        refuse("--columns-in", columnsIn, "dbpg");
    }

    private Solver averaging() {
        refuseDownpour();
        refuseEmso();
        Check.atLeast(1, "--average-every", averageEvery);
        Local.Averaging usual = Local.Averaging.DEFAULT;
        return settings(Solver.Online.averaging(localRule == null ? Solver.Rule.ADAGRAD : localRule.rule))
                .withLocal(usual.withEvery(averageEvery == null ? usual.every() : averageEvery)
                        .withExchange(exchange == null ? usual.exchange() : exchange.exchange));
    }

    private Solver downpour() {
        refuseAveraging();
        Check.atLeast(1, "--push-every", pushEvery);
        Check.atLeast(1, "--fetch-every", fetchEvery);
        Check.positive("--local-rate", localRate, "a learning rate");
        Check.atLeast(0, "--warm-up", warmUp);
        Local.Downpour usual = Local.Downpour.DEFAULT;
        int push = pushEvery == null ? usual.push() : pushEvery;
        int fetch = fetchEvery == null ? push : fetchEvery;
        if (push % fetch != 0) {
            throw new IllegalArgumentException("--push-every " + push + " with --fetch-every " + fetch
                    + "; gradients are pushed after whole rounds of fetching, so use a multiple, such as --push-every "
                    + fetch);
        }
        refuseEmso();
        return settings(Solver.Online.downpour())
                .withLocal(new Local.Downpour(
                        fetch,
                        push,
                        localRate == null ? usual.rate() : localRate,
                        warmUp == null ? usual.warmUp() : warmUp));
    }

    private void refuseToTheOptimum() {
        String users = "batch, dbpg, lbfgs, sdca, ssp-prox and m-papg";
        refuse("--tolerance", tolerance, users);
        refuse("--max-iterations", maxIterations, users);
    }

    private void refuseMemory() {
        refuse("--memory", memory, "lbfgs");
    }

    private Solver online(Solver.Rule rule) {
        refuseAveraging();
        refuseDownpour();
        refuseEmso();
        return settings(Solver.Online.of(rule));
    }

    private Solver emso(Local.Emso.By by) {
        refuseAveraging();
        refuseDownpour();
        refuse("--learning-rate", learningRate, "ftrl, adagrad, adadelay, averaging, downpour and sgd");
        refuse("--beta", beta, "ftrl, adagrad, adadelay, averaging, downpour and sgd");
        Check.atLeast(1, "--inner", inner);
        Check.positive("--gamma", gamma, "gamma");
        Local.Emso usual = Local.Emso.by(by);
        return settings(Solver.Online.emso(by))
                .withLocal(usual.withInner(inner == null ? usual.inner() : inner)
                        .withGamma(gamma == null ? usual.gamma() : gamma));
    }

    /// Rows between two updates; null for the usual number.
    Integer rows() {
        boolean large = name == Name.emso_cd || name == Name.emso_gd;
        return updateRows == null && large ? Integer.valueOf(Solver.Online.LARGE) : updateRows;
    }

    private Solver.Online settings(Solver.Online usual) {
        refuseBlocks();
        refuseMemory();
        refuseToTheOptimum();
        Check.positive("--learning-rate", learningRate, "a learning rate");
        Check.notNegative("--beta", beta, "damping");
        Check.atLeast(1, "--passes", passes);
        Check.atLeast(1, "--update-rows", updateRows);
        Check.atLeast(0, "--patience", patience);
        return new Solver.Online(
                usual.rule(),
                learningRate == null ? usual.alpha() : learningRate,
                beta == null ? usual.beta() : beta,
                updateRows == null ? usual.rows() : updateRows,
                passes == null ? usual.passes() : passes,
                patience == null ? usual.patience() : patience,
                usual.local(),
                hogwild == Sharing.strict ? Hogwild.STRICT : Hogwild.RELAXED);
    }

    private void refuse(String option, Object value, String users) {
        if (value != null) {
            throw new IllegalArgumentException(option + " is for --solver " + users + ", but the solver is " + name
                    + "; leave it out or choose another solver");
        }
    }
}
