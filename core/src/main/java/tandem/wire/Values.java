package tandem.wire;

import java.util.Arrays;

/// The numbers of some rows, row by row: a piece of an array that other pieces may share, or the bytes that filters
/// made of it.
public sealed interface Values {

    /// `length` floats, `array[at]` first.
    record Floats(float[] array, int at, int length) implements Values {
        public Floats {
            check(array.length, at, length);
        }
    }

    /// `length` doubles, `array[at]` first.
    record Doubles(double[] array, int at, int length) implements Values {
        public Doubles {
            check(array.length, at, length);
        }
    }

    /// What the filters of a table made of the numbers; only they can read it.
    record Packed(byte[] bytes) implements Values {}

    static Values of(float... array) {
        return new Floats(array, 0, array.length);
    }

    static Values of(double... array) {
        return new Doubles(array, 0, array.length);
    }

    /// Numbers `from` until `from + length` of these, in the same array.
    default Values piece(int from, int length) {
        return switch (this) {
            case Floats(float[] array, int at, int all) -> {
                check(all, from, length);
                yield new Floats(array, at + from, length);
            }
            case Doubles(double[] array, int at, int all) -> {
                check(all, from, length);
                yield new Doubles(array, at + from, length);
            }
            case Packed _ -> throw new IllegalStateException("packed values have no pieces");
        };
    }

    /// The same in an array of its own.
    default Values detached() {
        return switch (this) {
            case Floats(float[] array, int at, int length) -> of(Arrays.copyOfRange(array, at, at + length));
            case Doubles(double[] array, int at, int length) -> of(Arrays.copyOfRange(array, at, at + length));
            case Packed(byte[] bytes) -> new Packed(bytes.clone());
        };
    }

    /// Puts these numbers into `into`, from its number `from` on; both are of one type.
    default void copyTo(Values into, int from) {
        if (this instanceof Floats(float[] array, int at, int length)
                && into instanceof Floats(float[] target, int start, int room)) {
            check(room, from, length);
            System.arraycopy(array, at, target, start + from, length);
        } else if (this instanceof Doubles(double[] array, int at, int length)
                && into instanceof Doubles(double[] target, int start, int room)) {
            check(room, from, length);
            System.arraycopy(array, at, target, start + from, length);
        } else {
            throw new IllegalArgumentException(
                    "values of one type cannot go where another is kept: a table holds" + " either floats or doubles");
        }
    }

    private static void check(int all, int at, int length) {
        if (at < 0 || length < 0 || at > all - length) {
            throw new IllegalArgumentException(length + " numbers from " + at + " on; there are " + all);
        }
    }
}
