package tandem.bench.spark;

import java.util.List;
import tandem.bench.Ratio;

/// What a part of the benchmark found.
///
/// @param missing who could not take part, and why; null if all could
record Findings(List<SparkRow> rows, List<Ratio> ratios, String missing) {}
