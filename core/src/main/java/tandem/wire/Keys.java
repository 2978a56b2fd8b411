package tandem.wire;

import tandem.math.Hash;

/// Keys, ascending as unsigned numbers: a list, a list known by its signature, the bytes that a filter made of a list,
/// or all from one number on.
///
/// @param list      may be longer than `count`; null if only the signature or packed keys were sent, or for a range
/// @param packed    what the filters of a table made of the list; only they can read it; else null
/// @param first     the first key of a range
/// @param signature stands for the whole of a list; null if it is not worth remembering
public record Keys(long[] list, byte[] packed, long first, int count, Hash.Signature signature) {

    /// A list to be remembered where it arrives, because it comes again.
    public static Keys repeated(long[] list, int count) {
        return known(list, count, Hash.signature(list, count));
    }

    /// The same, where the signature has been computed before.
    public static Keys known(long[] list, int count, Hash.Signature signature) {
        return new Keys(list, null, 0, count, signature);
    }

    /// A list for one use.
    public static Keys once(long[] list, int count) {
        return new Keys(list, null, 0, count, null);
    }

    /// All keys from `first` on, so many: they travel as two numbers.
    public static Keys range(long first, int count) {
        return new Keys(null, null, first, count, null);
    }

    /// `count` keys as bytes.
    public static Keys packed(byte[] bytes, int count, Hash.Signature signature) {
        return new Keys(null, bytes, 0, count, signature);
    }

    /// The same without the list.
    public Keys bare() {
        return new Keys(null, null, 0, count, signature);
    }

    public boolean isBare() {
        return list == null && packed == null && signature != null;
    }

    public boolean isRange() {
        return list == null && packed == null && signature == null;
    }

    public boolean isPacked() {
        return packed != null;
    }

    /// Key number `k`; there must be a list or a range.
    public long at(int k) {
        return list == null ? first + k : list[k];
    }

    /// The first position from `from` on, and not after `to`, whose key is not below `key`.
    public int positionOf(long key, int from, int to) {
        if (isRange()) {
            if (Long.compareUnsigned(key, first) <= 0) {
                return from;
            }
            long ahead = key - first;
            return Long.compareUnsigned(ahead, to) >= 0 ? to : Math.max(from, (int) ahead);
        }
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(list[middle], key) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
