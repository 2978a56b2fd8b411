package tandem.solver;

import java.util.Arrays;
import tandem.data.Columns;
import tandem.math.Parallel;

/// A few columns turned back into rows, in blocks of rows. Kept from step to step: making it costs more than
/// one look at it.
final class RowLists {

    /// How many columns there can be, so that a number is one byte.
    static final int MOST = 256;

    private static final int ROWS = 1 << 13; // in a block

    /// The entries of the block's rows in order, those of row r before `ends[r]`.
    private record Block(int[] ends, byte[] numbers, float[] values) {}

    private final Block[] blocks;

    RowLists(Columns data, int[] columns, Parallel parallel) {
        blocks = new Block[(data.rows() + ROWS - 1) / ROWS];
        parallel.run(
                blocks.length,
                block -> blocks[block] = turn(data, columns, block * ROWS, Math.min((block + 1) * ROWS, data.rows())));
    }

    int blocks() {
        return blocks.length;
    }

    private static Block turn(Columns data, int[] columns, int first, int end) {
        int[] ends = new int[end - first + 1];
        int[] from = new int[columns.length];
        int[] to = new int[columns.length];
        for (int a = 0; a < columns.length; a++) {
            from[a] = data.firstEntry(columns[a], data.starts()[columns[a]], first);
            to[a] = data.firstEntry(columns[a], from[a], end);
            for (int e = from[a]; e < to[a]; e++) {
                ends[data.row(e) - first + 1]++;
            }
        }
        for (int r = 1; r < ends.length; r++) {
            ends[r] += ends[r - 1];
        }
        byte[] numbers = new byte[ends[end - first]];
        float[] values = new float[numbers.length];
        for (int a = 0; a < columns.length; a++) {
            for (int e = from[a]; e < to[a]; e++) {
                int at = ends[data.row(e) - first]++;
                numbers[at] = (byte) a;
                values[at] = (float) data.value(columns[a], e);
            }
        }
        return new Block(Arrays.copyOf(ends, end - first), numbers, values);
    }

    /// `into[a][b]` += Σ weights_i·x_ia·x_ib over the rows of one block, for b ≤ a.
    void addProducts(int block, double[] weights, double[][] into) {
        int[] ends = blocks[block].ends();
        byte[] numbers = blocks[block].numbers();
        float[] values = blocks[block].values();
        int start = 0;
        for (int r = 0; r < ends.length; r++) {
            double weight = weights[block * ROWS + r];
            int end = ends[r];
            for (int p = start; p < end; p++) {
                double scaled = weight * values[p];
                double[] row = into[numbers[p] & 0xff];
                for (int q = start; q <= p; q++) {
                    row[numbers[q] & 0xff] += scaled * values[q];
                }
            }
            start = end;
        }
    }
}
