package tandem.worker;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import tandem.problem.GroupKeys;
import tandem.problem.Loss;

/// What workers learn together block by block: the loss of `target` labels, positives counted `positiveWeight` times.
/// Features are cut into blocks by ranges of their keys, which lie at random; the intercept is a block of its own.
///
/// @param table     the number of the table of weights
/// @param intercept that of the intercept's table, or a negative number for none
/// @param ranges    how many blocks there are for features
/// @param proven    whether curvatures are bounded whatever moves, not only as long as one weight does
/// @param groups    keys under which features that move together are in one block; null if each moves by itself
/// @param seed      what the order of blocks follows from
public record BlockTask(
        Loss loss,
        Target target,
        double positiveWeight,
        int table,
        int intercept,
        int ranges,
        boolean proven,
        GroupKeys groups,
        long seed) {

    public BlockTask {
        if (ranges < 1) {
            throw new IllegalArgumentException(ranges + " blocks; use 1 or more");
        }
    }

    /// How many blocks there are, with that of the intercept, which is the last.
    public int blocks() {
        return ranges + (intercept < 0 ? 0 : 1);
    }

    /// The blocks in random order.
    public static int[] order(int blocks, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] order = IntStream.range(0, blocks).toArray();
        for (int k = blocks - 1; k > 0; k--) {
            int other = random.nextInt(k + 1);
            int one = order[k];
            order[k] = order[other];
            order[other] = one;
        }
        return order;
    }

    /// The block of a key.
    public static int block(long key, int ranges) {
        return (int) Math.min(ranges - 1, Long.divideUnsigned(key, Long.divideUnsigned(-1, ranges)));
    }

    /// The first key of a block; the last one ends where keys do.
    static long firstKey(int block, int ranges) {
        return block * Long.divideUnsigned(-1, ranges);
    }
}
