package tandem;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.problem.GroupKeys;
import tandem.worker.BlockTask;

/// How features are cut into blocks, and how far weights move, where that is automatic: by data whose rows look like
/// those of the first batch.
///
/// Features that are in one row and one block hinder each other when they move together. A row with n features has each
/// of them with (n − 1)/blocks others on average, because keys lie at random; averaged over features, that and 1 is
/// what bounds of each weight by itself have to be divided by. Members of a group are in one block, and are counted.
/// Where convergence is to be proven, all rows are looked at ([SafeStep]).
final class BlockCut {

    private static final int BLOCKS_A_FEATURE = 4;

    /// So many features together still do well with full steps, as a rule; if not, the objective tells.
    static final double FEW = 2;

    private BlockCut() {}

    /// @param shards how many pieces a table of weights is in
    static Solver.Blocks of(Solver.Blocks solver, Batches data, Linear settings, String consistency, int shards)
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
        GroupKeys groups = settings.penalty() instanceof Penalty.Grouped(double _, Groups of)
                ? of.keys(shards, (int) blocks)
                : null;
        double inBlocks = groups == null ? pairs / blocks : pairs(batch, groups, (int) blocks);
        double together = features == 0 ? 1 : 1 + inBlocks / features;
        double safe = together <= FEW ? 1 : 1 / together;
        Solver.Blocks cut = solver.withBlocks((int) blocks);
        if (solver.guaranteed()) {
            return cut.withStep(SafeStep.of(
                            data,
                            cut.blocks(),
                            settings.intercept(),
                            groups == null ? LongUnaryOperator.identity() : groups::key)
                    .under(consistency, cut.maxPasses()));
        }
        return cut.withStep(solver.step() != Solver.Blocks.AUTOMATIC ? solver.step() : safe);
    }

    /// How many pairs of features of a row are in one block, where those of a group are. Each pair counts twice.
    private static double pairs(Batch batch, GroupKeys groups, int blocks) {
        int[] block = Arrays.stream(batch.keys())
                .mapToInt(key -> BlockTask.block(groups.key(key), blocks))
                .toArray();
        double pairs = 0;
        int[] counts = new int[blocks];
        for (int r = 0; r < batch.rows(); r++) {
            for (int e = batch.starts()[r]; e < batch.starts()[r + 1]; e++) {
                pairs += 2.0 * counts[block[batch.positions()[e]]]++;
            }
            for (int e = batch.starts()[r]; e < batch.starts()[r + 1]; e++) {
                counts[block[batch.positions()[e]]] = 0;
            }
        }
        return pairs;
    }
}
