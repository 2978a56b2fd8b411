package tandem;

import java.nio.file.Path;

/// Where a model goes.
///
/// @param overwrite whether it may replace a model that is there
public record ModelPlace(Path directory, boolean overwrite) {}
