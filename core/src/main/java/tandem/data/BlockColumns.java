package tandem.data;

import java.io.Closeable;
import java.io.IOException;

/// The rows of a stream by columns, cut into blocks of neighbouring features: in memory ([HeldColumns]) or in a file
/// ([StoredColumns]). Columns are numbered by their keys, ascending. For one thread.
public interface BlockColumns extends Closeable {

    /// Columns in memory.
    ///
    /// @param firsts the first key of each block
    static BlockColumns held(Columns columns, long... firsts) {
        return new HeldColumns(columns, firsts, _ -> {});
    }

    int rows();

    /// How many columns there are.
    int count();

    /// As a batch carries them, by row; for the caller to keep.
    double[] labels() throws IOException;

    /// The instance weight of each row; for the caller to keep.
    float[] weights() throws IOException;

    /// Room for a number of each row that is gone through in order, one of two; it goes when these are closed.
    default Aside aside(int which) throws IOException {
        return Aside.held(rows());
    }

    /// The first column of a block; for the number of blocks, the number of columns.
    int first(int block);

    /// A column and some of its neighbours; where a long column is cut into stretches, only the first of them.
    Piece piece(int column) throws IOException;

    /// Stretch number `after` of a long column after the first, as a column of its own; null if there are fewer.
    default Columns stretch(int column, int after) throws IOException {
        return null;
    }

    /// Blocks are going to be asked for in this order, beginning with that at `from`.
    default void expect(int[] blocks, int from) {}

    /// Neighbouring columns.
    ///
    /// @param first   the number of the first
    /// @param columns theirs are numbered from 0; without labels
    record Piece(int first, Columns columns) {

        public static final Piece NONE = new Piece(0, Columns.NONE);

        public boolean has(int column) {
            return column >= first && column - first < columns.count();
        }
    }
}
