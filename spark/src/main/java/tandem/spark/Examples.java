package tandem.spark;

import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.rdd.PartitionPruningRDD;
import org.apache.spark.storage.StorageLevel;
import scala.runtime.AbstractFunction1;
import tandem.data.BadData;
import tandem.data.BadLines;
import tandem.data.Data;
import tandem.data.Elsewhere;
import tandem.data.Format;
import tandem.data.LineRows;
import tandem.data.PartTerms;
import tandem.data.RowBuffer;
import tandem.data.RowSummary;
import tandem.report.Json;

/// Examples in Spark, as blocks of rows, in a partition for each worker.
///
/// @param all     what there is to know of all of them
/// @param rows    how many each partition has
/// @param known   what the driver knows of them
/// @param sources what tells them from others, by name
/// @param shared  whether each worker has all of them, and its partition is only where they are kept
record Examples(
        JavaRDD<byte[]> blocks,
        RowSummary all,
        long[] rows,
        Elsewhere known,
        Map<String, String> sources,
        boolean shared) {

    /// Spreads blocks evenly over so many partitions, keeps them, and looks at them once.
    ///
    /// @param how the order of rows, the size of batches and what becomes of ids
    static Examples of(JavaRDD<byte[]> blocks, int parts, Data how, boolean hashes, Map<String, String> sources)
            throws IOException {
        JavaRDD<byte[]> spread =
                blocks.repartition(parts).setName("tandem examples").persist(StorageLevel.MEMORY_AND_DISK());
        boolean done = false;
        try {
            Examples examples = kept(spread, how, hashes, sources);
            done = true;
            return examples;
        } finally {
            if (!done) {
                spread.unpersist(false);
            }
        }
    }

    private static Examples kept(JavaRDD<byte[]> spread, Data how, boolean hashes, Map<String, String> sources)
            throws IOException {
        List<RowSummary> each = spread.mapPartitions(new Summary()).collect().stream()
                .map(bytes -> Json.read(bytes, RowSummary.class))
                .toList();
        PartTerms terms = PartTerms.of(each, how.batchRows(), how.seed(), how.hashBits(), hashes);
        long[] rows = each.stream().mapToLong(RowSummary::rows).toArray();
        RowSummary all = each.stream().reduce(RowSummary::plus).orElseThrow();
        return new Examples(spread, all, rows, new Elsewhere(terms, spread.reduce(Examples::lesser)), sources, false);
    }

    /// Of two blocks one, the same in whatever order they come: which is first in a partition changes from run to run,
    /// and what intercepts begin with follows from the block that stands for all.
    private static byte[] lesser(byte[] one, byte[] other) {
        return Arrays.compareUnsigned(one, other) <= 0 ? one : other;
    }

    /// Lines of text as blocks.
    ///
    /// @param first the first line of each file
    static JavaRDD<byte[]> of(JavaRDD<String> lines, Data data, String first) {
        return lines.mapPartitions(new Lines(data, first));
    }

    Examples withShared(boolean shared) {
        return new Examples(blocks, all, rows, known, sources, shared);
    }

    /// What a worker has, in one partition. If that is all, executors send each other what they keep.
    JavaRDD<byte[]> of(int worker) {
        return shared
                ? blocks.coalesce(1)
                : PartitionPruningRDD.create(blocks.rdd(), new Only(worker)).toJavaRDD();
    }

    /// How many rows that is, as a task is told.
    long rows(int worker) {
        return shared ? BerthTask.ALL : rows[worker];
    }

    /// Tells one partition from others.
    private static final class Only extends AbstractFunction1<Object, Object> implements Serializable {

        private static final long serialVersionUID = 1;

        private final int number;

        Only(int number) {
            this.number = number;
        }

        @Override
        public Object apply(Object partition) {
            return (Integer) partition == number;
        }
    }

    void forget() {
        blocks.unpersist(false);
    }

    /// What there is to know of a partition, as bytes.
    private static final class Summary implements FlatMapFunction<Iterator<byte[]>, byte[]> {

        private static final long serialVersionUID = 1;

        @Override
        public Iterator<byte[]> call(Iterator<byte[]> blocks) {
            return List.of(Json.bytes(RowSummary.of(blocks))).iterator();
        }
    }

    /// Reads lines.
    private static final class Lines implements FlatMapFunction<Iterator<String>, byte[]> {

        private static final long serialVersionUID = 1;

        private final byte[] format;
        private final long mostBadLines;
        private final String first;

        Lines(Data data, String first) {
            format = Json.bytes(data.format());
            mostBadLines = data.badLines() instanceof BadLines.Skip(long limit) ? limit : 0;
            this.first = first;
        }

        @Override
        public Iterator<byte[]> call(Iterator<String> lines) throws BadData {
            RowBuffer buffer = new RowBuffer();
            Data data = Data.of("the examples")
                    .withFormat(Json.read(format, Format.class))
                    .withBadLines(mostBadLines == 0 ? new BadLines.Fail() : new BadLines.Skip(mostBadLines));
            LineRows rows = new LineRows(data, first, buffer);
            return new Blocks<>(lines, buffer, rows::add);
        }
    }
}
