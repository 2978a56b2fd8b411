package tandem.bench;

import java.io.PrintStream;

/// A benchmark of another module, found where its library is on the class path.
public interface Addition {

    /// A command of picocli's that prints figures to `out`.
    Object command(PrintStream out, Notes notes);
}
