package tandem.bench;

import java.util.List;

/// What a node that lived through a soak held when it had warmed up, and in the end.
record SoakRow(String part, String system, double seconds, Weight first, Weight last) implements Measured {

    static SoakRow of(Weight first, Weight last, double seconds) {
        return new SoakRow("what nodes hold that lived through it", last.node().toString(), seconds, first, last);
    }

    /// Whether it holds no more than it did, but for what comes and goes.
    boolean isFlat() {
        return last.heapBytes() <= 1.25 * first.heapBytes() + (2 << 20)
                && last.descriptors() <= first.descriptors() + 8
                && last.threads() <= first.threads() + 4;
    }

    @Override
    public List<Cell> cells() {
        return List.of(
                new Cell("system", system),
                new Cell("seconds", Outcome.fixed(0, seconds)),
                new Cell("heap, MB: first", Outcome.fixed(2, first.heapBytes() / 1e6)),
                new Cell("last", Outcome.fixed(2, last.heapBytes() / 1e6)),
                new Cell("descriptors: first", Long.toString(first.descriptors())),
                new Cell("last", Long.toString(last.descriptors())),
                new Cell("threads: first", Long.toString(first.threads())),
                new Cell("last", Long.toString(last.threads())),
                new Cell("flat", isFlat() ? "yes" : "no"));
    }
}
