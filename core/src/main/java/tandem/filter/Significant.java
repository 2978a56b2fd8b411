package tandem.filter;

/// Leaves out rows that change too little, and adds them to the next update of the same key, until together they are
/// large enough. At the end of a pass what is left travels whatever its size, so in the end nothing is lost.
///
/// A row is large enough if one of its numbers is at least threshold / clock: what counts as little shrinks as training
/// goes on, as convergence needs (Li et al. 2014, Theorem 2). For sums of updates: the numbers of a row are added up in
/// the table's own type.
///
/// Among the filters of pulls it is for tables whose rule takes small steps later, with a threshold of its own.
public final class Significant implements Choice {

    private final double threshold;
    private Residue held;

    /// @param threshold 0 to leave out nothing
    public Significant(double threshold) {
        if (!(threshold >= 0 && threshold < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "changes below " + threshold + " are held back; use a number from 0 on, such as 0.01");
        }
        this.threshold = threshold;
    }

    @Override
    public void choose(Rows rows, Moment moment) {
        if (threshold == 0) {
            return;
        }
        if (held == null) {
            held = new Residue(rows.width(), rows.isDouble());
        }
        double least = threshold / Math.max(1, moment.clock());
        for (int row = 0; row < rows.count(); row++) {
            if (!rows.isLeftOut(row)) {
                held.addTo(rows, row);
                if (rows.magnitude(row) < least) {
                    held.keep(rows, row);
                    rows.leaveOut(row);
                }
            }
        }
    }

    @Override
    public boolean isForPulls() {
        return true;
    }

    @Override
    public Rows rest() {
        Rows rest = held == null ? null : held.rows();
        held = null;
        return rest;
    }
}
