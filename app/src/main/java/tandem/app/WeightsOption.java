package tandem.app;

import picocli.CommandLine.Option;

/// Weights of examples in a file of their own; for commands where examples count.
final class WeightsOption {

    @Option(
            names = "--weights",
            paramLabel = "FILE",
            description = "How much each example of --data counts: a number >= 0 a line, in the order of the data;"
                    + " plain, gzip or zstd. Default: 1, or what the data says.")
    String file;
}
