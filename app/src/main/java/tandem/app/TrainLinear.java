package tandem.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tandem.CacheUse;
import tandem.Checkpointing;
import tandem.ClusterPlan;
import tandem.JobDirectory;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.Trained;
import tandem.data.Data;
import tandem.data.Format;
import tandem.data.Schema;
import tandem.model.ModelDirectory;
import tandem.model.StoredModel;
import tandem.problem.Loss;
import tandem.report.Report;
import tandem.runtime.Supervised;
import tandem.worker.Local;

/// `train linear`.
@Command(
        name = "linear",
        header = "Train a linear model: logistic regression, least squares, support vectors and more.",
        customSynopsis = Tandem.PROGRAM + " train linear --data FILE… --model DIR [OPTIONS]%n",
        description = "Minimises the loss summed over all examples plus the penalty; the intercept is never penalised."
                + " More than two labels: one against the rest.",
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  " + Tandem.PROGRAM + " train linear --data clicks.svm.gz --split 0.1 --model m",
            "  " + Tandem.PROGRAM
                    + " train linear --data 'day_*.svm' --validate test.svm --passes 3 --model m --report r.json",
            "  " + Tandem.PROGRAM + " train linear --data a9a.svm --solver batch --l1 1 --intercept false --model m"
        })
class TrainLinear implements Callable<Integer> {

    private final Console console;
    private final List<String> args;
    private final StandardInput input = new StandardInput();

    /// The process that this one does its work for; null if there is none.
    private Supervised above;

    @ArgGroup(validate = false, heading = "%nData%n")
    private Examples examples = new Examples();

    @ArgGroup(validate = false, heading = "%nHeld out, to see how good the model is%n")
    private HeldOut heldOut = new HeldOut();

    @ArgGroup(validate = false, heading = "%nResult%n")
    private Result result = new Result();

    @ArgGroup(validate = false, heading = "%nLoss%n")
    private LossOptions loss = new LossOptions();

    @ArgGroup(validate = false, heading = "%nPenalty%n")
    private PenaltyOptions penalty = new PenaltyOptions();

    @ArgGroup(validate = false, heading = "%nSolver%n")
    private SolverOptions solver = new SolverOptions();

    @ArgGroup(validate = false, heading = "%nServers and workers%n")
    private Nodes nodes = new Nodes();

    @ArgGroup(validate = false, heading = "%nStart%n")
    private Beginning beginning = new Beginning();

    @ArgGroup(validate = false, heading = "%nRunning%n")
    private Running running = new Running();

    /// How to train another kind of model; null for a linear one.
    private FactorOptions factors;

    /// The last words if the process is told to end when there is a model already; null before.
    private volatile String whole;

    /// In help a group without a heading stands before all that have one, unless it is within one of them.
    static final class Examples {
        @ArgGroup(validate = false)
        private DataOptions data = new DataOptions();

        @ArgGroup(validate = false)
        private WeightsOption weights = new WeightsOption();

        @ArgGroup(validate = false)
        private FormatOptions format = new FormatOptions();

        List<String> paths() {
            return data.paths("what to learn from, such as --data clicks.svm");
        }
    }

    static final class Nodes {
        @ArgGroup(validate = false)
        private ClusterOptions cluster = new ClusterOptions();

        @ArgGroup(validate = false)
        private SimulationOptions simulation = new SimulationOptions();
    }

    static final class HeldOut {
        @Option(
                names = "--validate",
                arity = "1..*",
                paramLabel = "FILE",
                description = "Examples to test on after each pass; also decides when to stop early.")
        private List<String> files;

        @Option(
                names = "--split",
                paramLabel = "SHARE",
                description = "Hold out this share of --data instead, such as 0.1.")
        private Double share;
    }

    static final class Result {
        @Option(
                names = "--model",
                paramLabel = "DIR",
                description = "Where the model goes: a directory that does not exist yet.")
        private Path model;

        @Option(names = "--overwrite", description = "Replace the model that is there.")
        private boolean overwrite;

        @Option(names = "--report", paramLabel = "FILE", description = "Write what docs/report.md describes, as JSON.")
        private Path report;
    }

    static final class LossOptions {
        @Option(
                names = "--loss",
                paramLabel = "NAME",
                description = "logistic, squared-hinge, hinge, sigmoid for classes; squared, huber[:DELTA], poisson,"
                        + " quantile[:TAU] for numbers. Default: logistic.")
        private String name = "logistic";

        @Option(
                names = "--intercept",
                arity = "1",
                paramLabel = "true|false",
                description = "Fit an intercept. Default: true.")
        private boolean intercept = true;

        @Option(
                names = "--positive",
                paramLabel = "LABEL",
                description = "The label to predict. Default: the larger, or alphabetically later, of two.")
        private String positive;

        @Option(
                names = "--pos-weight",
                paramLabel = "NUMBER",
                description = "How much a positive example counts. Default: 1.")
        private Double positiveWeight;
    }

    static final class Beginning {
        @Option(names = "--warm-start", paramLabel = "DIR", description = "Start from the weights of this model.")
        private Path warmStart;
    }

    static final class Running {
        @Option(
                names = "--threads",
                paramLabel = "N",
                description = "Default: the number of cores. With 1, online runs in one process repeat bit for bit.")
        private Integer threads;

        @Option(
                names = "--seed",
                paramLabel = "N",
                description = "Decides the order of examples and the split. Default: 1.")
        private long seed = 1;

        @Option(
                names = "--cache",
                paramLabel = "auto|off|DIR",
                description = "Keep the data in binary form for later passes and runs: when it pays, never, or in DIR."
                        + " Default: auto, in ~/.cache/tandem or where $TANDEM_CACHE says.")
        private String cache = "auto";

        @Option(
                names = "--checkpoint",
                paramLabel = "DIR|off",
                description = "Where an interrupted run is kept. Default: the model's name with .checkpoint; of linear"
                        + " models on servers and workers none unless this, --checkpoint-every or --resume is given.")
        private String checkpoint;

        @Option(
                names = "--checkpoint-every",
                paramLabel = "TIME",
                description = "Online: how often, such as 10s or 5m. Default: 60s.")
        private String checkpointEvery;

        @Option(
                names = "--checkpoint-keep",
                paramLabel = "N",
                description = "On servers and workers: how many checkpoints stay, the newest. Default: 2.")
        private Integer checkpointKeep;

        @Option(names = "--resume", description = "Go on from the checkpoint.")
        private boolean resume;

        @Option(names = "--quiet", description = "No progress and no summary.")
        private boolean quiet;
    }

    TrainLinear(Console console, String[] args) {
        this.console = console;
        this.args = List.of(args);
    }

    /// Takes what is to be learned from the options of another command.
    TrainLinear about(Examples examples, HeldOut heldOut, LossOptions loss, PenaltyOptions penalty) {
        this.examples = examples;
        this.heldOut = heldOut;
        this.loss = loss;
        this.penalty = penalty;
        return this;
    }

    /// The same for a factorisation machine.
    TrainLinear about(Examples examples, HeldOut heldOut, LossOptions loss, FactorOptions factors) {
        this.examples = examples;
        this.heldOut = heldOut;
        this.loss = loss;
        this.factors = factors;
        return this;
    }

    /// Takes what to begin with from the options of another command.
    TrainLinear from(Beginning other) {
        beginning = other;
        return this;
    }

    /// Takes where and how to work from the options of another command.
    TrainLinear on(Result result, Nodes nodes, Running running) {
        this.result = result;
        this.nodes = nodes;
        this.running = running;
        return this;
    }

    @Override
    public Integer call() throws IOException {
        List<String> paths = examples.paths();
        if (!isOnlySimulated()) {
            Check.given("--model", result.model, "where the model goes, such as --model m");
        }
        above = Supervised.given(System.getenv());
        if (nodes.cluster.runtime == ClusterOptions.Place.processes && above == null && console.isShared()) {
            return Supervision.of(console, args);
        }
        nodes.cluster.above = above;
        if (above != null) {
            input.keepIn(above.directory());
        }
        LinearTraining job = job(paths);
        if (above == null || above.isFirst()) {
            check(job);
        }
        Report report = train(job);
        if (!running.quiet) {
            new TrainSummary(report.tree(), result.model, result.report, heldOut.files, job.validation() != null)
                    .print(console);
        }
        return 0;
    }

    /// Whether this is about how a run would go, so that the model may be left out.
    boolean isOnlySimulated() {
        return false;
    }

    /// What the run tells, which is also written where that was asked for.
    private Report report(Trained trained) throws IOException {
        Report report = trained.report()
                .put("command", Words.command(args))
                .put("machine", Machine.describe())
                .put("peakMemoryBytes", Machine.peakMemoryBytes());
        if (result.report != null) {
            write(report);
        }
        return report;
    }

    private void write(Report report) throws IOException {
        try {
            report.write(result.report);
        } catch (IOException e) {
            throw result.model == null
                    ? e
                    : new IOException(e.getMessage() + "; the model is whole, in " + result.model, e);
        }
    }

    /// Trains and saves. Does not return if interrupted: the process ends with how to go on, or where the model is.
    private Report train(LinearTraining job) throws IOException {
        boolean alone = job.placed().cluster() == null && !(job.settings().solver() instanceof Solver.Auto);
        long patience = alone ? Interrupts.PATIENCE_MILLIS : Interrupts.PATIENCE_WITH_OTHERS_MILLIS;
        try (var interrupts = new Interrupts(console, () -> {}, () -> lastWords(job), patience)) {
            if (job.checkpointing() != null) {
                interrupts.finishing("the checkpoint");
            }
            Screen screen =
                    new Screen(console, running.quiet, interrupts::stopping, () -> interrupts.finishing("the model"));
            screen.note("reading " + String.join(" ", job.data().paths()));
            if (job.data().format() instanceof Format.Table(Schema schema)) {
                screen.note(schema.summary() + ". Is a number a code? Then say --columns NAME=category");
            }
            boolean begins = !running.resume && (above == null || above.isFirst());
            if (begins && job.checkpointing() != null && job.checkpointing().isResumable()) {
                screen.note(
                        job.checkpointing().directory() + " has the checkpoint of a run that was stopped, which goes"
                                + " when this one ends, or before; to go on with that run, stop now and add --resume");
            }
            LinearTraining watched = job.withWatch(screen);
            Trained trained = nodes.cluster.runtime == ClusterOptions.Place.spark
                    ? Engine.here()
                            .train(
                                    watched,
                                    new Engine.Options(
                                            nodes.cluster.master, nodes.cluster.sparkSettings, nodes.cluster.job))
                    : watched.run();
            screen.clear();
            if (!trained.finished()) {
                return trained.report();
            }
            if (result.model != null) {
                boolean scored = !trained.report().tree().has("scoring");
                whole = "stopped; the model is whole, in " + result.model + (scored ? "" : ", and was not scored");
            }
            return report(trained);
        }
    }

    private String lastWords(LinearTraining job) {
        if (whole != null) {
            return whole;
        }
        if (job.checkpointing() == null || !job.checkpointing().isResumable()) {
            return "stopped; no model was written and there is no checkpoint to go on from";
        }
        List<String> again = new ArrayList<>(args);
        if (!running.resume) {
            again.add("--resume");
        }
        return "stopped; no model was written. To go on:\n  " + Words.command(again);
    }

    /// The job that the options describe.
    LinearTraining job() throws IOException {
        return job(examples.paths());
    }

    private LinearTraining job(List<String> paths) throws IOException {
        if (factors != null) {
            factors.workers = nodes.cluster.learners(factors.learners(threads()));
        }
        Linear settings = settings();
        boolean kept = !running.cache.equals("off");
        Data all = examples.format
                .in(examples.data.at(kept ? input.copied(paths) : paths))
                .withSeed(running.seed)
                .withWeights(examples.weights.file);
        LinearTraining job = LinearTraining.of(settings, all).withCache(cache());
        if (heldOut.share != null) {
            if (heldOut.files != null) {
                throw new IllegalArgumentException(
                        "--split and --validate both name examples to hold out; keep one of them");
            }
            if (!(heldOut.share > 0 && heldOut.share < 1)) {
                throw new IllegalArgumentException(
                        "--split is " + heldOut.share + "; it is the share to hold out, between 0 and 1, such as 0.1");
            }
            Data.Split split = all.split(heldOut.share);
            job = LinearTraining.of(settings, split.train()).withCache(cache()).withValidation(split.validation());
        } else if (heldOut.files != null) {
            job = job.withValidation(examples.data
                    .at(input.copied(heldOut.files))
                    .withFormat(all.format())
                    .withHashBits(all.hashBits())
                    .withSeed(running.seed));
        }
        if (result.model != null) {
            job = job.withModel(result.model, result.overwrite);
        }
        if (beginning.warmStart != null) {
            job = job.withStart(warm());
        }
        // A single pass over text would take twice as long if it were scored again, so only a report asks for that.
        boolean once = settings.solver() instanceof Solver.Online online && online.passes() == 1;
        if (isOnlySimulated()) {
            nodes.cluster.runtime = ClusterOptions.Place.simulated;
        }
        Integer rows = factors == null ? solver.rows() : Integer.valueOf(factors.rows());
        nodes.cluster.together =
                settings.solver() instanceof Solver.Online online && online.local() instanceof Local.Averaging;
        if (settings.solver() instanceof Solver.Sdca) {
            nodes.cluster.usualWorkers = 1; // two have to pass over the examples more often
        }
        ClusterPlan plan = nodes.cluster.plan(rows, nodes.simulation);
        if (plan != null) {
            LinearTraining placed = job.withCluster(plan).withMeasured(result.report != null || !once);
            boolean asks = running.resume
                    || running.checkpoint != null
                    || running.checkpointEvery != null
                    || running.checkpointKeep != null;
            return asks ? checkpointed(placed) : placed;
        }
        return checkpointed(job).withMeasured(all.isRepeatable() && (result.report != null || !once));
    }

    private Linear settings() throws IOException {
        Check.atLeast(1, "--threads", running.threads);
        Check.positive("--pos-weight", loss.positiveWeight, "the weight of positives");
        Loss of = Loss.named(loss.name);
        return new Linear(
                of,
                factors == null ? penalty.penalty() : factors.penalty(),
                loss.intercept,
                loss.positiveWeight == null ? 1 : loss.positiveWeight,
                loss.positive,
                factors == null ? solver.solver() : factors.solver(),
                threads(),
                running.seed);
    }

    private int threads() {
        return running.threads == null ? Runtime.getRuntime().availableProcessors() : running.threads;
    }

    private CacheUse cache() {
        return switch (running.cache) {
            case "auto" -> new CacheUse.Auto(input.directory() == null ? CacheUse.directory() : input.directory());
            case "off" -> new CacheUse.Off();
            default -> new CacheUse.Always(Path.of(running.cache));
        };
    }

    private StoredModel warm() throws IOException {
        StoredModel model = StoredModel.at(beginning.warmStart);
        if (!model.card().loss().equals(Loss.named(loss.name).name())) {
            console.say("tandem: note: --warm-start " + beginning.warmStart + " was trained with "
                    + model.card().loss()
                    + " loss, this one is trained with " + loss.name);
        }
        return model;
    }

    private LinearTraining checkpointed(LinearTraining job) {
        boolean off = "off".equals(running.checkpoint);
        if (running.checkpointKeep != null && job.placed().cluster() == null) {
            throw new IllegalArgumentException("--checkpoint-keep is for runs on servers and workers; a run in one"
                    + " process keeps one checkpoint. Leave it out");
        }
        if (job.settings().solver() instanceof Solver.Batch && running.checkpointEvery != null) {
            throw new IllegalArgumentException(
                    "--checkpoint-every is for --solver ftrl, adagrad, adadelay, averaging, downpour, emso-cd, emso-gd"
                            + " and sgd;"
                            + " the batch solver keeps a checkpoint when it is interrupted. Leave it out");
        }
        if (off && running.resume) {
            throw new IllegalArgumentException("--resume needs the checkpoint; leave out --checkpoint off");
        }
        if (off) {
            return job;
        }
        Path directory =
                running.checkpoint == null ? Path.of(result.model + ".checkpoint") : Path.of(running.checkpoint);
        String every = running.checkpointEvery == null ? "60s" : running.checkpointEvery;
        Check.atLeast(1, "--checkpoint-keep", running.checkpointKeep);
        return job.withCheckpointing(new Checkpointing(
                directory,
                Check.duration("--checkpoint-every", every),
                running.resume,
                running.checkpointKeep == null ? Checkpointing.USUAL_KEEP : running.checkpointKeep));
    }

    /// Everything that would only be found out after training.
    private void check(LinearTraining job) throws IOException {
        if (result.model != null) {
            ModelDirectory.check(result.model, result.overwrite);
            Check.creatable("--model", result.model);
        }
        if (result.report != null) {
            Check.writable("--report", result.report);
        }
        if (job.checkpointing() != null) {
            Path checkpoint = job.checkpointing().directory();
            Check.creatable("--checkpoint", checkpoint);
            if (running.resume && !job.checkpointing().isResumable()) {
                throw new IllegalArgumentException(
                        "--resume: there is no checkpoint " + checkpoint + " to go on from; train without --resume");
            }
        }
        if (nodes.cluster.job != null) {
            JobDirectory.usual().checkFree(nodes.cluster.job);
        }
        Set<String> read = new HashSet<>(job.data().fingerprints().keySet());
        if (job.validation() != null) {
            read.addAll(job.validation().fingerprints().keySet());
        }
        read.addAll(penalty.files());
        if (result.report != null) {
            Check.spares("--report", result.report, read, result.model);
            Check.spares("--report", result.report, read, beginning.warmStart);
        }
    }
}
