package tandem.solver;

import java.util.Arrays;
import tandem.data.Columns;
import tandem.math.Parallel;

/// Products of chosen columns with vectors, block of rows by block of rows: a block's part of a vector
/// stays in the processor's cache while all columns pass, and blocks are for different threads.
///
/// Blocks do not depend on the number of threads and their sums are added in order, so neither do the bits.
final class RowBlocks {

    private static final int ROWS = 1 << 14;
    private static final int MOST = 64;

    private final Columns data;
    private final Parallel parallel;
    private final int size;
    private final int count;
    private int[] chosen;
    private int[][] edges; // by block, then chosen column: its first entry in the block
    private double[][] sums; // the same, for results

    RowBlocks(Columns data, Parallel parallel) {
        this.data = data;
        this.parallel = parallel;
        size = Math.max(ROWS, (data.rows() + MOST - 1) / MOST);
        count = (data.rows() + size - 1) / size;
    }

    int rows() {
        return data.rows();
    }

    /// Sets the columns that the other methods go through.
    void choose(int[] columns) {
        chosen = columns;
        edges = new int[count + 1][columns.length];
        sums = new double[count][columns.length];
        parallel.run(count + 1, block -> {
            for (int k = 0; k < columns.length; k++) {
                int j = columns[k];
                edges[block][k] = data.firstEntry(j, data.starts()[j], block * size);
            }
        });
    }

    /// into = X·by.
    void combine(double[] by, double[] into) {
        parallel.run(count, block -> combine(block, by, into));
    }

    /// products = Xᵀv.
    void multiply(double[] v, double[] products) {
        parallel.run(count, block -> multiply(block, v));
        collect(products);
    }

    private void combine(int block, double[] by, double[] into) {
        Arrays.fill(into, block * size, end(block), 0);
        int[] from = edges[block];
        int[] to = edges[block + 1];
        for (int k = 0; k < chosen.length; k++) {
            if (from[k] < to[k] && by[k] != 0) {
                data.add(chosen[k], from[k], to[k], by[k], into);
            }
        }
    }

    private void multiply(int block, double[] v) {
        int[] from = edges[block];
        int[] to = edges[block + 1];
        for (int k = 0; k < chosen.length; k++) {
            sums[block][k] = from[k] < to[k] ? data.dot(chosen[k], from[k], to[k], v) : 0;
        }
    }

    private void collect(double[] products) {
        Arrays.fill(products, 0);
        for (double[] sum : sums) {
            for (int k = 0; k < products.length; k++) {
                products[k] += sum[k];
            }
        }
    }

    private int end(int block) {
        return Math.min((block + 1) * size, data.rows());
    }
}
