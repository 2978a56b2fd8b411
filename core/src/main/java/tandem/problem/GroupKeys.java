package tandem.problem;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import tandem.math.Mix;

/// Keys under which the members of a group of ids follow each other, so that a range of keys has whole groups; any
/// other id keeps its mixed key.
///
/// Ids from `firsts[r]` to `lasts[r]` have the keys from `slots[r]` on, and group g those from `begins[g]` to
/// `ends[g]`. All are unsigned and include both ends; ids and groups ascend, neither ids nor groups overlap.
///
/// @param bySlot the numbers of the ranges of ids, ascending by their keys
public record GroupKeys(long[] firsts, long[] lasts, long[] slots, int[] bySlot, long[] begins, long[] ends) {

    /// The mark of a key that belongs to no group.
    public static final int ALONE = -1;

    public static GroupKeys of(long[] firsts, long[] lasts, long[] slots, long[] begins, long[] ends) {
        int[] order = IntStream.range(0, slots.length)
                .boxed()
                .sorted(Comparator.comparing(r -> slots[r], Long::compareUnsigned))
                .mapToInt(Integer::intValue)
                .toArray();
        return new GroupKeys(firsts, lasts, slots, order, begins, ends);
    }

    /// The group of a key, [#ALONE] if it is of none.
    public int group(long key) {
        int group = last(begins, key);
        return group >= 0 && Long.compareUnsigned(key, ends[group]) <= 0 ? group : ALONE;
    }

    /// The key of an id, whose mixed key is given. Where others have been put in the place of an id that is in no
    /// group, it gets the place of one of them, and so on: every id has a key, and none the same as another.
    public long key(long mixed) {
        int range = range(mixed);
        if (range >= 0) {
            return slot(range, mixed);
        }
        long key = mixed;
        while (group(key) != ALONE) {
            key = member(key);
        }
        return key;
    }

    /// The mixed key of the id whose key is given: [#key] the other way.
    public long mixed(long key) {
        if (group(key) != ALONE) {
            return member(key);
        }
        long mixed = key;
        for (int range = range(mixed); range >= 0; range = range(mixed)) {
            mixed = slot(range, mixed);
        }
        return mixed;
    }

    private long slot(int range, long mixed) {
        return slots[range] + (Mix.unmix(mixed) - firsts[range]);
    }

    /// The mixed key of the member that has a key.
    private long member(long key) {
        int low = 0;
        int high = bySlot.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (Long.compareUnsigned(slots[bySlot[middle]], key) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        int range = bySlot[low];
        return Mix.mix(firsts[range] + (key - slots[range]));
    }

    /// The range of an id, by its mixed key; negative if it is in none.
    private int range(long mixed) {
        long id = Mix.unmix(mixed);
        int range = last(firsts, id);
        return range >= 0 && Long.compareUnsigned(id, lasts[range]) <= 0 ? range : -1;
    }

    /// The number of the last of ascending numbers that is not above another; −1 if all are.
    private static int last(long[] ascending, long number) {
        int low = -1;
        int high = ascending.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >> 1;
            if (Long.compareUnsigned(ascending[middle], number) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /// Keys in the place of mixed ones.
    public long[] keys(long[] mixed) {
        return Arrays.stream(mixed).map(this::key).toArray();
    }
}
