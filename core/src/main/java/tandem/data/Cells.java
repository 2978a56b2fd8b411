package tandem.data;

import java.nio.charset.StandardCharsets;
import tandem.math.Hash;

/// What the cells of a table become as features, as a [Schema] says: the same wherever the table comes from. Columns go
/// by their place in the schema.
public final class Cells {

    private final Schema schema;
    private final long[] hashes;

    public Cells(Schema schema) {
        this.schema = schema;
        hashes = new long[schema.columns().size()];
        for (int c = 0; c < hashes.length; c++) {
            byte[] name = schema.columns().get(c).name().getBytes(StandardCharsets.UTF_8);
            hashes[c] = Hash.bytes(schema.seed(), name, 0, name.length);
        }
    }

    /// The id of a column of numbers.
    public long number(int column) {
        return hashes[column];
    }

    /// The value of a number, which may be 0 and then is none, and may be no finite one.
    public float value(int column, double number) {
        Column how = schema.columns().get(column);
        return (float) ((number - how.mean()) / how.deviation());
    }

    /// The id of the category in `text[from]` until `text[to]`, which is not empty.
    public long category(int column, byte[] text, int from, int to) {
        return Hash.bytes(hashes[column], text, from, to);
    }
}
