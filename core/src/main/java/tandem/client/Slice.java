package tandem.client;

import tandem.wire.Keys;
import tandem.wire.Values;

/// Some rows of one table: which keys, and the numbers that their rows come from or go to, row by row.
public record Slice(int table, Keys keys, Values values) {

    public Slice(int table, Keys keys, float[] values) {
        this(table, keys, Values.of(values));
    }

    public Slice(int table, Keys keys, double[] values) {
        this(table, keys, Values.of(values));
    }
}
