package tandem.data;

/// How many rows of each part have each key, of the parts that need it: a number for each pair that there is.
final class PartCounts {

    private final long[] needed;

    /// By key, where its counts begin.
    private final int[] starts;

    private final int[] counts;

    /// None yet.
    ///
    /// @param needed by key, the parts that need it, as bits
    PartCounts(long[] needed) {
        this.needed = needed;
        starts = new int[needed.length];
        int pairs = 0;
        for (int key = 0; key < needed.length; key++) {
            starts[key] = pairs;
            pairs = Math.addExact(pairs, Long.bitCount(needed[key]));
        }
        counts = new int[pairs];
    }

    /// A row of a part that needs it has a key.
    void add(int key, int part) {
        counts[at(key, part)]++;
    }

    int keys() {
        return needed.length;
    }

    boolean needs(int part, int key) {
        return (needed[key] >>> part & 1) != 0;
    }

    /// Of a part that needs it.
    int rows(int key, int part) {
        return counts[at(key, part)];
    }

    private int at(int key, int part) {
        return starts[key] + Long.bitCount(needed[key] & ((1L << part) - 1));
    }
}
