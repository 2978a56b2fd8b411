package tandem.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/// What a benchmark says beside its figures: progress at once, on standard error; remarks in the report.
public final class Notes {

    private final PrintStream err;
    private final List<String> remarks = new ArrayList<>();

    public Notes(PrintStream err) {
        this.err = err;
    }

    public void progress(String line) {
        err.println(line);
    }

    public void remark(String line) {
        if (!remarks.contains(line)) {
            remarks.add(line);
        }
    }

    public List<String> remarks() {
        return List.copyOf(remarks);
    }
}
