package tandem.data;

/// Mean and deviation of the numbers of a column, taken one after the other.
public final class NumberSums {

    private int count;
    private double mean;
    private double squares;

    /// Adds a number; one that is not finite with 32 bits does not count.
    ///
    /// @return whether it counted
    public boolean add(double number) {
        if (!Float.isFinite((float) number)) {
            return false;
        }
        // Welford's update: one pass, no cancellation.
        count++;
        double before = number - mean;
        mean += before / count;
        squares += before * (number - mean);
        return true;
    }

    boolean isEmpty() {
        return count == 0;
    }

    private double deviation() {
        double deviation = count < 2 ? 0 : Math.sqrt(squares / count);
        return deviation > 0 && Double.isFinite(deviation) ? deviation : 1;
    }

    /// The column of numbers that is scaled by them.
    public Column column(String name) {
        return isEmpty()
                ? Column.of(name, Column.Kind.NUMBER)
                : new Column(name, Column.Kind.NUMBER, mean, deviation());
    }
}
