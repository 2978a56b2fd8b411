package tandem.solver;

import java.util.function.IntConsumer;
import tandem.data.Columns;
import tandem.math.Parallel;

/// Goes through a list of columns in pieces of about equal work. Each column is one thread's, so its
/// result has the same bits however many threads there are.
record ColumnWork(Columns data, Parallel parallel) {

    private static final int PIECE_ENTRIES = 1 << 15;

    /// Calls `work` for the first `count` of `list`.
    void forEach(int[] list, int count, IntConsumer work) {
        int[] ends = new int[count + 1];
        int pieces = 0;
        long entries = 0;
        for (int k = 0; k < count; k++) {
            entries += 8 + data.entries(list[k]);
            if (entries >= PIECE_ENTRIES || k == count - 1) {
                ends[++pieces] = k + 1;
                entries = 0;
            }
        }
        parallel.run(pieces, piece -> {
            for (int k = ends[piece]; k < ends[piece + 1]; k++) {
                work.accept(list[k]);
            }
        });
    }
}
