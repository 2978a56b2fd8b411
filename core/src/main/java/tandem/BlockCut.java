package tandem;

import java.io.IOException;
import tandem.data.Batch;
import tandem.data.Batches;

/// How features are cut into blocks, and how far weights move, where that is automatic: by data whose rows look like
/// those of the first batch.
///
/// Features that are in one row and one block hinder each other when they move together. A row with n features has each
/// of them with (n − 1)/blocks others on average, because keys lie at random; averaged over features, that and 1 is
/// what bounds of each weight by itself have to be divided by. Where convergence is to be proven, all rows are looked
/// at ([SafeStep]).
final class BlockCut {

    private static final int BLOCKS_A_FEATURE = 4;

    /// So many features together still do well with full steps, as a rule; if not, the objective tells.
    private static final double FEW = 2;

    private BlockCut() {}

    static Solver.Blocks of(Solver.Blocks solver, Batches data, Linear settings, String consistency)
            throws IOException {
        if (solver.guaranteed() && !Double.isFinite(settings.loss().maxCurvature())) {
            throw new IllegalArgumentException("no step is proven for the loss "
                    + settings.loss().name() + ", which may curve as much as it likes; leave out --step guaranteed");
        }
        Batch batch = new Batch();
        double features = 0;
        double pairs = 0;
        if (data.pass(0, 0).next(batch)) {
            for (int r = 0; r < batch.rows(); r++) {
                double n = batch.starts()[r + 1] - batch.starts()[r];
                features += n;
                pairs += n * (n - 1);
            }
        }
        double blocks = solver.blocks() != Solver.Blocks.AUTOMATIC
                ? solver.blocks()
                : Math.clamp(
                        Math.ceil(BLOCKS_A_FEATURE * features / Math.max(1, batch.rows())),
                        1,
                        Solver.Blocks.MOST_BLOCKS);
        double together = features == 0 ? 1 : 1 + pairs / features / blocks;
        double safe = together <= FEW ? 1 : 1 / together;
        Solver.Blocks cut = solver.withBlocks((int) blocks);
        if (solver.guaranteed()) {
            return cut.withStep(
                    SafeStep.of(data, cut.blocks(), settings.intercept()).under(consistency, cut.maxPasses()));
        }
        return cut.withStep(solver.step() != Solver.Blocks.AUTOMATIC ? solver.step() : safe);
    }
}
