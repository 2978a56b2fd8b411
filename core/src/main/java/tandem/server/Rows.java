package tandem.server;

import tandem.wire.Age;
import tandem.wire.Values;

/// The rows of a shard by slot, and the rule that changes them. Rows lie in slabs that are only appended, so that a
/// slot once given out stays good. Belongs to one thread.
///
/// A row is entries side by side, each the weight and what the rule remembers of it.
sealed interface Rows permits FloatRows, DoubleRows, VariableRows {

    /// Slots a slab, as a power of two, and how many the first slab begins with.
    int SHIFT = 12;

    int SLAB = 1 << SHIFT;
    int FIRST = 64;

    /// The most numbers in a slab of rows that are all there from the start.
    int MOST_NUMBERS = 1 << 24;

    /// Slots a slab, as a power of two, where `count` rows of `stride` numbers are there from the start.
    static int shift(int count, int stride) {
        int shift = SHIFT;
        while (1L << shift < count && (2L << shift) * stride <= MOST_NUMBERS) {
            shift++;
        }
        return shift;
    }

    /// Makes the row of `slot` as rows begin, whatever was there. Slots come one after the other, or again.
    void make(int slot, long key);

    /// Makes each entry of a row stand for `weight`.
    void start(int slot, double weight);

    /// Makes a row as long as can be, and the numbers beside its weight those of `beside` from `from` on; only where
    /// rows have lengths of their own.
    default void start(int slot, float[] beside, int from) {
        throw new IllegalArgumentException("a row of a fixed length has nothing beside its weight to start from");
    }

    /// The weights of rows, in the order of their slots; as rows begin where a slot is [KeyIndex#NONE].
    Values read(int[] slots, int count);

    /// The weights of `count` rows whose slots follow each other from `first` on, all made before.
    Values read(int first, int count);

    /// The same without copying them, if they lie side by side; they are good until a row changes.
    Values lend(int first, int count);

    /// Whether `values` are what [#update] takes for `count` rows.
    boolean takes(Values values, int count);

    /// Says how old the gradients are that are applied next.
    default void meet(Age age) {}

    /// Applies a row of gradients at each slot but those that are [KeyIndex#NONE].
    void update(int[] slots, int count, Values gradients);

    /// Applies a row of gradients at each of `count` slots that follow each other from `first` on.
    void update(int first, int count, Values gradients);

    /// Whether rows change when a clock is over, by [#settle].
    default boolean settles() {
        return false;
    }

    /// Changes the rows at slots, but those that are [KeyIndex#NONE], by what was pushed in a clock that is over.
    default void settle(int[] slots, int count) {}

    /// The same for `count` slots that follow each other from `first` on.
    default void settle(int first, int count) {}

    /// Whether all rows that were pushed to in a clock change together.
    default boolean settlesTogether() {
        return false;
    }

    /// Changes the rows of ascending keys, at these slots, together.
    default void settle(long[] keys, int[] slots) {}

    /// Whether what the rule made of the last clock left what is pulled of a row as it was.
    default boolean stayed(int slot) {
        return false;
    }

    /// Rows with all that the rule remembers of them, in the order of their slots.
    Values states(int[] slots, int count);

    /// Whether `states` are what [#put] takes for `count` rows.
    boolean takesStates(Values states, int count);

    /// Puts rows, as [#states] gave them, into slots that have been made.
    void put(int[] slots, int count, Values states);

    /// Slots that follow each other for so long are worked on together; others in blocks of the second length, whose
    /// rows are looked at first, so that they come into the processor's cache side by side.
    int LONG = 8;

    int BLOCK = 64;

    /// How many of `slots`, from number `k` on, follow each other within a slab.
    static int run(int[] slots, int k, int count) {
        int first = slots[k];
        int most = first == KeyIndex.NONE ? 1 : Math.min(count - k, SLAB - (first & (SLAB - 1)));
        int run = 1;
        while (run < most && slots[k + run] == first + run) {
            run++;
        }
        return run;
    }

    /// A row to be looked at, which [Cursor#at] moves from slot to slot.
    Cursor cursor();

    /// The memory that the rows take.
    long bytes();

    /// The memory that so many rows would take.
    long bytes(int slots);

    /// How many rows there is room for where `slots` are wanted: slabs come whole, but for the first.
    static long room(int slots) {
        return slots <= SLAB
                ? Math.max(FIRST, slots == 0 ? 0 : Integer.highestOneBit(2 * slots - 1))
                : Math.ceilDiv(slots, SLAB) * (long) SLAB;
    }
}
