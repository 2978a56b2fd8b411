package tandem.solver;

/// Rows of a data set, one after the other: row `r` has the entries from `starts[r]` until `starts[r + 1]`. Arrays may
/// be longer than that.
///
/// @param rows        how many
/// @param columns     of each entry, from 0
/// @param labels      one a row, as the loss wants them
/// @param importances how much each row counts
public record RowSlab(int rows, int[] starts, int[] columns, float[] values, double[] labels, float[] importances) {}
