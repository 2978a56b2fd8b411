package tandem.data;

/// One generated example, filled again and again by the one thread that owns it.
public final class ClickRow {

    final long[] ids = new long[ClickTruth.FIELDS];
    final int[] hundredths = new int[ClickTruth.FIELDS];
    int entries;
    boolean clicked;
    double margin;

    /// How many entries the row has; ids ascend.
    public int entries() {
        return entries;
    }

    public long id(int entry) {
        return ids[entry];
    }

    public float value(int entry) {
        return hundredths[entry] / 100f;
    }

    public boolean clicked() {
        return clicked;
    }

    /// The log-odds of a click from which `clicked` was drawn.
    public double margin() {
        return margin;
    }
}
