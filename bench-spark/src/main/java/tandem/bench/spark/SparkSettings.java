package tandem.bench.spark;

import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tandem.bench.JsonOption;

/// What `bench spark` can be told.
final class SparkSettings {

    @Mixin
    JsonOption printed = new JsonOption();

    @Option(names = "--rows", paramLabel = "N", description = "Rows to generate. Default: ${DEFAULT-VALUE}.")
    long rows = 1_000_000;

    @Option(
            names = "--scale",
            paramLabel = "NUMBER",
            description = "How many features there are, of 100,000 and 10,000,000. Default: ${DEFAULT-VALUE}.")
    double scale = 1;

    @Option(names = "--seed", paramLabel = "N", description = "Of the generated data. Default: ${DEFAULT-VALUE}.")
    long seed = 7;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "How often each system trains. Default: ${DEFAULT-VALUE}.")
    int rounds = 3;

    @Option(
            names = "--budget",
            paramLabel = "SECONDS",
            description = "Begin no new round of a part after so long. Default: ${DEFAULT-VALUE}.")
    double budget = 600;

    @Option(
            names = "--solver",
            paramLabel = "NAME",
            description = "How Tandem trains logistic regression. Default: as the estimator does by itself.")
    String solver;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            description = "The heap of each session of Spark's, of which there are two at a time. Default:"
                    + " ${DEFAULT-VALUE}.")
    String heap = "8g";

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "Where data goes meanwhile; needs about 3 GB for 1,000,000 rows. Default: the system's place"
                    + " for such files.")
    Path work = Path.of(System.getProperty("java.io.tmpdir"));

    /// What to type to see these figures again.
    String command() {
        return "./tandem bench spark --rows %d --scale %s --seed %d --rounds %d --heap %s%s"
                .formatted(rows, scale, seed, rounds, heap, solver == null ? "" : " --solver " + solver);
    }

    void check() {
        if (rows < 1000) {
            throw new IllegalArgumentException(
                    "--rows is " + rows + "; use 1000 or more, so that there is something to measure");
        }
        if (rounds < 1) {
            throw new IllegalArgumentException("--rounds is " + rounds + "; use 1 or more");
        }
        if (!(scale > 0 && scale <= 10)) {
            throw new IllegalArgumentException("--scale is " + scale + "; use a number above 0, at most 10");
        }
    }
}
