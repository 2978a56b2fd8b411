package tandem.server;

import tandem.wire.Age;

/// How pushed gradients change a row of a length of its own, in a table with variable rows: a row begins short, and the
/// rule says when it grows.
///
/// A row is entries side by side, `columns()` floats each: the weight first, then what the rule remembers of it.
public interface RowRule {

    /// Floats an entry.
    int columns();

    /// With how many entries a row begins.
    default int firstLength() {
        return 1;
    }

    /// Makes entries number `from` until `to` of a row that has just begun or grown; they are zeros.
    /// Anything that looks like chance must follow from the key, so that a run can be repeated.
    default void begin(long key, float[] row, int at, int from, int to) {}

    /// Applies gradients to the first `count` entries of a row that starts at `at`: as many as were
    /// pulled, so perhaps fewer than there are by now. Returns how many entries the row is to have from
    /// now on, not fewer than `length` and not more than the width of the table.
    int update(float[] row, int at, int length, float[] gradients, int from, int count);

    /// The same rule for gradients of this age, if its steps depend on that.
    default RowRule aged(Age age) {
        return this;
    }

    /// Makes a row stand for `weight` as if it had been learned, to start from an earlier model.
    default void start(float[] row, int at, int length, float weight) {
        throw new IllegalArgumentException("rows of this table cannot start from the weights of a model");
    }

    /// The same for the numbers beside its weight, of a row that has all its entries.
    default void start(float[] row, int at, int length, float[] beside, int from) {
        throw new IllegalArgumentException("rows of this table cannot start from the factors of a model");
    }

    /// How many of its first entries a pull brings; all, unless the rule keeps some to itself for now.
    default int shown(float[] row, int at, int length) {
        return length;
    }
}
