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

    /// `rows` rows of lengths of their own: number `r` is `lengths[from + r]` floats, `array[starts[from + r]]` first.
    record Ragged(float[] array, int[] starts, int[] lengths, int from, int rows) implements Values {
        public Ragged {
            check(Math.min(starts.length, lengths.length), from, rows);
        }

        /// Room for `rows` rows of up to `width` floats, which a pull fills with rows and their lengths.
        public static Ragged room(int rows, int width) {
            int[] starts = new int[rows];
            Arrays.setAll(starts, row -> row * width);
            return new Ragged(new float[Math.multiplyExact(rows, width)], starts, new int[rows], 0, rows);
        }

        /// Rows of these lengths that lie one after the other in `array`.
        public static Ragged packed(float[] array, int... lengths) {
            int[] starts = new int[lengths.length];
            for (int row = 1; row < starts.length; row++) {
                starts[row] = Math.addExact(starts[row - 1], lengths[row - 1]);
            }
            return new Ragged(array, starts, lengths, 0, lengths.length);
        }

        /// Other numbers in rows of the same lengths, at the same places: gradients of rows that were pulled.
        public Ragged with(float[] other) {
            return new Ragged(other, starts, lengths, from, rows);
        }

        public int length(int row) {
            return lengths[from + row];
        }

        /// Where the numbers of a row start.
        public int start(int row) {
            return starts[from + row];
        }

        /// How many numbers fit where a row starts, before the next one.
        public int room(int row) {
            int next = from + row + 1;
            return (next < starts.length ? starts[next] : array.length) - start(row);
        }

        /// How many numbers there are in all.
        int count() {
            int count = 0;
            for (int row = 0; row < rows; row++) {
                count = Math.addExact(count, length(row));
            }
            return count;
        }

        /// The numbers of all rows, one after the other, in an array of their own.
        public Floats sideBySide() {
            float[] own = new float[count()];
            for (int row = 0, to = 0; row < rows; to += length(row++)) {
                System.arraycopy(array, start(row), own, to, length(row));
            }
            return new Floats(own, 0, own.length);
        }

        private Ragged compact() {
            return packed(sideBySide().array(), Arrays.copyOfRange(lengths, from, from + rows));
        }

        private void copyRows(Ragged into, int first) {
            check(into.rows, first, rows);
            for (int row = 0; row < rows; row++) {
                int to = into.start(first + row);
                int room = into.room(first + row);
                if (length(row) > room) {
                    throw new IllegalArgumentException("a row of " + length(row) + " where " + room + " fit");
                }
                System.arraycopy(array, start(row), into.array, to, length(row));
                into.lengths[into.from + first + row] = length(row);
            }
        }
    }

    static Values of(float... array) {
        return new Floats(array, 0, array.length);
    }

    static Values of(double... array) {
        return new Doubles(array, 0, array.length);
    }

    /// How many bytes the numbers take.
    default long lengthBytes() {
        return switch (this) {
            case Floats floats -> 4L * floats.length;
            case Doubles doubles -> 8L * doubles.length;
            case Packed(byte[] bytes) -> bytes.length;
            case Ragged ragged -> 4L * ragged.count() + 4L * ragged.rows;
        };
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
            case Packed _, Ragged _ -> throw new IllegalStateException("only values side by side have pieces");
        };
    }

    /// Rows `from` until `to` of these, which have `width` numbers each unless they have lengths of their own.
    default Values rows(int from, int to, int width) {
        return this instanceof Ragged(float[] array, int[] starts, int[] lengths, int first, int rows)
                ? new Ragged(array, starts, lengths, first + from, Math.min(to, rows) - from)
                : piece(from * width, (to - from) * width);
    }

    /// Puts these rows into `into`, from its row `from` on.
    default void copyRowsTo(Values into, int from, int width) {
        if (this instanceof Ragged rows && into instanceof Ragged room) {
            rows.copyRows(room, from);
        } else {
            copyTo(into, from * width);
        }
    }

    /// The same in an array of its own.
    default Values detached() {
        return switch (this) {
            case Floats(float[] array, int at, int length) -> of(Arrays.copyOfRange(array, at, at + length));
            case Doubles(double[] array, int at, int length) -> of(Arrays.copyOfRange(array, at, at + length));
            case Packed(byte[] bytes) -> new Packed(bytes.clone());
            case Ragged ragged -> ragged.compact();
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
