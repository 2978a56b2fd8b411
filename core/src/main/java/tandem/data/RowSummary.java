package tandem.data;

import java.util.Iterator;

/// What there is to know of rows before they are packed.
///
/// @param weight    of all rows together
/// @param low       the least label that is a number, of rows that count; infinity if there is none
/// @param high      the largest; −infinity if there is none
/// @param complaint what is wrong with them; null if nothing is
public record RowSummary(
        long rows, long entries, double weight, double low, double high, LabelSet labels, String complaint) {

    /// Of the rows of blocks.
    public static RowSummary of(Iterator<byte[]> blocks) {
        Rows some = new Rows();
        LabelSet labels = new LabelSet();
        long rows = 0;
        long entries = 0;
        double weight = 0;
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        String complaint = null;
        while (blocks.hasNext()) {
            byte[] block = blocks.next();
            if (RowBuffer.complaint(block) != null) {
                complaint = complaint == null ? RowBuffer.complaint(block) : complaint;
                continue;
            }
            some.clear();
            RowBuffer.read(block, some);
            rows += some.count;
            entries += some.entries;
            for (int r = 0; r < some.count; r++) {
                weight += some.weights[r];
                double label = some.labels[r];
                if (some.weights[r] > 0 && !Double.isNaN(label)) {
                    low = Math.min(low, label);
                    high = Math.max(high, label);
                }
            }
            labels.note(some, RowBuffer.names(block));
        }
        return new RowSummary(rows, entries, weight, low, high, labels, complaint);
    }

    /// That of both together.
    public RowSummary plus(RowSummary other) {
        return new RowSummary(
                rows + other.rows,
                entries + other.entries,
                weight + other.weight,
                Math.min(low, other.low),
                Math.max(high, other.high),
                new LabelSet().add(labels).add(other.labels),
                complaint == null ? other.complaint : complaint);
    }
}
