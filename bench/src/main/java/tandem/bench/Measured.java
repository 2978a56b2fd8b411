package tandem.bench;

import java.util.List;

/// One line of a report: what was measured of a system in a part of a benchmark.
public interface Measured {

    String part();

    String system();

    /// The line as a table shows it, every line of a part with the same titles; empty where nothing applies.
    List<Cell> cells();

    record Cell(String title, String text) {}
}
