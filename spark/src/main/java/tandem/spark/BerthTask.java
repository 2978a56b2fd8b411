package tandem.spark;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import tandem.Berth;
import tandem.data.PartFile;
import tandem.data.PartTerms;
import tandem.link.Place;
import tandem.report.Json;
import tandem.runtime.RunDirectory;

/// A task over a partition of the examples, or over all of them, that lasts as long as training does: packs them into a
/// file of the executor and is a host for the worker that learns from them, and for servers. Spark runs it again where
/// the executor dies, with the same examples.
final class BerthTask implements FlatMapFunction<Iterator<byte[]>, Boolean> {

    private static final long serialVersionUID = 1;

    static final long ALL = -1;

    private static final long AGAIN_MILLIS = 1_000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Attempts of a stage count from 0 again.
    private static final int ATTEMPTS_A_STAGE = 1 << 16;

    private final int part;
    private final byte[] terms;
    private final long rows;
    private final String coordinator;
    private final JobSecret secret;

    /// @param part which partition it is over
    /// @param rows how many that has; [#ALL] if it is over all partitions
    BerthTask(int part, PartTerms terms, long rows, Place coordinator, JobSecret secret) {
        this.part = part;
        this.terms = Json.bytes(terms);
        this.rows = rows;
        this.coordinator = coordinator.toString();
        this.secret = secret;
    }

    /// Another host of this number is there, or is not yet known to have died.
    static final class Early extends RuntimeException {

        private static final long serialVersionUID = 1;

        Early(String message) {
            super(message);
        }
    }

    /// Which life of a host an attempt is.
    static int life(int stageAttempt, int attempt) {
        return stageAttempt * ATTEMPTS_A_STAGE + attempt + 1;
    }

    @Override
    public Iterator<Boolean> call(Iterator<byte[]> blocks) throws Exception {
        TaskContext context = TaskContext.get();
        PartTerms parts = Json.read(terms, PartTerms.class);
        try (RunDirectory directory = new RunDirectory()) {
            Path file = directory.path().resolve("part");
            Berth berth = new Berth(
                    part,
                    life(context.stageAttemptNumber(), context.attemptNumber()),
                    (Place.Tcp) Place.of(coordinator),
                    secret.trust(),
                    file,
                    parts,
                    PATIENCE);
            if (!berth.isMissing()) {
                // The one before may not be known to have died; Spark tries again.
                Thread.sleep(AGAIN_MILLIS);
                throw new Early("host " + part + " is there already");
            }
            if (rows == ALL) {
                PartFile.writeAll(file, parts, blocks);
            } else {
                PartFile.write(file, part, parts, rows, blocks);
            }
            berth.run();
        }
        return Collections.emptyIterator();
    }
}
