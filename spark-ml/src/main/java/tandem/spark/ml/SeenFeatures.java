package tandem.spark.ml;

import java.util.List;
import tandem.math.Parallel;

/// The features that rows have, in order, and the place of each among them: a bit a feature, and a number for every 64
/// of them, so that what is kept for each does not grow with those that never come.
final class SeenFeatures {

    private final long[] seen;
    private final int[] before;

    private SeenFeatures(long[] seen) {
        this.seen = seen;
        before = new int[seen.length + 1];
        for (int w = 0; w < seen.length; w++) {
            before[w + 1] = before[w] + Long.bitCount(seen[w]);
        }
    }

    /// @param features how long vectors are
    static SeenFeatures of(List<FrameRows> parts, int features, Parallel parallel) {
        long[][] each = new long[parts.size()][];
        parallel.run(parts.size(), p -> {
            long[] bits = new long[(features >>> 6) + 1];
            FrameRows rows = parts.get(p);
            for (int e = 0; e < rows.entries(); e++) {
                int feature = rows.features()[e];
                if (feature >= features) {
                    throw new IllegalArgumentException("an example has feature " + feature + ", and vectors have "
                            + features + " here; use vectors of one length");
                }
                bits[feature >>> 6] |= 1L << feature;
            }
            each[p] = bits;
        });
        long[] all = new long[(features >>> 6) + 1];
        for (long[] bits : each) {
            for (int w = 0; w < all.length; w++) {
                all[w] |= bits[w];
            }
        }
        return new SeenFeatures(all);
    }

    int count() {
        return before[seen.length];
    }

    /// Which of those that were seen a feature is, from 0.
    int place(int feature) {
        int word = feature >>> 6;
        return before[word] + Long.bitCount(seen[word] & ((1L << feature) - 1));
    }

    /// The ids of those that were seen: feature j is id j + 1.
    long[] ids() {
        long[] ids = new long[count()];
        int place = 0;
        for (int w = 0; w < seen.length; w++) {
            for (long bits = seen[w]; bits != 0; bits &= bits - 1) {
                ids[place++] = 64L * w + Long.numberOfTrailingZeros(bits) + 1;
            }
        }
        return ids;
    }
}
