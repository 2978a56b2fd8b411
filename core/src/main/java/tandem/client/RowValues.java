package tandem.client;

import tandem.wire.TableSpec;
import tandem.wire.Values;

/// Rows in the arrays that messages carry, as doubles.
final class RowValues {

    private RowValues() {}

    /// Whether pushes to a table are added, so that their effect can be worked out by who sends them.
    static boolean isAdded(TableSpec table) {
        return table.rule().equals("add");
    }

    /// Room for so many rows of a table.
    static Values room(TableSpec table, int rows) {
        int length = Math.multiplyExact(rows, table.width());
        return table.doubles() ? Values.of(new double[length]) : Values.of(new float[length]);
    }

    /// Fills `row` with the numbers from `at` on.
    static double[] get(Values from, int at, double[] row) {
        switch (from) {
            case Values.Floats(float[] array, int start, var _) -> {
                for (int v = 0; v < row.length; v++) {
                    row[v] = array[start + at + v];
                }
            }
            case Values.Doubles(double[] array, int start, var _) ->
                System.arraycopy(array, start + at, row, 0, row.length);
            case Values.Packed _, Values.Ragged _ ->
                throw new IllegalArgumentException("packed values and rows of several lengths are not kept");
        }
        return row;
    }

    /// Puts `row` where the numbers from `at` on are.
    static void put(double[] row, Values into, int at) {
        switch (into) {
            case Values.Floats(float[] array, int start, var _) -> {
                for (int v = 0; v < row.length; v++) {
                    array[start + at + v] = (float) row[v];
                }
            }
            case Values.Doubles(double[] array, int start, var _) ->
                System.arraycopy(row, 0, array, start + at, row.length);
            case Values.Packed _, Values.Ragged _ ->
                throw new IllegalArgumentException("packed values and rows of several lengths are not kept");
        }
    }
}
