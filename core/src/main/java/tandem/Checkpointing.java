package tandem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/// What a run keeps so that it can go on after it was stopped.
///
/// @param directory where
/// @param every     how often that is renewed while training online
/// @param resume    whether to go on from what is there
/// @param keep      how many checkpoints of a run on servers and workers are kept, the newest; a run in one process
///                  keeps one
public record Checkpointing(Path directory, Duration every, boolean resume, int keep) {

    public static final int USUAL_KEEP = 2;

    public Checkpointing {
        if (keep < 1) {
            throw new IllegalArgumentException(keep + " checkpoints are to be kept; use 1 or more");
        }
    }

    public Checkpointing(Path directory, Duration every, boolean resume) {
        this(directory, every, resume, USUAL_KEEP);
    }

    /// Where a run in `directory` starts from nothing.
    public Checkpointing(Path directory, Duration every) {
        this(directory, every, false);
    }

    /// The same for a run that goes on.
    public Checkpointing resumed() {
        return new Checkpointing(directory, every, true, keep);
    }

    /// Whether there is something to go on from.
    public boolean isResumable() {
        try {
            return Files.exists(file()) || !generations().numbers().isEmpty();
        } catch (IOException e) {
            return false;
        }
    }

    /// Removes the checkpoint of a run in one process that is over.
    void forget() throws IOException {
        if (Files.deleteIfExists(file())) {
            try (Stream<Path> others = Files.list(directory)) {
                if (others.findAny().isEmpty()) {
                    Files.delete(directory);
                }
            }
        }
    }

    Generations generations() {
        return new Generations(directory, keep);
    }

    Path file() {
        return directory.resolve("run.checkpoint");
    }
}
