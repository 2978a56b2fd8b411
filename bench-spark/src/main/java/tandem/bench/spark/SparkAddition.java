package tandem.bench.spark;

import java.io.PrintStream;
import tandem.bench.Addition;
import tandem.bench.Notes;

/// Adds `bench spark`.
public final class SparkAddition implements Addition {

    @Override
    public Object command(PrintStream out, Notes notes) {
        return new SparkBench(out, notes);
    }
}
