package tandem.spark;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function2;
import tandem.Berth;
import tandem.data.PartFile;
import tandem.data.PartTerms;
import tandem.link.Place;
import tandem.link.Secret;
import tandem.link.Trust;
import tandem.report.Json;
import tandem.runtime.RunDirectory;

/// A task over a partition of the examples that lasts as long as training does: packs them into a file of the executor
/// and is a host for the worker that learns from them, and for servers. Spark runs it again where the executor dies,
/// with the same examples.
final class BerthTask implements Function2<Integer, Iterator<byte[]>, Iterator<Boolean>> {

    private static final long serialVersionUID = 1;

    private static final long AGAIN_MILLIS = 1_000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Attempts of a stage count from 0 again.
    private static final int ATTEMPTS_A_STAGE = 1 << 16;

    private final byte[] terms;
    private final long[] rows;
    private final String coordinator;
    private final String secret;

    /// @param rows   how many each partition has
    /// @param secret null if there is none
    BerthTask(PartTerms terms, long[] rows, Place coordinator, String secret) {
        this.terms = Json.bytes(terms);
        this.rows = rows;
        this.coordinator = coordinator.toString();
        this.secret = secret;
    }

    /// Which life of a host an attempt is.
    static int life(int stageAttempt, int attempt) {
        return stageAttempt * ATTEMPTS_A_STAGE + attempt + 1;
    }

    @Override
    public Iterator<Boolean> call(Integer part, Iterator<byte[]> blocks) throws Exception {
        TaskContext context = TaskContext.get();
        PartTerms parts = Json.read(terms, PartTerms.class);
        try (RunDirectory directory = new RunDirectory()) {
            Path file = directory.path().resolve("part");
            Berth berth = new Berth(
                    part,
                    life(context.stageAttemptNumber(), context.attemptNumber()),
                    (Place.Tcp) Place.of(coordinator),
                    secret == null ? null : Trust.of(Secret.of(secret)),
                    file,
                    parts,
                    PATIENCE);
            if (!berth.isMissing()) {
                // When blocks are lost Spark starts all tasks of a stage again, those that still run as well. Others
                // get this slot, and Spark tries again.
                Thread.sleep(AGAIN_MILLIS);
                throw new IllegalStateException("host " + part + " is there already");
            }
            PartFile.write(file, part, parts, rows[part], blocks);
            berth.run();
        }
        return Collections.emptyIterator();
    }
}
