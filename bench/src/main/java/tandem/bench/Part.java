package tandem.bench;

import java.util.List;

/// One question of a benchmark, answered by rows and the ratios between them.
interface Part {

    Findings run() throws Exception;

    record Findings(List<? extends Measured> rows, List<Ratio> ratios) {}
}
