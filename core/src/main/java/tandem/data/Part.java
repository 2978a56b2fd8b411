package tandem.data;

import tandem.math.Hash;

/// A part of the rows, drawn by a seed: those whose lot falls in [from, until). The lot of a row depends on the
/// seed and on where it stands in the data, so parts of one split never overlap.
public record Part(double from, double until, long seed) {

    /// Every row.
    public static final Part ALL = new Part(0, 1, 0);

    public Part {
        if (!(from >= 0 && from < until && until <= 1)) {
            throw new IllegalArgumentException("a part from " + from + " until " + until
                    + "; it must hold some of the rows, with 0 ≤ from < until ≤ 1");
        }
    }

    boolean isAll() {
        return from == 0 && until == 1;
    }

    boolean holds(long place) {
        double lot = Hash.fraction(Hash.number(seed, place));
        return lot >= from && lot < until;
    }

    /// Leaves only the rows that belong to this part.
    void keep(Rows rows) {
        if (isAll()) {
            return;
        }
        int kept = 0;
        int entries = 0;
        for (int r = 0; r < rows.count; r++) {
            if (holds(rows.places[r])) {
                int from = rows.starts[r];
                int length = rows.starts[r + 1] - from;
                System.arraycopy(rows.ids, from, rows.ids, entries, length);
                System.arraycopy(rows.values, from, rows.values, entries, length);
                rows.labels[kept] = rows.labels[r];
                rows.weights[kept] = rows.weights[r];
                rows.places[kept] = rows.places[r];
                entries += length;
                rows.starts[++kept] = entries;
            }
        }
        rows.count = kept;
        rows.entries = entries;
    }
}
