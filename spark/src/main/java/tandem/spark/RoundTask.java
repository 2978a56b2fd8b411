package tandem.spark;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.broadcast.Broadcast;
import tandem.AveragingRound;
import tandem.data.PartTerms;
import tandem.report.Json;

/// A partition's part of a round of averaging: from the average that was broadcast, steps on the next batch. Spark does
/// it again where an executor dies, with the same examples, average and steps.
final class RoundTask implements Function2<Integer, Iterator<byte[]>, Iterator<byte[]>> {

    private static final long serialVersionUID = 1;

    private final String group;
    private final byte[] round;
    private final byte[] terms;
    private final long[] rows;
    private final Broadcast<byte[]> average;

    /// @param group what tells the examples from those of other jobs
    /// @param rows  how many each partition has
    RoundTask(String group, AveragingRound round, PartTerms terms, long[] rows, Broadcast<byte[]> average) {
        this.group = group;
        this.round = round.bytes();
        this.terms = Json.bytes(terms);
        this.rows = rows;
        this.average = average;
    }

    @Override
    public Iterator<byte[]> call(Integer part, Iterator<byte[]> blocks) throws IOException {
        PartTerms parts = Json.read(terms, PartTerms.class);
        PackedParts.forget(group, false); // one job at a time
        return List.of(AveragingRound.of(round)
                        .share(average.value(), PackedParts.of(group, part, parts, rows[part], blocks)))
                .iterator();
    }
}
