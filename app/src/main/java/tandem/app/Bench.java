package tandem.app;

import picocli.CommandLine.Command;

/// Listed here, run by the launcher: benchmarks are a program of their own.
@Command(name = "bench", header = "Measure Tandem beside other tools: bench --help lists what.")
final class Bench implements Runnable {

    @Override
    public void run() {
        throw new IllegalArgumentException("benchmarks are started by the script " + Tandem.PROGRAM
                + " in the root of the project; use that instead of this jar");
    }
}
