package tandem.data;

/// A column of a table: what it is called and what it is for.
///
/// A number is standardised to (x − mean) / deviation, both taken from the first rows of the data the schema
/// was found from and then fixed.
public record Column(String name, Kind kind, double mean, double deviation) {

    /// What a column is for.
    public enum Kind {
        LABEL,
        WEIGHT,
        CATEGORY,
        NUMBER,
        IGNORE
    }

    public Column {
        if (!Double.isFinite(mean) || !(deviation > 0) || Double.isInfinite(deviation)) {
            throw new IllegalArgumentException("column " + name + " has mean " + mean + " and deviation " + deviation
                    + "; both must be finite, and the deviation above 0");
        }
    }

    public static Column of(String name, Kind kind) {
        return new Column(name, kind, 0, 1);
    }
}
