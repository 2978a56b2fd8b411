package tandem.app;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;
import tandem.JobDirectory;
import tandem.RunningJob;
import tandem.model.BatchScorer;
import tandem.model.StoredModel;

/// The options that say which model to score with: one on disk, or one that is being trained.
final class WhichModel {

    @Option(names = "--model", paramLabel = "DIR", description = "What train --model wrote.")
    private Path model;

    @Option(
            names = "--job",
            paramLabel = "NAME",
            description = "Instead: the weights, as they are now, of the run that train --runtime processes --job NAME"
                    + " has going on this machine.")
    private String job;

    void check() {
        if (model != null && job != null) {
            throw new IllegalArgumentException("--model and --job both name a model; keep one of them");
        }
        if (job != null) {
            JobDirectory.checkName(job);
        } else {
            Check.given("--model", model, "which model, such as --model m");
        }
    }

    BatchScorer open() throws IOException {
        return job == null ? StoredModel.at(model).scorer() : RunningJob.open(JobDirectory.usual(), job);
    }

    /// Where it is on disk; null if it is being trained.
    Path directory() {
        return model;
    }

    /// What to call it.
    String name() {
        return job == null ? model.getFileName().toString() : job;
    }
}
