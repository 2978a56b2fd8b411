package tandem.math;

/// The unsigned 64-bit numbers, cut into ranges of equal length.
public final class KeySpace {

    private KeySpace() {}

    /// Which of so many ranges holds `key`.
    public static int range(long key, int ranges) {
        return (int) Math.unsignedMultiplyHigh(key, ranges);
    }

    /// The least key of a range.
    public static long first(int range, int ranges) {
        // The least key with key·ranges ≥ range·2⁶⁴, that is ⌈range·2⁶⁴ / ranges⌉.
        long whole = Long.divideUnsigned(-1L, ranges) * range;
        long rest = Long.remainderUnsigned(-1L, ranges) * range + range;
        return whole + Math.ceilDiv(rest, ranges);
    }
}
