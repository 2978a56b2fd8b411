package tandem.server;

import java.util.Arrays;
import tandem.wire.Upkeep;

/// Which keys of a shard have a row, where not all can: who comes in, who goes, and which slots are free.
///
/// A key comes in with its `admitAt`-th update, as far as a [Sketch] can tell, if there is room. Once little room is
/// left, the rows with the fewest updates go, an eighth of what fits, those of equals whose keys are less first; then
/// all counts are halved, so that what was popular long ago does not stay for ever. The slots of rows that went stay in
/// quarantine until the next update: who resolved them before may still read them. Going raises the generation, and
/// lists of slots of an earlier one are not to be believed.
final class Tending {

    /// The most slots that are made, and how few may be left before rows go.
    private final int most;

    private final int reserve;
    private final int admitAt;
    private final Sketch sketch;

    /// By slot: updates, halved now and then.
    private int[] counts = new int[0];

    private int made;

    /// Slots without a row: those that can be used, and after them those in quarantine.
    private int[] spare = new int[0];

    private int free;
    private int quarantined;
    private long generation;

    private long admitted;
    private long refused;
    private long evicted;

    /// How it went so far, in this shard.
    ///
    /// @param admitted keys that got a row
    /// @param refused  keys of updates that had none and got none
    /// @param evicted  rows that went
    record Tally(long admitted, long refused, long evicted) {}

    /// @param rowBytes the memory that a number of slots take in all, with what else they need
    Tending(Upkeep upkeep, Bytes rowBytes) {
        admitAt = upkeep.admitAt();
        sketch = admitAt == 1 ? null : new Sketch(upkeep.sketchBytes());
        long room = upkeep.rowBytes() - (sketch == null ? 0 : sketch.bytes());
        int low = 0;
        int high = 1 << 28;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (rowBytes.of(middle) + 2L * Integer.BYTES * middle <= room) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        most = low;
        reserve = Math.max(1, most / 16);
    }

    /// The memory of so many slots.
    @FunctionalInterface
    interface Bytes {
        long of(int slots);
    }

    long generation() {
        return generation;
    }

    /// Slots with a row.
    int live() {
        return made - free - quarantined;
    }

    long bytes() {
        return (long) Integer.BYTES * (counts.length + spare.length) + (sketch == null ? 0 : sketch.bytes());
    }

    Tally tally() {
        return new Tally(admitted, refused, evicted);
    }

    /// Begins an update: what is in quarantine can be used from now on.
    void begin() {
        free += quarantined;
        quarantined = 0;
    }

    /// Counts an update of the row in `slot`.
    void touch(int slot) {
        counts[slot]++;
    }

    /// Whether an update of a key without a row brings it one.
    boolean admits(long key) {
        if ((sketch == null || sketch.add(key) >= admitAt) && isRoom()) {
            return true;
        }
        refused++;
        return false;
    }

    boolean isRoom() {
        return free > 0 || made < most;
    }

    /// A slot for a new row; there must be room.
    int next() {
        admitted++;
        if (free > 0) {
            // Those in quarantine come after the free ones, so the last of them takes the place.
            int slot = spare[--free];
            spare[free] = spare[free + quarantined];
            counts[slot] = admitAt;
            return slot;
        }
        if (made == counts.length) {
            counts = Arrays.copyOf(counts, (int) Math.min(most, Math.max(64L, 2L * made)));
        }
        counts[made] = admitAt;
        return made++;
    }

    /// Whether rows have to go. What is in quarantine will be free, so once is enough.
    boolean isShort() {
        return made == most && free + quarantined < reserve && live() > 0;
    }

    /// Puts rows of `index` out until there is room again, and returns their slots; there must be some.
    int[] sweep(KeyIndex index) {
        int out = Math.min(live(), Math.max(1, most / 8));
        int[] lowest = new int[live()];
        int[] at = {0};
        index.forEach((_, slot) -> lowest[at[0]++] = counts[slot]);
        Arrays.sort(lowest);
        int bound = lowest[out - 1];
        long last = lastOfEquals(index, bound, (int)
                (out - Arrays.stream(lowest).filter(count -> count < bound).count()));
        long[] keys = new long[out];
        int[] slots = new int[out];
        at[0] = 0;
        index.forEach((key, slot) -> {
            if (counts[slot] < bound || counts[slot] == bound && Long.compareUnsigned(key, last) <= 0) {
                keys[at[0]] = key;
                slots[at[0]++] = slot;
            }
        });
        for (long key : keys) {
            index.remove(key);
        }
        for (int slot = 0; slot < made; slot++) {
            counts[slot] >>= 1;
        }
        keep(slots);
        evicted += out;
        generation++;
        return slots;
    }

    /// The greatest of the `out` least keys whose rows have `count` updates. The index shows keys in an order that
    /// depends on how they came, and two servers that hold the same rows must let the same ones go.
    private long lastOfEquals(KeyIndex index, int count, int out) {
        long[] equals = new long[live()];
        int[] at = {0};
        index.forEach((key, slot) -> {
            if (counts[slot] == count) {
                equals[at[0]++] = key ^ Long.MIN_VALUE; // so that their order is that of signed numbers
            }
        });
        Arrays.sort(equals, 0, at[0]);
        return equals[out - 1] ^ Long.MIN_VALUE;
    }

    private void keep(int[] slots) {
        int used = free + quarantined;
        if (spare.length < used + slots.length) {
            spare = Arrays.copyOf(spare, Math.min(most, Math.max(used + slots.length, 2 * spare.length)));
        }
        System.arraycopy(slots, 0, spare, used, slots.length);
        quarantined += slots.length;
    }
}
