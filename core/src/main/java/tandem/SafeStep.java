package tandem;

import java.io.IOException;
import java.util.function.LongUnaryOperator;
import tandem.consistency.Timetable;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.worker.BlockTask;

/// The step for which delayed block proximal gradient is proven to converge (Li et al. 2014, Theorem 2), in the metric
/// of the curvatures that workers send: 1/(L_var + τ·L_cov), where L_var bounds how much weights of one block hinder
/// each other, and L_cov how much those of two blocks do.
///
/// With uⱼ ≥ Σᵢ cᵢ·xᵢⱼ², cᵢ at least any curvature that example i may have, and nᵢ features of block b in example i,
///
///     vᵀH_bb·v = Σᵢ loss″ᵢ·(Σ_j xᵢⱼvⱼ)² ≤ Σᵢ cᵢ·nᵢ·Σ_j xᵢⱼ²vⱼ² ≤ max nᵢ · Σ_j uⱼvⱼ²
///
/// (Cauchy–Schwarz), and likewise √(nᵢ·mᵢ) for two blocks that have nᵢ and mᵢ features in an example. So both follow
/// from how many features of a row are in one block, which is counted here for all rows.
///
/// @param within the most features of one row that are in one block: L_var
/// @param across √(n·m) for the two blocks that have most features of a row, at most: L_cov
record SafeStep(double within, double across) {

    static SafeStep of(Batches data, int blocks, boolean intercept) throws IOException {
        return of(data, blocks, intercept, LongUnaryOperator.identity());
    }

    /// @param keys what the mixed keys of data become in blocks
    static SafeStep of(Batches data, int blocks, boolean intercept, LongUnaryOperator keys) throws IOException {
        int[] counts = new int[blocks];
        Batch batch = new Batch();
        double within = 1;
        double across = 0;
        for (Batches.Pass pass = data.pass(0, 0); pass.next(batch); ) {
            int[] block = new int[batch.keys().length];
            for (int k = 0; k < block.length; k++) {
                block[k] = BlockTask.block(keys.applyAsLong(batch.keys()[k]), blocks);
            }
            for (int r = 0; r < batch.rows(); r++) {
                int most = 0;
                int next = intercept ? 1 : 0;
                for (int e = batch.starts()[r]; e < batch.starts()[r + 1]; e++) {
                    counts[block[batch.positions()[e]]]++;
                }
                for (int e = batch.starts()[r]; e < batch.starts()[r + 1]; e++) {
                    int count = counts[block[batch.positions()[e]]];
                    counts[block[batch.positions()[e]]] = 0;
                    next = Math.max(next, Math.min(most, count));
                    most = Math.max(most, count);
                }
                within = Math.max(within, most);
                across = Math.max(across, Math.sqrt((double) most * next));
            }
        }
        return new SafeStep(within, across);
    }

    /// The step for a consistency, which may change from round to round.
    double under(String consistency, int rounds) {
        Timetable timetable = new Timetable(consistency);
        int delay = Math.max(
                BlockCourse.delay(timetable.at(0, rounds)), BlockCourse.delay(timetable.at(rounds - 1, rounds)));
        return 1 / (within + delay * across);
    }
}
