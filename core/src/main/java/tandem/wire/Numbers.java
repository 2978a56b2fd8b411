package tandem.wire;

import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/// A kind of number that messages hold many of, and how bytes become an array of them.
///
/// @param bytes of one
/// @param what  they are called where some are missing
/// @param make  a new array
/// @param copy  puts numbers into an array
record Numbers<A>(int bytes, String what, IntFunction<A> make, Copy<A> copy) {

    static final Numbers<byte[]> BYTES = new Numbers<>(
            1, "bytes", byte[]::new, (from, into, at, count) -> from.get(from.position(), into, at, count));
    static final Numbers<int[]> INTS = new Numbers<>(
            Integer.BYTES,
            "numbers",
            int[]::new,
            (from, into, at, count) -> from.asIntBuffer().get(into, at, count));
    static final Numbers<long[]> LONGS = new Numbers<>(
            Long.BYTES,
            "keys",
            long[]::new,
            (from, into, at, count) -> from.asLongBuffer().get(into, at, count));
    static final Numbers<float[]> FLOATS = new Numbers<>(
            Float.BYTES,
            "values",
            float[]::new,
            (from, into, at, count) -> from.asFloatBuffer().get(into, at, count));
    static final Numbers<double[]> DOUBLES = new Numbers<>(
            Double.BYTES,
            "numbers",
            double[]::new,
            (from, into, at, count) -> from.asDoubleBuffer().get(into, at, count));

    /// Puts the `count` numbers at the position of a buffer into `into[at]` and on; the position stays.
    interface Copy<A> {
        void copy(ByteBuffer from, A into, int at, int count);
    }

    /// Takes numbers from the position of `from` on, as many as are there and at most `most`; how many those were.
    int take(ByteBuffer from, A into, int at, int most) {
        int count = Math.min(most, from.remaining() / bytes);
        copy.copy(from, into, at, count);
        from.position(from.position() + count * bytes);
        return count;
    }
}
