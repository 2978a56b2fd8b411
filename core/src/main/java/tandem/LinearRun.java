package tandem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import tandem.data.BadLines;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.data.ColumnLoader;
import tandem.data.Columns;
import tandem.data.Data;
import tandem.data.Elsewhere;
import tandem.data.KeyPlaces;
import tandem.data.LabelRule;
import tandem.data.Labels;
import tandem.data.NamedLabel;
import tandem.data.PartTerms;
import tandem.data.Partition;
import tandem.model.LinearModel;
import tandem.problem.Diverged;
import tandem.problem.Separable;
import tandem.problem.Span;
import tandem.report.Json;
import tandem.report.Progress;
import tandem.solver.Solution;
import tandem.worker.Target;

/// A job as it runs: the examples read, the solver chosen, and what it learned turned into a model. The format of the
/// data is known by then, and held-out data shares it.
final class LinearRun {

    private final LinearTraining job;
    private final Linear settings;
    private final Data data;
    private final CacheUse cache;

    /// What to start from, once it is loaded; null if there is nothing.
    private LinearModel start;

    /// Where the files of a run on servers and workers are; null in one process.
    private Site site;

    private final ClusterPlan cluster;
    private final Watch watch;

    LinearRun(LinearTraining job) {
        this.job = job;
        settings = job.settings();
        data = job.data();
        cache = job.cache();
        cluster = job.cluster();
        watch = job.watch();
    }

    Trained run() throws IOException {
        if (cluster == null) {
            return learned();
        }
        try (Site own = Site.of(job)) {
            site = own;
            return learned();
        }
    }

    private Trained learned() throws IOException {
        if (job.hosts() != null) {
            Elsewhere examples = job.hosts().examples();
            return train(examples, examples.labels(), classes(examples.labels()), Features.ANYWHERE);
        }
        if (streams()) {
            try (Batches stream = data.stream()) {
                boolean binary = settings.loss().binary();
                Trained trained = train(
                        stream,
                        Labels.NONE,
                        binary ? Classes.signs() : Classes.regression(Labels.NONE, settings.loss()),
                        Features.ANYWHERE);
                if (trained.finished() && binary) {
                    Classes.checkSigns(stream.labels());
                } else if (trained.finished()) {
                    Classes.refuseNone(stream.labels());
                }
                return trained;
            } catch (Classes.OtherLabels | NamedLabel e) {
                if (cache instanceof CacheUse.Off) {
                    throw e;
                }
                watch.note("labels are not -1, 0 and 1: reading all of them first");
            }
        }
        if (isCut() && !isThrough()) {
            return goneOn();
        }
        if (!(cache instanceof CacheUse.Off)) {
            try (Batches cached = cached(data)) {
                Labels labels = cached.labels();
                if (Classes.isMixed(labels)) {
                    watch.note("labels are numbers and names together: " + String.join(", ", labels.names())
                            + ". Each is taken as a class; is one of them a bad line?");
                }
                Classes classes = classes(labels);
                if (cluster == null || cluster.placement() == Placement.ANY) {
                    return train(cached, labels, classes, Features.ANYWHERE);
                }
                if (isCut()) {
                    return train(
                            cached,
                            labels,
                            classes,
                            Features.ANYWHERE,
                            site.log().cut());
                }
                Partition partition = partition(cached);
                Features features = features(partition);
                try (Batches grouped = partition.regrouped(cached, features.places(), site.examples())) {
                    site.log().keep(partition.figures());
                    return train(grouped, labels, classes, features, partition.figures());
                }
            }
        }
        throw new IllegalArgumentException("without the cache data is read once, straight from text; that suits "
                + "one pass of ftrl in one process with labels -1, 0 and 1. Leave out --cache off, or all that asks "
                + "for more (such as --solver, --passes and --workers)");
    }

    /// Whether the coordinator before this one has cut the examples into parts.
    private boolean isCut() throws IOException {
        return site != null && site.before() != null && site.log().cut() != null;
    }

    /// Whether parts are gone because it had all but published the model, so that there is only to report.
    private boolean isThrough() throws IOException {
        Milestone reached = site.log().milestone();
        return reached != null
                && reached.over()
                && !Files.exists(Path.of(site.before().cache()));
    }

    /// Goes on with the parts that there are: nodes wait for this coordinator, and have the same.
    private Trained goneOn() throws IOException {
        ServerFiles files = site.before().job().files();
        Features features =
                files.places() == null ? Features.ANYWHERE : new Features(files.keyPlaces(), Path.of(files.places()));
        try (Batches grouped = Batches.open(Path.of(site.before().cache()))) {
            Labels labels = grouped.labels();
            return train(grouped, labels, classes(labels), features, site.log().cut());
        }
    }

    private Trained train(Batches grouped, Labels labels, Classes classes, Features features, Partition.Figures figures)
            throws IOException {
        Trained trained = train(grouped, labels, classes, features);
        trained.report().put("placement", figures);
        return trained;
    }

    private Classes classes(Labels labels) {
        Classes.refuseNone(labels);
        return settings.loss().binary()
                ? Classes.of(labels, settings.positive())
                : Classes.regression(labels, settings.loss());
    }

    /// Whether one look at the text is enough: rules that meet the penalty at every push and the automatic
    /// number of passes need the number of rows first, and names or other labels need all labels first.
    private boolean streams() throws IOException {
        boolean once = cluster == null
                && !watch.wantsObjective()
                && settings.solver() instanceof Solver.Online online
                && (online.passes() == 1 || cache instanceof CacheUse.Off && online.passes() == Solver.Online.AUTOMATIC)
                && online.rule() == Solver.Rule.FTRL
                && settings.positive() == null;
        return once
                && switch (cache) {
                    case CacheUse.Auto(Path directory) -> data.isRepeatable() && !data.isCached(directory);
                    case CacheUse.Always _ -> false;
                    case CacheUse.Off _ -> true;
                };
    }

    private Batches cached(Data wanted) throws IOException {
        Path directory = switch (cache) {
            case CacheUse.Auto(Path auto) -> auto;
            case CacheUse.Always(Path always) -> always;
            case CacheUse.Off _ -> throw new IllegalStateException("no cache");
        };
        return wanted.cache(directory, this::reading, settings.threads());
    }

    /// Cuts the examples into a part for each stream.
    private Partition partition(Batches cached) throws IOException {
        Partition partition = Partition.of(cached, parts(), Partition.BLOCK_ROWS, done -> {
            stopIfAsked();
            watch.progress("cutting into parts", done, 0, Double.NaN);
        });
        Partition.Figures figures = partition.figures();
        watch.note("examples cut into " + figures.parts() + " parts: the features that one has are "
                + Progress.count(figures.parsa().workingSet()) + " at most, and would be "
                + Progress.count(figures.random().workingSet()) + " by chance");
        return partition;
    }

    /// Places features, if that is wanted and of use.
    private Features features(Partition partition) throws IOException {
        if (cluster.placement() != Placement.PARSA) {
            return Features.ANYWHERE;
        }
        if (!settings.solver().placesFeatures()) {
            watch.note("features stay on any server, because "
                    + settings.solver().label() + " goes about them by their keys; examples alone are placed");
            return Features.ANYWHERE;
        }
        KeyPlaces places = partition.places();
        if (places.isNone()) {
            return Features.ANYWHERE;
        }
        places.write(site.places());
        return new Features(places, site.places());
    }

    private int parts() {
        return cluster.terms(settings.seed()).streams();
    }

    private void stopIfAsked() {
        if (watch.stopping()) {
            throw new CancellationException("interrupted while reading");
        }
    }

    private void reading(double done) {
        stopIfAsked();
        watch.progress("reading", done, 0, Double.NaN);
    }

    private Trained train(Batches batches, Labels labels, Classes classes, Features features) throws IOException {
        if (settings.isAutomatic()) {
            LinearRun run = new LinearRun(job.withSettings(settings.over(batches, together())));
            run.site = site;
            return run.train(batches, labels, classes, features);
        }
        if (watch.wantsObjective() && classes.problems().size() > 1) {
            throw new UnfitLabels("there are " + classes.problems().size() + " labels, each learned against the rest,"
                    + " one after the other, so that there is no one objective to follow; choose one of them with"
                    + " --positive, such as --positive " + classes.names().getLast());
        }
        if (job.start() != null) {
            ReadAs.checkStart(job.start().card(), data, classes.names(), settings.solver());
            start = cluster == null ? job.start().load() : null;
        }
        try (Batches held = heldOut(labels, classes);
                Run run = new Run(
                        settings,
                        watch,
                        features.places().placed(held),
                        job.checkpointing(),
                        fingerprint(batches, features))) {
            Checkpoint from = run.isResumed() && cluster == null
                    ? run.resume()
                    : new Checkpoint("", List.of(), Checkpoint.Progress.START);
            run.finished().addAll(from.finished());
            switch (settings.solver()) {
                case Solver.Online online
                when cluster != null -> {
                    noteIdle(batches.count());
                    Solver.Online suited =
                            online.onBatches(cluster.batchRows()).over(batches, settings.loss(), cluster.streamCount());
                    return new ClusterRun(job, site, run, suited, batches, held, features, classes).train();
                }
                case Solver.Online online ->
                    online(run, online.over(batches, settings.loss(), 1), batches, classes, from.progress());
                case Solver.Factors factors -> {
                    noteIdle(batches.count());
                    Solver.Online suited = factors.weights()
                            .withRows(cluster.batchRows())
                            .over(batches, settings.loss(), cluster.streamCount());
                    if (factors.clipped()
                            && factors.dimension() > 0
                            && !settings.loss().binary()) {
                        run.clip(labels(batches));
                    }
                    return new ClusterRun(job, site, run, factors.withWeights(suited), batches, held, features, classes)
                            .train();
                }
                case Solver.Blocks blocks -> {
                    if (settings.penalty() instanceof Penalty.Grouped) {
                        refuseForGroups(blocks);
                    }
                    ClusterTerms terms = cluster.terms(settings.seed());
                    Solver.Blocks cut = BlockCut.of(
                            blocks, batches, settings, terms.rhythm().consistency(), terms.shards());
                    return new ClusterRun(job, site, run, cut, batches, held, features, classes).train();
                }
                case Solver.Sdca sdca -> {
                    noteIdle(batches.count());
                    return new ClusterRun(job, site, run, sdca, batches, held, features, classes).train();
                }
                case Solver.Lbfgs lbfgs -> {
                    return new ClusterRun(job, site, run, lbfgs, batches, held, features, classes).train();
                }
                case Solver.Proximal proximal -> {
                    return new ClusterRun(job, site, run, proximal, batches, held, features, classes).train();
                }
                case Solver.Batch batch -> batch(run, batch, batches, classes, from.progress());
                case Solver.Auto _ -> throw new IllegalStateException("no solver was chosen");
            }
            Outcome outcome = new Outcome(job, run, classes.named(batches.labels()));
            if (run.finished().size() < classes.problems().size()) {
                return outcome.interrupted();
            }
            return outcome.finished(batches, held);
        }
    }

    /// How many learn from the same weights.
    private int together() {
        return cluster == null ? 1 : cluster.learners();
    }

    /// A group takes its step when all that is known of it has come, of all its members.
    private void refuseForGroups(Solver.Blocks blocks) {
        FilterNames filters = cluster.filterNames();
        if (filters.losesPushes() || filters.pullThreshold() > 0) {
            throw new IllegalArgumentException("the penalty has groups, whose weights " + blocks.label()
                    + " moves together, and filters lose something of what is pushed or pulled (" + cluster.filters()
                    + "); use those that lose nothing, such as --filters keycache,kkt,lz4");
        }
        if (job.start() != null) {
            throw new IllegalArgumentException("the penalty has groups, and " + blocks.label()
                    + " cannot start those from an earlier model; leave out --warm-start, or use --solver batch");
        }
    }

    /// From the least to the largest label of rows to learn from.
    private Span labels(Batches batches) throws IOException {
        if (job.hosts() != null) {
            PartTerms known = job.hosts().examples().terms();
            return new Span(known.low(), known.high());
        }
        Batches.Pass pass = batches.pass(0, 0);
        Batch batch = new Batch();
        Span span = Span.NONE;
        while (pass.next(batch)) {
            stopIfAsked();
            for (int row = 0; row < batch.rows(); row++) {
                span = batch.weights()[row] > 0 ? span.with(batch.labels()[row]) : span;
            }
        }
        return span;
    }

    /// A worker without a batch only looks busy.
    private void noteIdle(long batches) {
        long idle = cluster.workers() - batches;
        if (idle > 0) {
            watch.note(idle + " of " + cluster.workers() + " workers have nothing to do: there "
                    + (batches == 1 ? "is only 1 batch" : "are only " + batches + " batches") + " of up to "
                    + cluster.batchRows()
                    + " rows. Use fewer workers, or fewer rows a batch (--update-rows)");
        }
    }

    /// Held-out examples, whose labels must be among those of training unless those are numbers to predict.
    private Batches heldOut(Labels labels, Classes classes) throws IOException {
        if (job.validation() == null) {
            return null;
        }
        Data wanted = job.validation().withLabelRule(new LabelRule.Expect(Classes.expected(classes.names(), labels)));
        boolean once = switch (settings.solver()) {
            case Solver.Online online -> online.passes() == 1;
            case Solver.Factors factors -> factors.weights().passes() == 1;
            case Solver.Blocks _, Solver.Lbfgs _, Solver.Sdca _, Solver.Proximal _, Solver.Batch _, Solver.Auto _ ->
                true;
        };
        return once || cache instanceof CacheUse.Off ? wanted.stream() : cached(wanted);
    }

    private void online(Run run, Solver.Online solver, Batches batches, Classes classes, Checkpoint.Progress progress)
            throws IOException {
        Separable penalty = (Separable) settings.penalty().over(new long[0]);
        for (int k = run.finished().size(); k < classes.problems().size(); k++) {
            OnlineTraining training = new OnlineTraining(
                    run, solver, penalty, batches, classes.problems().get(k));
            if (start != null) {
                training.start(started(k));
            }
            Weights weights = training.train(progress);
            if (weights == null) {
                break;
            }
            run.finished().add(new Finished(weights, null));
            progress = Checkpoint.Progress.START;
        }
    }

    private void batch(Run run, Solver.Batch solver, Batches batches, Classes classes, Checkpoint.Progress progress)
            throws IOException {
        List<Target> problems = classes.problems();
        if (run.finished().size() == problems.size()) {
            return;
        }
        Columns columns = ColumnLoader.load(batches, run.threads(), settings.threads());
        BatchTraining training = new BatchTraining(run, solver, columns);
        run.begin();
        for (int k = run.finished().size(); k < problems.size(); k++) {
            Weights from = progress.best() != null ? progress.best() : start == null ? null : started(k);
            String stage = problems.size() == 1 ? "batch" : "class " + (k + 1) + "/" + problems.size();
            Solution solution = training.solve(problems.get(k), from, stage);
            if (!Double.isFinite(solution.objective())) {
                throw Diverged.objective(solution.objective());
            }
            Weights weights = training.weights(solution);
            if (run.interrupted()) {
                run.checkpoint(new Checkpoint.Progress(0, 0, null, null, solution.objective(), weights, 0));
                break;
            }
            run.finished().add(new Finished(weights, Finished.Proof.of(solution)));
            progress = Checkpoint.Progress.START;
        }
    }

    /// The weights of problem `k` in the model to start from.
    private Weights started(int k) {
        return new Weights(start.ids(), start.weights()[k], start.intercepts()[k]);
    }

    /// What must be the same for a run to go on from a checkpoint: the data, how it is read and in what order,
    /// and every setting but the number of threads.
    private Same fingerprint(Batches batches, Features features) throws IOException {
        Map<String, String> told = new TreeMap<>();
        SettingsByName.of(settings).forEach((name, value) -> told.put("--" + name, value));
        told.remove("--threads");
        describe("--data", data, job.fingerprints(), told);
        told.put("the order of examples", batches.rows() < 0 ? "as in the text" : "as in the cache");
        if (job.validation() != null) {
            describe("--validate", job.validation(), job.validation().fingerprints(), told);
        }
        if (start != null) {
            told.put(
                    "--warm-start",
                    "a model of " + start.provenance().created() + " with " + start.nonZero() + " weights");
        }
        if (cluster != null) {
            told.put("--update-rows", Integer.toString(cluster.batchRows()));
            if (cluster.placement() != Placement.ANY) {
                told.put(
                        "--placement",
                        (features.arePlaced() ? "examples and features" : "examples") + ", " + parts() + " streams");
            }
            told.put("--deterministic", Boolean.toString(cluster.rhythm().deterministic()));
        }
        return new Same(told);
    }

    private static void describe(String option, Data data, Map<String, String> files, Map<String, String> told) {
        int number = 0;
        for (Map.Entry<String, String> file : files.entrySet()) {
            // However its path was written.
            String path = Path.of(file.getKey()).toAbsolutePath().normalize().toString();
            told.put("file " + ++number + " of " + option, path + " (" + file.getValue() + ")");
        }
        told.put("the format of " + option, Json.tree(data.format()).toString());
        told.put("--hash-bits for " + option, Integer.toString(data.hashBits()));
        told.put(
                "the share of " + option,
                data.part().from() + " to " + data.part().until() + ", seed "
                        + data.part().seed());
        told.put(
                "--bad-lines for " + option,
                switch (data.badLines()) {
                    case BadLines.Fail() -> "fail";
                    case BadLines.Skip(long limit) -> limit == Long.MAX_VALUE ? "skip" : "skip " + limit;
                });
    }
}
