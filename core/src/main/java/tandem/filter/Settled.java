package tandem.filter;

/// Leaves out rows that a solver says need not travel: a weight that is zero and whose gradient cannot move it, say
/// (the KKT filter of Li et al. 2014). Nothing is remembered of what is left out, and nothing replaces it: the solver
/// knows that it is not needed. It can look again at any time by no longer saying so.
///
/// `new Filters().with("kkt", _ -> new Settled(hook))` gives it its name, on both ends.
public record Settled(Hook hook) implements Choice {

    /// What a solver knows of the rows of a table.
    @FunctionalInterface
    public interface Hook {

        /// Whether a row need not travel.
        boolean isSettled(Rows rows, int row);
    }

    @Override
    public void choose(Rows rows, Moment moment) {
        for (int row = 0; row < rows.count(); row++) {
            if (!rows.isLeftOut(row) && hook.isSettled(rows, row)) {
                rows.leaveOut(row);
            }
        }
    }
}
