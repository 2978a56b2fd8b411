package tandem.client;

import tandem.wire.Keys;
import tandem.wire.Values;

/// Some rows of one table: which keys, and the numbers that their rows come from or go to, row by row.
///
/// @param whole whether an update travels as it is, past filters that would leave something out or make numbers shorter
public record Slice(int table, Keys keys, Values values, boolean whole) {

    public Slice(int table, Keys keys, Values values) {
        this(table, keys, values, false);
    }

    public Slice(int table, Keys keys, float[] values) {
        this(table, keys, Values.of(values));
    }

    public Slice(int table, Keys keys, double[] values) {
        this(table, keys, Values.of(values));
    }

    /// The same to travel as it is.
    public Slice asWhole() {
        return new Slice(table, keys, values, true);
    }
}
