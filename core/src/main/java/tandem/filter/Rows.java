package tandem.filter;

import java.util.BitSet;
import tandem.wire.Keys;
import tandem.wire.Values;

/// Rows of one table on their way, as a [Choice] sees them: a key and `width` numbers each, and whether it travels.
public final class Rows {

    private final Keys keys;
    private final int width;
    private final Entries entries;
    private final BitSet leftOut = new BitSet();

    /// Works on the numbers of `values` as they are, in place.
    public Rows(Keys keys, int width, Values values) {
        this.keys = keys;
        this.width = width;
        this.entries = Entries.of(values);
        if ((long) keys.count() * width > entries.count()) {
            throw new IllegalArgumentException(
                    entries.count() + " numbers for " + keys.count() + " rows of " + width + "; there are too few");
        }
    }

    /// The same with numbers of its own, none left out.
    Rows copied() {
        return new Rows(keys, width, Entries.of(values()).copied().values());
    }

    public int count() {
        return keys.count();
    }

    public int width() {
        return width;
    }

    public Keys keys() {
        return keys;
    }

    public long key(int row) {
        return keys.at(row);
    }

    /// Number `column` of a row.
    public double at(int row, int column) {
        return entries.at(row * width + column);
    }

    /// Makes it the number nearest to `value` that the table's type has.
    public void set(int row, int column, double value) {
        entries.set(row * width + column, value);
    }

    /// The largest magnitude in a row; NaN if one is.
    public double magnitude(int row) {
        double largest = 0;
        for (int column = 0; column < width; column++) {
            largest = Math.max(largest, Math.abs(at(row, column)));
        }
        return largest;
    }

    public void leaveOut(int row) {
        leftOut.set(row);
    }

    public boolean isLeftOut(int row) {
        return leftOut.get(row);
    }

    /// Whether its numbers are doubles.
    public boolean isDouble() {
        return entries.isDouble();
    }

    public Values values() {
        return entries.values().piece(0, count() * width);
    }

    /// The rows left out from `from` until `to`, counted from `from`.
    public BitSet leftOut(int from, int to) {
        return leftOut.get(from, to);
    }

    /// Bytes of the numbers that travel.
    long bytes() {
        return (long) (count() - leftOut.cardinality()) * width * entries.size();
    }
}
