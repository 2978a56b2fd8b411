package tandem;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// What a run keeps so that it can go on after it was stopped.
///
/// @param directory where
/// @param every     how often that is renewed while training online
/// @param resume    whether to go on from what is there
public record Checkpointing(Path directory, Duration every, boolean resume) {

    /// Where a run in `directory` starts from nothing.
    public Checkpointing(Path directory, Duration every) {
        this(directory, every, false);
    }

    /// The same for a run that goes on.
    public Checkpointing resumed() {
        return new Checkpointing(directory, every, true);
    }

    /// Whether there is something to go on from.
    public boolean isResumable() {
        return Files.exists(file());
    }

    Path file() {
        return directory.resolve("run.checkpoint");
    }
}
