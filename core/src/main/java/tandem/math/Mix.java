package tandem.math;

/// A reversible scrambling of 64-bit ids, so that small and clustered ids spread over the whole
/// unsigned key space. Keys are ids after [#mix]; models and files show ids before it.
public final class Mix {

    private static final long FIRST = 0xbf58476d1ce4e5b9L;
    private static final long SECOND = 0x94d049bb133111ebL;
    private static final long FIRST_INVERSE = inverse(FIRST);
    private static final long SECOND_INVERSE = inverse(SECOND);

    private Mix() {}

    /// The key of `id` (the finaliser of splitmix64).
    public static long mix(long id) {
        long x = (id ^ (id >>> 30)) * FIRST;
        x = (x ^ (x >>> 27)) * SECOND;
        return x ^ (x >>> 31);
    }

    /// The id whose key is `key`.
    public static long unmix(long key) {
        long x = (key ^ (key >>> 31) ^ (key >>> 62)) * SECOND_INVERSE;
        x = (x ^ (x >>> 27) ^ (x >>> 54)) * FIRST_INVERSE;
        return x ^ (x >>> 30) ^ (x >>> 60);
    }

    /// Newton's iteration for 1/odd modulo 2⁶⁴; each round doubles the correct bits.
    private static long inverse(long odd) {
        long x = odd;
        for (int round = 0; round < 6; round++) {
            x *= 2 - odd * x;
        }
        return x;
    }
}
