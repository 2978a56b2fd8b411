package tandem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CancellationException;
import tandem.data.Data;
import tandem.data.Part;
import tandem.model.LinearModel;
import tandem.model.ModelDirectory;
import tandem.model.StoredModel;
import tandem.report.LearningCurve;
import tandem.report.Report;
import tandem.server.Hogwild;
import tandem.worker.Local;

/// A job: train a linear model on data. Describe it with the `with…` methods, then [#run] it.
///
/// @param validation    held-out examples, or null
/// @param start         a model to start from, or null
/// @param checkpointing what a run that is stopped can go on from, or null to keep nothing
/// @param measured      whether the training data is scored once more at the end, for the objective and
///                      the training metrics of the report
/// @param model         where the model goes, or null to have it in memory alone
/// @param cluster       the servers and workers to train on, or null for this process alone
public record LinearTraining(
        Linear settings,
        Data data,
        Data validation,
        CacheUse cache,
        Start start,
        Checkpointing checkpointing,
        boolean measured,
        ModelPlace model,
        ClusterPlan cluster,
        Watch watch) {

    public LinearTraining {
        if (cluster != null) {
            if (settings.solver() instanceof Solver.Batch) {
                throw new IllegalArgumentException(
                        "the batch solver works in one process; leave out --runtime, --workers and --servers, or use"
                                + " --solver dbpg, lbfgs, sdca, ssp-prox, m-papg, ftrl, adagrad, adadelay, downpour,"
                                + " emso-cd, emso-gd, averaging or sgd");
            }
            if (settings.solver() instanceof Solver.Online online && online.hogwild() == Hogwild.STRICT) {
                throw new IllegalArgumentException(
                        "servers apply one update after the other, so none is lost; leave out"
                                + " --hogwild strict, which is for threads of one process");
            }
            cluster.check(settings.solver());
            if (checkpointing != null) {
                cluster.checkResumable();
            }
            if (start instanceof Start.InMemory) {
                throw new IllegalArgumentException("servers read the parts of a model that they hold from its"
                        + " directory; save the model to start from, and name it as StoredModel.at(directory)");
            }
        }
    }

    public static LinearTraining of(Linear settings, Data data) {
        return new LinearTraining(
                settings,
                data,
                null,
                new CacheUse.Auto(CacheUse.directory()),
                null,
                null,
                true,
                null,
                null,
                Watch.SILENT);
    }

    public LinearTraining withData(Data data) {
        return new LinearTraining(
                settings, data, validation, cache, start, checkpointing, measured, model, cluster, watch);
    }

    public LinearTraining withValidation(Data validation) {
        return new LinearTraining(
                settings, data, validation, cache, start, checkpointing, measured, model, cluster, watch);
    }

    public LinearTraining withCache(CacheUse cache) {
        return new LinearTraining(
                settings, data, validation, cache, start, checkpointing, measured, model, cluster, watch);
    }

    /// Starts from a model in memory; for training in one process.
    public LinearTraining withStart(LinearModel from) {
        return with(new Start.InMemory(from));
    }

    /// Starts from a model on disk, of which every server reads its own part.
    public LinearTraining withStart(StoredModel from) {
        return with(new Start.OnDisk(from));
    }

    private LinearTraining with(Start start) {
        return new LinearTraining(
                settings, data, validation, cache, start, checkpointing, measured, model, cluster, watch);
    }

    /// Writes the model to a directory, whole or not at all. On a cluster every server then writes its own part, and
    /// nobody holds all of it.
    public LinearTraining withModel(Path directory, boolean overwrite) {
        return new LinearTraining(
                settings,
                data,
                validation,
                cache,
                start,
                checkpointing,
                measured,
                new ModelPlace(directory, overwrite),
                cluster,
                watch);
    }

    public LinearTraining withCheckpointing(Checkpointing checkpointing) {
        return new LinearTraining(
                settings, data, validation, cache, start, checkpointing, measured, model, cluster, watch);
    }

    public LinearTraining withMeasured(boolean measured) {
        return new LinearTraining(
                settings, data, validation, cache, start, checkpointing, measured, model, cluster, watch);
    }

    /// Draws everything anew but which examples are held out.
    public LinearTraining withSeed(long seed) {
        return withSettings(settings.withSeed(seed)).withData(data.withSeed(seed));
    }

    public LinearTraining withSettings(Linear settings) {
        return new LinearTraining(
                settings, data, validation, cache, start, checkpointing, measured, model, cluster, watch);
    }

    /// Trains on servers and workers; null to train in this process alone.
    public LinearTraining withCluster(ClusterPlan cluster) {
        return new LinearTraining(
                settings, data, validation, cache, start, checkpointing, measured, model, cluster, watch);
    }

    public LinearTraining withWatch(Watch watch) {
        return new LinearTraining(
                settings, data, validation, cache, start, checkpointing, measured, model, cluster, watch);
    }

    /// Refuses what needs more examples at a worker than those of its own stream, or examples here.
    public void checkHosted() {
        if (settings.solver() instanceof Solver.Blocks blocks && blocks.guaranteed()) {
            throw new IllegalArgumentException("--step guaranteed looks at all examples before the first round, and on"
                    + " hosts nobody has all of them; leave it out");
        }
        if (cluster.rhythm().steal() || cluster.placement() != Placement.ANY) {
            throw new IllegalArgumentException(
                    "on hosts a worker has the examples that are there; leave out --steal and --placement");
        }
        if (cluster.terms(0).streams() != cluster.workers()) {
            throw new IllegalArgumentException("on hosts a worker has one stream; use --streams " + cluster.workers()
                    + " with " + cluster.workers() + " workers");
        }
        if (!data.part().equals(Part.ALL) || data.weights() != null || !data.isRepeatable()) {
            throw new IllegalArgumentException("whoever reads the examples hands out lines without their numbers; leave"
                    + " out --split and --weights, and name files, not standard input. Held-out examples can be named"
                    + " with --validate");
        }
    }

    /// Whether each host is to have all examples, because workers have some features of all of them.
    public boolean needsAllExamples() {
        return settings.solver() instanceof Solver.Proximal proximal
                && proximal.split() == Solver.Proximal.Split.FEATURES;
    }

    /// Who has the examples; null if they are read here.
    Hosts hosts() {
        return cluster != null && cluster.where() instanceof Where.Hosted(Hosts hosts) ? hosts : null;
    }

    /// What tells the examples from others, by file or by another name.
    Map<String, String> fingerprints() throws IOException {
        return hosts() == null ? data.fingerprints() : hosts().sources();
    }

    /// What it is called on the command line.
    String command() {
        return settings.solver() instanceof Solver.Factors ? "train factor" : "train linear";
    }

    /// The same where it runs: a solver that needs servers and workers has the usual ones if nothing is said of them.
    public LinearTraining placed() {
        if (cluster != null) {
            return settings.solver() instanceof Solver.Online online ? batched(online) : this;
        }
        ClusterPlan usual = ClusterPlan.DEFAULT.withNodes(settings.threads(), 1);
        return switch (settings.solver()) {
            case Solver.Lbfgs _ -> withCluster(usual.withConsistency("bsp"));
            // Two would have to pass over the examples more often, and take as long.
            case Solver.Sdca _ -> withCluster(usual.withNodes(1, 1).withConsistency("bsp"));
            case Solver.Blocks _ ->
                withCluster(usual.withConsistency("bounded:4").withFilters("keycache,kkt"));
            case Solver.Proximal _ -> withCluster(usual.withConsistency("ssp:1"));
            case Solver.Factors factors ->
                withCluster(usual.withNodes(factors.workers(settings.threads()), 1)
                        .withBatchRows(factors.weights().rows()));
            case Solver.Online online
            when !(online.local() instanceof Local.Gradient) ->
                withCluster(usual.withConsistency(online.local() instanceof Local.Downpour ? "async" : "bsp")
                        .withBatchRows(online.batchRows(online.rows())));
            case Solver.Online _, Solver.Batch _, Solver.Auto _ -> this;
        };
    }

    /// The same with batches of as many rows as the solver works through between two exchanges.
    private LinearTraining batched(Solver.Online online) {
        int rows = online.batchRows(cluster.batchRows());
        return rows == cluster.batchRows() ? this : withCluster(cluster.withBatchRows(rows));
    }

    private Data known() throws IOException {
        if (hosts() != null) {
            return data;
        }
        return cluster == null
                ? data.known()
                : data.withBatchRows(cluster.batchRows()).known();
    }

    /// Trains. If the watch asks to stop, what is given has no model, and the checkpoint holds the run.
    public Trained run() throws IOException {
        if (settings.solver() instanceof Solver.Auto) {
            return chosen();
        }
        LinearTraining placed = placed();
        if (placed != this) {
            return placed.run();
        }
        checkRounds();
        if (cluster != null && cluster.where() instanceof Where.Simulated && settings.threads() > 1) {
            return withSettings(settings.withThreads(1)).run();
        }
        Data known = known();
        Data heldOut = validation == null
                ? null
                : validation.withFormat(known.format()).withHashBits(known.hashBits());
        try {
            Trained trained = new LinearRun(withData(known).withValidation(heldOut)).run();
            if (trained.model() != null) {
                if (model != null) {
                    ModelDirectory.keep(trained.model(), model.directory(), model.overwrite());
                }
                if (checkpointing != null) {
                    checkpointing.forget();
                }
            }
            return trained;
        } catch (CancellationException whileReading) {
            return interrupted();
        }
    }

    /// Refuses rounds without servers where there are no hosts to go them, and what servers are needed for.
    private void checkRounds() {
        if (!(settings.solver() instanceof Solver.Online online) || !online.isByRounds()) {
            return;
        }
        if (hosts() == null) {
            throw new IllegalArgumentException("the exchange spark is a job of Spark's for every round; use it with"
                    + " --runtime spark, or use --exchange server, ring or direct");
        }
        if (checkpointing != null || start != null) {
            throw new IllegalArgumentException("with the exchange spark there are no servers that keep a checkpoint or"
                    + " read a model; leave out --checkpoint, --resume and --warm-start, or use --exchange server");
        }
    }

    /// The same with a solver that suits the data.
    private Trained chosen() throws IOException {
        try {
            return new AutoTraining(this).run();
        } catch (CancellationException whileReading) {
            return interrupted();
        }
    }

    private Trained interrupted() {
        return new Trained(null, null, new Report(command()).stopped("interrupted"), new LearningCurve());
    }
}
