package tandem.server;

import tandem.wire.Age;

/// How a pushed gradient changes the weight that lives in a table.
///
/// An entry is `columns()` floats side by side: the weight first, then what the rule remembers. A fresh
/// entry is all zeros.
///
/// The methods over doubles are for tables of doubles, and do the same in that precision.
public interface UpdateRule {

    /// Floats an entry: the weight and the rule's own state.
    int columns();

    /// Applies one gradient, summed over the examples of a push, to the entry that starts at `at`.
    void update(float[] entries, int at, float gradient);

    /// The same rule for gradients of this age, if its steps depend on that.
    default UpdateRule aged(Age age) {
        return this;
    }

    /// Whether they do.
    default boolean ages() {
        return false;
    }

    /// Applies `count` gradients, `gradients[from]` first, to entries that lie side by side. What a rule puts here must
    /// give the same bits as one after the other.
    default void update(float[] entries, int at, float[] gradients, int from, int count) {
        int columns = columns();
        for (int g = 0, entry = at; g < count; g++, entry += columns) {
            update(entries, entry, gradients[from + g]);
        }
    }

    /// One gradient in a table of doubles.
    default void update(double[] entries, int at, double gradient) {
        throw new IllegalArgumentException(
                "this update rule works on floats only, and the table holds doubles; give the rule an update of"
                        + " double[] too, or make the table without doubles");
    }

    /// Whether what is pushed within a clock is only gathered by [#update], and changes weights when the clock is
    /// over: then the rule sees what all streams say together. Needs servers that apply updates clock by clock, and
    /// a table of doubles.
    default boolean settles() {
        return false;
    }

    /// Changes a row of `width` entries, the first at `at`, by all that was pushed to it within a clock that is
    /// over. May be called again for a row to which nothing was pushed since, which must then stay as it is.
    default void settle(double[] entries, int at, int width) {}

    /// Whether what becomes of a row when a clock is over depends on others that were pushed to: then those of a shard
    /// are settled together.
    default boolean settlesTogether() {
        return false;
    }

    /// Changes all rows of a shard to which something was pushed within a clock that is over, ascending by key as
    /// unsigned. Row after row has its entries in `rows`. As for one row, nothing may have been pushed to some.
    default void settle(long[] keys, double[] rows) {}

    /// Whether the last [#settle] left what is pulled of a row, the first entry of which is at `at`, as it was: whoever
    /// has it from before need not be sent it.
    default boolean stayed(double[] entries, int at) {
        return false;
    }

    /// Makes an entry stand for `weight` as if it had been learned, to start from an earlier model.
    /// The default suits rules whose state says nothing about the weight.
    default void start(float[] entries, int at, float weight) {
        entries[at] = weight;
    }

    /// The same for all `width` entries of a row.
    default void startRow(float[] entries, int at, int width, float weight) {
        for (int e = 0; e < width; e++) {
            start(entries, at + e * columns(), weight);
        }
    }

    /// The same in a table of doubles.
    default void start(double[] entries, int at, int width, double weight) {
        for (int e = 0; e < width; e++) {
            entries[at + e * columns()] = weight;
        }
    }

    /// Makes an entry that a server has just added, if it is to be anything but zeros.
    default void begin(float[] entries, int at) {}

    /// The same in a table of doubles.
    default void begin(double[] entries, int at) {
        float[] entry = new float[columns()];
        begin(entry, 0);
        for (int c = 0; c < entry.length; c++) {
            entries[at + c] = entry[c];
        }
    }

    /// The same rule for entries that begin as `weight`.
    default UpdateRule beginningAt(float weight) {
        return new BeginningAt(this, weight);
    }
}
