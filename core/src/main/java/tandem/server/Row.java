package tandem.server;

/// A row of a table where it lives: entries, each the weight and what the update rule remembers of it. Good only
/// while it is shown.
public interface Row {

    long key();

    /// How many entries, and so weights, there are.
    int length();

    /// How many numbers an entry has: the weight, which is number 0, and the state of the rule.
    int columns();

    /// Number `column` of an entry.
    double value(int entry, int column);

    /// Sets number `column` of an entry, rounded to what the table holds. What the rule remembers besides is left as
    /// it is.
    void set(int entry, int column, double value);

    default double weight(int entry) {
        return value(entry, 0);
    }
}
