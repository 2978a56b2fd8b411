package tandem.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import tandem.data.BlockColumns;
import tandem.data.Columns;
import tandem.problem.Loss;

/// The examples of a stream by columns, with the weight of each column as far as this worker knows it, and with each
/// example's score under these weights and the first two derivatives of its loss. The intercept is one column more,
/// after all others.
final class BlockRows {

    private final BlockColumns data;
    private final Loss loss;
    private final boolean proven;

    /// The intercept's block, which is the last; −1 if there is none.
    private final int interceptBlock;

    /// The columns in hand.
    private BlockColumns.Piece piece = BlockColumns.Piece.NONE;

    private final RowKinds kinds;
    private final double[] scores;
    private final double[] slopes;
    private final double[] bends;

    /// By column.
    final double[] weights;

    /// By column: what the server says of the weight (see [tandem.solver.BlockProximal]).
    final double[] outlooks;

    /// By column: how far beyond its weight the scores are, because the last rounds went that way.
    final double[] ahead;

    /// Weights and scores when the last round in which weights moved began.
    private final double[] weightsBefore;

    private final double[] scoresBefore;

    /// A bit a row: whether it was refreshed for the change in hand.
    private final long[] refreshed;

    BlockRows(BlockColumns data, BlockTask task) throws IOException {
        this.data = data;
        this.loss = task.loss();
        this.proven = task.proven();
        this.interceptBlock = task.intercept() < 0 ? -1 : task.ranges();
        int rows = data.rows();
        kinds = RowKinds.of(rows, data.labels(), data.weights(), task.target(), task.positiveWeight());
        scores = new double[rows];
        slopes = new double[rows];
        bends = new double[rows];
        refreshed = new long[(rows + 63) / 64];
        weights = new double[data.count() + 1];
        outlooks = new double[weights.length];
        ahead = new double[weights.length];
        weightsBefore = new double[weights.length];
        scoresBefore = new double[rows];
        refreshAll();
    }

    int rows() {
        return kinds.rows();
    }

    /// How many columns there are, without the intercept.
    int count() {
        return data.count();
    }

    /// The columns of a block: from the first of these numbers until before the second.
    int first(int block) {
        return block == interceptBlock ? data.count() : data.first(block);
    }

    int end(int block) {
        return block == interceptBlock ? data.count() + 1 : data.first(block + 1);
    }

    /// The blocks that come next, from the one at `from` on, so that their columns are at hand by then.
    void expect(int[] blocks, int from) {
        data.expect(blocks, from);
    }

    /// The columns around one, among which it has the number [#in].
    private Columns around(int column) {
        if (!piece.has(column)) {
            try {
                piece = data.piece(column);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return piece.columns();
    }

    private int in(int column) {
        return column - piece.first();
    }

    boolean isIntercept(int column) {
        return column == data.count();
    }

    /// The key of a column.
    long key(int column) {
        return isIntercept(column) ? OnlineTask.INTERCEPT : around(column).keys()[in(column)];
    }

    int entries(int column) {
        return isIntercept(column) ? rows() : around(column).entries(in(column));
    }

    /// The derivative of the loss by the weight of a column.
    double gradient(int column) {
        return gradient(column, slopes);
    }

    /// The same with other slopes of the examples than they have.
    double gradient(int column, double[] others) {
        if (!isIntercept(column)) {
            return around(column).dot(in(column), others);
        }
        double sum = 0;
        for (double slope : others) {
            sum += slope;
        }
        return sum;
    }

    /// What the slopes would be if all weights were 0.
    double[] slopesAtOrigin() {
        double[] all = new double[rows()];
        for (int i = 0; i < all.length; i++) {
            all[i] = kinds.importance(i) * loss.derivative(0, kinds.label(i));
        }
        return all;
    }

    /// The slopes, those below 0 `falls` times and others `rises` times.
    double[] balanced(double falls, double rises) {
        return Arrays.stream(slopes).map(s -> s * (s < 0 ? falls : rises)).toArray();
    }

    /// A bound of the second derivative by the weight of a column, as long as that moves by `reach` at most and no
    /// other moves; or whatever moves, where that is asked for.
    double curvature(int column, double reach) {
        if (proven) {
            return isIntercept(column)
                    ? IntStream.range(0, rows()).mapToDouble(this::most).sum()
                    : around(column).dotSquare(in(column), this::most);
        }
        if (!isIntercept(column)) {
            return around(column).dotSquareWithin(in(column), bends, x -> loss.growth(x * reach), this::most);
        }
        double growth = loss.growth(reach);
        double sum = 0;
        for (int i = 0; i < bends.length; i++) {
            sum += Double.isInfinite(growth) ? most(i) : Math.min(growth * bends[i], most(i));
        }
        return sum;
    }

    /// No bend of an example is more than this.
    private double most(int row) {
        double importance = kinds.importance(row);
        return importance == 0 ? 0 : importance * loss.maxCurvature();
    }

    /// Sets the weights and outlooks of columns; `pulled` has both of each.
    void set(int[] columns, double[] pulled) {
        int[] moved = new int[columns.length];
        int count = 0;
        for (int k = 0; k < columns.length; k++) {
            int j = columns[k];
            double by = pulled[2 * k] - weights[j] - ahead[j];
            ahead[j] = 0;
            weights[j] = pulled[2 * k];
            outlooks[j] = pulled[2 * k + 1];
            if (by != 0) {
                move(j, by);
                moved[count++] = j;
            }
        }
        Arrays.fill(refreshed, 0);
        for (int k = 0; k < count; k++) {
            refresh(moved[k]);
        }
    }

    /// Begins a round in which weights move, from beyond where they are: `momentum` times as far as they came in the
    /// round before.
    void begin(double momentum) {
        for (int j = 0; j < weights.length; j++) {
            ahead[j] = momentum * (weights[j] - weightsBefore[j]);
            weightsBefore[j] = weights[j];
        }
        for (int i = 0; i < scores.length; i++) {
            double score = scores[i];
            scores[i] += momentum * (score - scoresBefore[i]);
            scoresBefore[i] = score;
        }
        refreshAll();
    }

    private void move(int column, double by) {
        if (isIntercept(column)) {
            for (int i = 0; i < scores.length; i++) {
                scores[i] += by;
            }
        } else {
            around(column).add(in(column), by, scores);
        }
    }

    /// Refreshes the rows of a column, those that were not for the same change.
    private void refresh(int column) {
        if (isIntercept(column)) {
            refreshAll();
            return;
        }
        Columns columns = around(column);
        for (int e = columns.starts()[in(column)]; e < columns.starts()[in(column) + 1]; e++) {
            int i = columns.row(e);
            long bit = 1L << i;
            if ((refreshed[i >> 6] & bit) == 0) {
                refreshed[i >> 6] |= bit;
                differentiate(i);
            }
        }
    }

    /// Goes on in the middle of a round, after all weights were set.
    ///
    /// @param before   by column, the weights before their last step
    /// @param waiting  by column, whether its step of this round is still to come
    /// @param momentum with which the round began
    void goOn(double[] before, BitSet waiting, double momentum) {
        for (int j = 0; j < weights.length; j++) {
            ahead[j] = waiting.get(j) ? momentum * (weights[j] - before[j]) : 0;
            weightsBefore[j] = waiting.get(j) ? weights[j] : before[j];
        }
        score(weightsBefore, scoresBefore);
        score(
                IntStream.range(0, weights.length)
                        .mapToDouble(j -> weights[j] + ahead[j])
                        .toArray(),
                scores);
        refreshAll();
    }

    /// Scores from weights alone: sums of many small changes drift.
    private void score(double[] by, double[] scored) {
        Arrays.fill(scored, by[data.count()]);
        for (int j = 0; j < data.count(); j++) {
            if (by[j] != 0) {
                around(j).add(in(j), by[j], scored);
            }
        }
    }

    private void refreshAll() {
        for (int i = 0; i < scores.length; i++) {
            differentiate(i);
        }
    }

    private void differentiate(int i) {
        loss.differentiate(scores[i], kinds.label(i), kinds.importance(i), slopes, bends, i);
    }

    /// The stream's part of a lower bound of the objective, of the dual problem (Fenchel): −Σ loss* of the slopes,
    /// made feasible by three factors.
    double dual(double falls, double rises, double scale) {
        double sum = 0;
        for (int i = 0; i < slopes.length; i++) {
            if (kinds.importance(i) > 0) {
                double slope = slopes[i] / kinds.importance(i);
                sum -= kinds.importance(i)
                        * loss.conjugate(scale * slope * (slope < 0 ? falls : rises), kinds.label(i));
            }
        }
        return sum;
    }

    /// Σ of the slopes below 0, without their sign.
    double falls() {
        return Arrays.stream(slopes).map(slope -> Math.max(0, -slope)).sum();
    }

    double rises() {
        return Arrays.stream(slopes).map(slope -> Math.max(0, slope)).sum();
    }

    /// The training loss of the stream.
    double loss() {
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            sum += kinds.importance(i) * loss.value(scores[i], kinds.label(i));
        }
        return sum;
    }
}
