package tandem.data;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import tandem.math.Parallel;

/// A worker's share of a data set, by columns: all features of some examples, or some features of all.
///
/// @param features how many features each row has, those included that are not in the share
public record ColumnShare(Columns columns, int[] features) {

    /// The examples of one stream of all.
    public static ColumnShare ofExamples(Batches batches, int stream, int streams) throws IOException {
        return read(batches.pass(0, stream, streams), _ -> true);
    }

    /// All examples, in the same order whoever asks, with the features whose keys are `wanted`.
    public static ColumnShare ofFeatures(Batches batches, LongPredicate wanted) throws IOException {
        return read(batches.pass(0, 0), wanted);
    }

    private static ColumnShare read(Batches.Pass pass, LongPredicate wanted) throws IOException {
        KeyNumbers numbers = new KeyNumbers();
        List<RowPart> parts = new ArrayList<>();
        List<int[]> counts = new ArrayList<>();
        for (Batch batch = new Batch(); pass.next(batch); ) {
            int[] count = new int[batch.rows()];
            for (int i = 0; i < count.length; i++) {
                count[i] = batch.starts()[i + 1] - batch.starts()[i];
            }
            counts.add(count);
            parts.add(RowPart.of(batch, numbers, wanted));
        }
        return new ColumnShare(
                new Transposition(parts, Parallel.SEQUENTIAL, 1).columns(),
                counts.stream().flatMapToInt(Arrays::stream).toArray());
    }
}
