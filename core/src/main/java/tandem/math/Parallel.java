package tandem.math;

import java.util.function.IntConsumer;

/// Runs independent pieces of work, perhaps at the same time.
///
/// What a piece computes must not depend on which thread runs it or when, so that the result has the
/// same bits however many threads there are.
@FunctionalInterface
public interface Parallel {

    /// One piece after the other, on the calling thread.
    Parallel SEQUENTIAL = (pieces, work) -> {
        for (int piece = 0; piece < pieces; piece++) {
            work.accept(piece);
        }
    };

    /// Calls `work` with each number from 0 until `pieces`, and returns when all are done. What a piece
    /// throws is thrown here.
    void run(int pieces, IntConsumer work);
}
