package tandem.math;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Seeded 64-bit hashes of bytes and numbers, and a 128-bit signature of a key list.
///
/// Every step is a bijection of the state for a given word and of the word for a given state, so words
/// of equal length collide only by chance. Not meant against someone who looks for collisions.
public final class Hash {

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long FIRST = 0x9e3779b97f4a7c15L;
    private static final long SECOND = 0xd6e8feb86659fd93L;
    private static final long THIRD = 0xa0761d6478bd642fL;
    private static final long FOURTH = 0xe7037ed1a0b428dbL;

    private Hash() {}

    /// Two independent 64-bit lanes over the same list.
    public record Signature(long high, long low) {}

    /// The hash of `bytes[from]` until `bytes[to]`.
    public static long bytes(long seed, byte[] bytes, int from, int to) {
        long h = seed ^ (to - from) * FIRST;
        int at = from;
        for (; at + 8 <= to; at += 8) {
            h = step(h, (long) WORD.get(bytes, at));
        }
        long last = 0;
        for (int shift = 0; at < to; at++, shift += 8) {
            last |= (bytes[at] & 0xffL) << shift;
        }
        return Mix.mix(step(h, last));
    }

    /// The hash of one number.
    public static long number(long seed, long number) {
        return Mix.mix(step(Mix.mix(seed + FIRST), number));
    }

    /// A number in [0, 1) from a hash, uniform if the hash is.
    public static double fraction(long hash) {
        return (hash >>> 11) * 0x1p-53;
    }

    /// The signature of the first `count` keys.
    public static Signature signature(long[] keys, int count) {
        long high = count ^ THIRD;
        long low = count ^ FOURTH;
        for (int i = 0; i < count; i++) {
            long key = keys[i];
            high = Long.rotateLeft(high ^ key * FIRST, 31) * THIRD;
            low = Long.rotateLeft(low ^ key * FOURTH, 27) * SECOND;
        }
        return new Signature(Mix.mix(high), Mix.mix(low));
    }

    private static long step(long h, long word) {
        return Long.rotateLeft(h ^ word * FIRST, 31) * SECOND;
    }
}
