package tandem.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tandem.report.Picture;

/// What `bench solvers` can be told.
final class SolverSettings {

    private static final int BLOCKS = 160;

    @Mixin
    JsonOption printed = new JsonOption();

    @Option(
            names = "--rows",
            paramLabel = "N",
            description = "Rows of the part optimum; ids go up to ten times as many. Default: ${DEFAULT-VALUE}.")
    long rows = 100_000;

    @Option(names = "--seed", paramLabel = "N", description = "The first one. Default: ${DEFAULT-VALUE}.")
    long seed = 1;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "Seeds of each reproduction, and how often systems have their turn. Default:"
                    + " ${DEFAULT-VALUE}.")
    int rounds = 3;

    @Option(
            names = "--scale",
            paramLabel = "X",
            description = "Rows of the other parts, as a multiple of the usual ones. Default: ${DEFAULT-VALUE}.")
    double scale = 1;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Simulated workers of the part systems. Default: ${DEFAULT-VALUE}.")
    int workers = 100;

    @Option(
            names = "--budget",
            paramLabel = "SECONDS",
            description = "Part optimum: begin no new round, and give no system longer, than this. Default:"
                    + " ${DEFAULT-VALUE}.")
    double budget = 120;

    @Option(names = "--no-peers", description = "Measure Tandem alone.")
    boolean alone;

    @Option(names = "--plots", paramLabel = "DIR", description = "Where pictures go. Default: nowhere.")
    Path plots;

    @Option(
            names = "--work",
            paramLabel = "DIR",
            description = "Where data goes meanwhile; needs about 3 GB for 1,000,000 rows. Default: the system's place"
                    + " for such files.")
    Path work = Path.of(System.getProperty("java.io.tmpdir"));

    void check() {
        if (rows < 100) {
            throw new IllegalArgumentException(
                    "--rows is " + rows + "; use 100 or more, so that there is something to measure");
        }
        if (rounds < 1) {
            throw new IllegalArgumentException("--rounds is " + rounds + "; use 1 or more");
        }
        if (!(scale > 0 && scale <= 100)) {
            throw new IllegalArgumentException("--scale is " + scale + "; use a number above 0, up to 100");
        }
        if (workers < 2) {
            throw new IllegalArgumentException("--workers is " + workers + "; use 2 or more");
        }
    }

    /// So many rows, or as many more or fewer as was asked for.
    long scaled(long usual) {
        return Math.max(200, Math.round(usual * scale));
    }

    /// Blocks of features: fewer only where there are far fewer rows.
    int blocks() {
        return (int) Math.clamp(BLOCKS * 5 * scale, 20, BLOCKS);
    }

    Peers peers() {
        return alone ? Peers.NONE : Peers.find();
    }

    /// Puts a picture where pictures go, if they go anywhere.
    void draw(String name, Picture picture) throws IOException {
        if (plots != null) {
            picture.write(Files.createDirectories(plots).resolve(name + ".svg"));
        }
    }

    /// What to type to see these figures again, without the parts.
    String command() {
        return "./tandem bench solvers --rows %d --seed %d --rounds %d%s%s"
                .formatted(
                        rows,
                        seed,
                        rounds,
                        scale == 1 ? "" : " --scale " + Outcome.number(scale),
                        workers == 100 ? "" : " --workers " + workers);
    }
}
