package tandem.data;

import java.util.Arrays;
import java.util.stream.Stream;
import tandem.math.Mix;

/// A batch from rows written out in a test.
public final class HandBatch {

    private HandBatch() {}

    /// Row `r` has the ids `ids[r]` with `values[r]` and the label `labels[r]`.
    public static Batch of(long[][] ids, float[][] values, double[] labels) {
        long[] keys = Stream.of(ids)
                .flatMapToLong(Arrays::stream)
                .distinct()
                .map(Mix::mix)
                .boxed()
                .sorted(Long::compareUnsigned)
                .mapToLong(key -> key)
                .toArray();
        int entries = Stream.of(ids).mapToInt(row -> row.length).sum();
        Batch batch = new Batch();
        batch.resize(0, ids.length, entries, keys.length);
        System.arraycopy(keys, 0, batch.keys(), 0, keys.length);
        int entry = 0;
        for (int row = 0; row < ids.length; row++) {
            batch.starts()[row] = entry;
            batch.labels()[row] = labels[row];
            batch.weights()[row] = 1;
            for (int i = 0; i < ids[row].length; i++) {
                int position = 0;
                while (keys[position] != Mix.mix(ids[row][i])) {
                    position++;
                }
                batch.positions()[entry] = position;
                batch.values()[entry++] = values[row][i];
            }
        }
        batch.starts()[ids.length] = entry;
        return batch;
    }
}
