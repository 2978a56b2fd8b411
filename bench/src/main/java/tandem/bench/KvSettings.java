package tandem.bench;

import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// What `bench kv` can be told.
final class KvSettings {

    @Mixin
    JsonOption printed = new JsonOption();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "How often each system has its turn. Default: ${DEFAULT-VALUE}.")
    int rounds = 5;

    @Option(names = "--keys", paramLabel = "N", description = "Keys of the large store. Default: ${DEFAULT-VALUE}.")
    long keys = 10_000_000;

    @Option(
            names = "--scale",
            paramLabel = "X",
            description = "Make everything else smaller, for a first look; figures are then not those of the targets."
                    + " Default: ${DEFAULT-VALUE}.")
    double scale = 1;

    @Option(names = "--no-peers", description = "Leave Redis out.")
    boolean alone;

    @Option(names = "--plots", paramLabel = "DIR", description = "Where pictures of the scaling go. Default: nowhere.")
    Path plots;

    void check() {
        if (rounds < 1) {
            throw new IllegalArgumentException("--rounds is " + rounds + "; use 1 or more");
        }
        if (!(scale > 0 && scale <= 1)) {
            throw new IllegalArgumentException("--scale is " + scale + "; use a number above 0, up to 1");
        }
        if (keys < scaled(100_000) * (rounds + Turns.WARM_UP)) {
            throw new IllegalArgumentException("--keys is " + keys + "; use "
                    + scaled(100_000) * (rounds + Turns.WARM_UP) + " or more, so that each round can insert some");
        }
    }

    /// So many, or fewer for a first look.
    int scaled(int usual) {
        return Math.max(1, (int) (usual * scale));
    }

    /// What to type to see these figures again.
    String command() {
        return "./tandem bench kv --rounds %d --keys %d%s"
                .formatted(rounds, keys, scale == 1 ? "" : " --scale " + Outcome.number(scale));
    }
}
