package tandem.app;

import java.util.List;
import picocli.CommandLine.Option;
import tandem.data.BadLines;
import tandem.data.Data;

/// The options that say where examples are and how to read them; shared by all commands that read data.
final class DataOptions {

    enum OnBadLine {
        fail,
        skip
    }

    @Option(
            names = "--data",
            arity = "1..*",
            paramLabel = "FILE",
            description = "Files, directories, globs (in quotes), or - for standard input; plain, gzip or zstd.")
    List<String> data;

    @Option(
            names = "--bad-lines",
            paramLabel = "fail|skip",
            description = "What to do with a line that cannot be read: stop, or skip it and count. Default: fail.")
    OnBadLine badLines = OnBadLine.fail;

    /// The data at `paths`, read as these options say.
    Data at(List<String> paths) {
        BadLines rule = switch (badLines) {
            case fail -> new BadLines.Fail();
            case skip -> new BadLines.Skip(Long.MAX_VALUE);
        };
        return Data.of(paths).withBadLines(rule);
    }

    List<String> paths(String what) {
        return Check.given("--data", data, what);
    }
}
