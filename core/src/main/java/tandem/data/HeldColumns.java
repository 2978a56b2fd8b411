package tandem.data;

import java.util.function.Consumer;

/// Columns in memory.
final class HeldColumns implements BlockColumns {

    private final Piece all;
    private final int[] starts;
    private final Consumer<BlockColumns> closing;

    /// @param firsts  the first key of each block
    /// @param closing hears when nobody needs them any more
    HeldColumns(Columns columns, long[] firsts, Consumer<BlockColumns> closing) {
        this.all = new Piece(0, columns);
        this.closing = closing;
        starts = new int[firsts.length + 1];
        int column = 0;
        for (int block = 0; block < firsts.length; block++) {
            while (column < columns.count() && Long.compareUnsigned(columns.keys()[column], firsts[block]) < 0) {
                column++;
            }
            starts[block] = column;
        }
        starts[firsts.length] = columns.count();
    }

    @Override
    public int rows() {
        return all.columns().rows();
    }

    @Override
    public int count() {
        return all.columns().count();
    }

    @Override
    public double[] labels() {
        return all.columns().labels().clone();
    }

    @Override
    public float[] weights() {
        return all.columns().weights().clone();
    }

    @Override
    public int first(int block) {
        return starts[block];
    }

    @Override
    public Piece piece(int column) {
        return all;
    }

    @Override
    public void close() {
        closing.accept(this);
    }
}
