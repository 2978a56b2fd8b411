package tandem.wire;

/// Who gets a row of a table whose keys never end, and how much memory they get together.
///
/// A key that has no row is counted in a sketch, and gets one with its `admitAt`-th update; what it was sent before is
/// dropped, and it reads as rows begin. When a row does not fit into `mostBytes`, those that were updated least go.
///
/// @param admitAt     updates that a key must be in before it gets a row; 1 for the first
/// @param sketchBytes memory for counting keys without a row, over all shards; 0 if `admitAt` is 1
/// @param mostBytes   memory for rows, their index, the sketch and remembered lists of keys, over all shards;
///                    [Long#MAX_VALUE] for no limit
public record Upkeep(int admitAt, long sketchBytes, long mostBytes) {

    /// Every key gets a row, for good.
    public static final Upkeep NONE = new Upkeep(1, 0, Long.MAX_VALUE);

    private static final int MOST_COUNT = 255;
    private static final long LEAST_BYTES = 1 << 10;

    /// Lists of keys get an eighth.
    private static final int LISTS = 8;

    public Upkeep {
        if (admitAt < 1 || admitAt > MOST_COUNT) {
            throw new IllegalArgumentException("a key is to get a row with its update number " + admitAt + "; use 1 to "
                    + MOST_COUNT + ", as counts are single bytes");
        }
        if (admitAt > 1 && sketchBytes < LEAST_BYTES || sketchBytes < 0) {
            throw new IllegalArgumentException(
                    "a sketch of " + sketchBytes + " bytes to count keys in; use " + LEAST_BYTES + " or more");
        }
        if (mostBytes - sketchBytes < LEAST_BYTES) {
            throw new IllegalArgumentException("a table of at most " + mostBytes + " bytes, of which " + sketchBytes
                    + " are for counting keys; leave " + LEAST_BYTES + " or more for rows");
        }
    }

    /// Whether every key gets a row and none loses it.
    public boolean keepsAll() {
        return admitAt == 1 && mostBytes == Long.MAX_VALUE;
    }

    /// What of the memory is for remembered lists of keys.
    public long listBytes() {
        return mostBytes == Long.MAX_VALUE ? mostBytes : mostBytes / LISTS;
    }

    /// What of the memory is for rows, their index and the sketch.
    public long rowBytes() {
        return mostBytes == Long.MAX_VALUE ? mostBytes : mostBytes - listBytes();
    }

    /// The share of one of `shards` shards.
    public Upkeep share(int shards) {
        return new Upkeep(
                admitAt,
                admitAt == 1 ? 0 : Math.max(LEAST_BYTES, sketchBytes / shards),
                mostBytes == Long.MAX_VALUE ? mostBytes : mostBytes / shards);
    }
}
