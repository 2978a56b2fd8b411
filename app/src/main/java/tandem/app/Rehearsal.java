package tandem.app;

import java.nio.file.Path;

/// What the launcher lets the JVM see once after a build, so that it remembers which classes are needed and
/// which methods are hot: the demo, then a batch solver on the rows that the demo was tested on.
final class Rehearsal {

    private Rehearsal() {}

    /// Argument: a directory for all that comes of it.
    public static void main(String[] args) {
        Console console = new Console(System.out, System.err, false);
        Path demo = Path.of(args[0], "demo");
        int code = Tandem.run(console, "demo", "--rows", "50000", "--out", demo.toString());
        if (code == 0) {
            code = Tandem.run(
                    console,
                    "train",
                    "linear",
                    "--data",
                    demo.resolve("test.svm").toString(),
                    "--solver",
                    "batch",
                    "--l1",
                    "1",
                    "--cache",
                    Path.of(args[0], "cache").toString(),
                    "--model",
                    Path.of(args[0], "model").toString());
        }
        System.exit(code);
    }
}
