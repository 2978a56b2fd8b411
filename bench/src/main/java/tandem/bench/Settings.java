package tandem.bench;

import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What every benchmark can be told.
final class Settings {

    @Mixin
    JsonOption printed = new JsonOption();

    @Option(names = "--rows", paramLabel = "N", description = "Rows to generate. Default: ${DEFAULT-VALUE}.")
    long rows = 1_000_000;

    @Option(names = "--features", paramLabel = "N", description = "How large ids can be. Default: ${DEFAULT-VALUE}.")
    long features = 10_000_000;

    @Option(names = "--seed", paramLabel = "N", description = "Of the generated data. Default: ${DEFAULT-VALUE}.")
    long seed = 7;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "How often each system runs. Default: ${DEFAULT-VALUE}.")
    int rounds = 5;

    @Option(
            names = "--budget",
            paramLabel = "SECONDS",
            description = "Begin no new round of a part after so long. Default: ${DEFAULT-VALUE}.")
    double budget = 120;

    @Option(names = "--no-peers", description = "Measure Tandem alone.")
    boolean alone;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description =
                    "Where data goes meanwhile; needs about 6 GB for 1,000,000 rows. Default: the system's place for"
                            + " such files.")
    Path work = Path.of(System.getProperty("java.io.tmpdir"));

    /// What to type to see these figures again.
    String command(String name) {
        return "./tandem bench %s --rows %d --features %d --seed %d --rounds %d"
                .formatted(name, rows, features, seed, rounds);
    }

    Peers peers() {
        return alone ? Peers.NONE : Peers.find();
    }

    void check() {
        if (rows < 100) {
            throw new IllegalArgumentException(
                    "--rows is " + rows + "; use 100 or more, so that there is something to measure");
        }
        if (rounds < 1) {
            throw new IllegalArgumentException("--rounds is " + rounds + "; use 1 or more");
        }
    }
}
