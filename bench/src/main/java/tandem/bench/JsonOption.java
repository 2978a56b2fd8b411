package tandem.bench;

import picocli.CommandLine.Option;

/// How every benchmark prints what it found.
public final class JsonOption {

    @Option(names = "--json", description = "Print one JSON object instead of tables.")
    public boolean json;
}
