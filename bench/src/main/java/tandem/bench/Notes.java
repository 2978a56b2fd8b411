package tandem.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/// What a benchmark says beside its figures: progress at once, on standard error; remarks in the report.
final class Notes {

    private final PrintStream err;
    private final List<String> remarks = new ArrayList<>();

    Notes(PrintStream err) {
        this.err = err;
    }

    void progress(String line) {
        err.println(line);
    }

    void remark(String line) {
        if (!remarks.contains(line)) {
            remarks.add(line);
        }
    }

    List<String> remarks() {
        return List.copyOf(remarks);
    }
}
