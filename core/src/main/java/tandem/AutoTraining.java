package tandem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.data.Data;
import tandem.data.PartTerms;

/// Looks at the data, chooses a solver and trains with that.
record AutoTraining(LinearTraining job) {

    /// Batches to take the length of rows from.
    private static final int SAMPLE = 16;

    Trained run() throws IOException {
        Choice choice = Choice.of(job.settings(), shape(), job.cluster());
        job.watch().note("solver " + choice.solver().label() + ": " + choice.reason());
        Trained trained =
                job.withSettings(job.settings().withSolver(choice.solver())).run();
        trained.report().put("reason", choice.reason());
        return trained;
    }

    /// What the data is like; null if it can only be read once.
    private Choice.Shape shape() throws IOException {
        if (job.hosts() != null) {
            PartTerms all = job.hosts().examples().terms();
            return new Choice.Shape(all.rows(), all.entries(), job.hosts().heapBytes());
        }
        return switch (job.cache()) {
            case CacheUse.Off() -> null;
            case CacheUse.Auto(Path directory) -> shape(directory);
            case CacheUse.Always(Path directory) -> shape(directory);
        };
    }

    private Choice.Shape shape(Path directory) throws IOException {
        Data known = job.cluster() == null
                ? job.data().known()
                : job.data().withBatchRows(job.cluster().batchRows()).known();
        try (Batches data = known.cache(directory, this::reading, job.settings().threads())) {
            Batches.Pass pass = data.pass(0, 0);
            Batch batch = new Batch();
            long rows = 0;
            long entries = 0;
            for (int k = 0; k < SAMPLE && pass.next(batch); k++) {
                rows += batch.rows();
                entries += batch.entries();
            }
            double length = (double) entries / Math.max(1, rows);
            return new Choice.Shape(
                    data.rows(),
                    Math.round(length * data.rows()),
                    Runtime.getRuntime().maxMemory());
        }
    }

    private void reading(double done) {
        if (job.watch().stopping()) {
            throw new CancellationException("interrupted while reading");
        }
        job.watch().progress("reading", done, 0, Double.NaN);
    }
}
