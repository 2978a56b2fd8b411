package tandem;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import tandem.data.Data;
import tandem.model.LinearModel;
import tandem.report.LearningCurve;
import tandem.report.Report;

/// A job: train a linear model on data. Describe it with the `with…` methods, then [#run] it.
///
/// @param validation    held-out examples, or null
/// @param start         a model to start from, or null
/// @param checkpointing what a run that is stopped can go on from, or null to keep nothing
/// @param measured      whether the training data is scored once more at the end, for the objective and
///                      the training metrics of the report
/// @param cluster       the servers and workers to train on, or null for this process alone
public record LinearTraining(
        Linear settings,
        Data data,
        Data validation,
        CacheUse cache,
        LinearModel start,
        Checkpointing checkpointing,
        boolean measured,
        ClusterPlan cluster,
        Watch watch) {

    public LinearTraining {
        if (cluster != null) {
            if (!(settings.solver() instanceof Solver.Online)) {
                throw new IllegalArgumentException(
                        "the batch solver works in one process; leave out --runtime, --workers and --servers, or use"
                                + " --solver ftrl, adagrad or sgd");
            }
            if (start != null || checkpointing != null && checkpointing.resume()) {
                throw new IllegalArgumentException("a distributed run starts from nothing; leave out --warm-start and"
                        + " --resume, or train in one process");
            }
        }
    }

    public static LinearTraining of(Linear settings, Data data) {
        return new LinearTraining(
                settings, data, null, new CacheUse.Auto(CacheUse.directory()), null, null, true, null, Watch.SILENT);
    }

    LinearTraining withData(Data data) {
        return new LinearTraining(settings, data, validation, cache, start, checkpointing, measured, cluster, watch);
    }

    public LinearTraining withValidation(Data validation) {
        return new LinearTraining(settings, data, validation, cache, start, checkpointing, measured, cluster, watch);
    }

    public LinearTraining withCache(CacheUse cache) {
        return new LinearTraining(settings, data, validation, cache, start, checkpointing, measured, cluster, watch);
    }

    public LinearTraining withStart(LinearModel start) {
        return new LinearTraining(settings, data, validation, cache, start, checkpointing, measured, cluster, watch);
    }

    public LinearTraining withCheckpointing(Checkpointing checkpointing) {
        return new LinearTraining(settings, data, validation, cache, start, checkpointing, measured, cluster, watch);
    }

    public LinearTraining withMeasured(boolean measured) {
        return new LinearTraining(settings, data, validation, cache, start, checkpointing, measured, cluster, watch);
    }

    LinearTraining withSettings(Linear settings) {
        return new LinearTraining(settings, data, validation, cache, start, checkpointing, measured, cluster, watch);
    }

    /// Trains on servers and workers; null to train in this process alone.
    public LinearTraining withCluster(ClusterPlan cluster) {
        return new LinearTraining(settings, data, validation, cache, start, checkpointing, measured, cluster, watch);
    }

    public LinearTraining withWatch(Watch watch) {
        return new LinearTraining(settings, data, validation, cache, start, checkpointing, measured, cluster, watch);
    }

    /// Trains. If the watch asks to stop, what is given has no model, and the checkpoint holds the run.
    public Trained run() throws IOException {
        if (cluster != null && cluster.where() instanceof Where.Simulated && settings.threads() > 1) {
            return withSettings(settings.withThreads(1)).run();
        }
        Data known = cluster == null
                ? data.known()
                : data.withBatchRows(cluster.batchRows()).known();
        Data heldOut = validation == null
                ? null
                : validation.withFormat(known.format()).withHashBits(known.hashBits());
        try {
            return new LinearRun(withData(known).withValidation(heldOut)).run();
        } catch (CancellationException whileReading) {
            return new Trained(null, new Report("train linear").stopped("interrupted"), new LearningCurve());
        }
    }
}
