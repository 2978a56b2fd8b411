package tandem.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntToDoubleFunction;
import tandem.data.BlockColumns;
import tandem.data.Columns;
import tandem.problem.Loss;
import tandem.solver.Balance;

/// The examples of a stream by columns, with the weight of each column as far as this worker knows it, and what these
/// weights make of each example. The intercept is one column more, after all others.
final class BlockRows {

    private final BlockColumns data;
    private final Loss loss;
    private final boolean proven;

    /// The intercept's block, which is the last; −1 if there is none.
    private final int interceptBlock;

    /// The columns in hand.
    private BlockColumns.Piece piece = BlockColumns.Piece.NONE;

    private final RowKinds kinds;
    private final RowState state;
    private long entries;

    /// By column.
    final double[] weights;

    /// By column: what the server says of the weight (see [tandem.solver.BlockProximal]).
    final double[] outlooks;

    /// By column: how far beyond its weight the scores are, because the last rounds went that way.
    final double[] ahead;

    /// Weights when the last round in which they moved began.
    private final double[] weightsBefore;

    BlockRows(BlockColumns data, BlockTask task) throws IOException {
        this.data = data;
        this.loss = task.loss();
        this.proven = task.proven();
        this.interceptBlock = task.intercept() < 0 ? -1 : task.ranges();
        int rows = data.rows();
        kinds = RowKinds.of(rows, data.labels(), data.weights(), task.target(), task.positiveWeight());
        state = new RowState(kinds, loss, data.aside(0), data.aside(1));
        weights = new double[data.count() + 1];
        outlooks = new double[weights.length];
        ahead = new double[weights.length];
        weightsBefore = new double[weights.length];
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

    /// Stretch number `after` of a column, after the one that is at hand; null if it has no more.
    private Columns stretch(int column, int after) {
        if (around(column).entries(in(column)) < Columns.STRETCH) {
            return null;
        }
        try {
            return data.stretch(column, after);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isIntercept(int column) {
        return column == data.count();
    }

    /// The key of a column.
    long key(int column) {
        return isIntercept(column) ? OnlineTask.INTERCEPT : around(column).keys()[in(column)];
    }

    /// How many entries were gone through so far to find derivatives.
    long entries() {
        return entries;
    }

    /// The derivative of the loss by the weight of a column, with the slopes that its examples are taken to have.
    double gradient(int column, double[] slopes) {
        if (isIntercept(column)) {
            entries += rows();
            return Arrays.stream(slopes).sum();
        }
        Columns all = around(column);
        entries += all.entries(in(column));
        double sum = all.dot(in(column), slopes);
        int k = 1;
        for (Columns more; (more = stretch(column, k)) != null; k++) {
            entries += more.entries();
            sum += more.dot(0, slopes);
        }
        return sum;
    }

    /// The slopes of all examples, until anything but their gradients is asked for.
    double[] slopes(RowState.View view) {
        return state.slopes(view);
    }

    /// Finds [#gradient()] and [#curvature()] of a column, the second as long as its weight moves by `reach` at most
    /// and no other moves; or whatever moves, where that is asked for.
    void look(int column, double reach) {
        double far = proven ? Double.POSITIVE_INFINITY : reach;
        state.beginLook();
        if (isIntercept(column)) {
            entries += rows();
            state.lookAtAll(far);
        } else {
            entries += around(column).entries(in(column));
            state.look(around(column), in(column), far);
            int k = 1;
            for (Columns more; (more = stretch(column, k)) != null; k++) {
                entries += more.entries();
                state.look(more, 0, far);
            }
        }
        state.endLook();
    }

    /// The derivative of the loss by the weight of the column that was looked at.
    double gradient() {
        return state.gradient();
    }

    /// A bound of the second derivative.
    double curvature() {
        return state.curvature();
    }

    /// What the second derivative is at most, whatever moves.
    double mostCurvature(int column) {
        if (isIntercept(column)) {
            return state.most(state.squaresOfAll());
        }
        double squares = state.squares(0, around(column), in(column));
        int k = 1;
        for (Columns more; (more = stretch(column, k)) != null; k++) {
            squares = state.squares(squares, more, 0);
        }
        return state.most(squares);
    }

    /// Σ of the squares of what scores have moved by since the last round in which weights do began.
    double moved() {
        return state.moved();
    }

    /// Puts the weights and outlooks of columns where [#set] takes them from.
    void fill(int[] columns, double[] pulled) {
        for (int k = 0; k < columns.length; k++) {
            pulled[2 * k] = weights[columns[k]];
            pulled[2 * k + 1] = outlooks[columns[k]];
        }
    }

    /// Sets the weights and outlooks of columns; `pulled` has both of each.
    void set(int[] columns, double[] pulled) {
        for (int k = 0; k < columns.length; k++) {
            int j = columns[k];
            double by = pulled[2 * k] - weights[j] - ahead[j];
            ahead[j] = 0;
            weights[j] = pulled[2 * k];
            outlooks[j] = pulled[2 * k + 1];
            if (by != 0) {
                move(j, by);
            }
        }
    }

    /// Begins a round in which weights move, from beyond where they are: `momentum` times as far as they came in the
    /// round before.
    void begin(double momentum) {
        for (int j = 0; j < weights.length; j++) {
            ahead[j] = momentum * (weights[j] - weightsBefore[j]);
            weightsBefore[j] = weights[j];
        }
        state.begin(momentum);
    }

    private void move(int column, double by) {
        if (isIntercept(column)) {
            state.moveAll(by);
        } else {
            add(column, by, state.scores());
        }
    }

    private void add(int column, double by, double[] scores) {
        around(column).add(in(column), by, scores);
        int k = 1;
        for (Columns more; (more = stretch(column, k)) != null; k++) {
            more.add(0, by, scores);
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
        score(j -> weightsBefore[j]);
        state.setBefore();
        score(j -> weights[j] + ahead[j]);
    }

    /// Makes scores from weights alone: sums of many small changes drift.
    private void score(IntToDoubleFunction by) {
        double[] scores = state.scores();
        Arrays.fill(scores, by.applyAsDouble(data.count()));
        for (int j = 0; j < data.count(); j++) {
            double weight = by.applyAsDouble(j);
            if (weight != 0) {
                add(j, weight, scores);
            }
        }
    }

    /// The stream's part of a lower bound of the objective, of the dual problem, made feasible by what slopes are
    /// multiplied by.
    RowState.Bound bound(Balance balance, double scale) {
        return state.bound(balance, scale);
    }

    /// The training loss of the stream.
    double loss() {
        double[] scores = state.scores();
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            sum += kinds.importance(i) * loss.value(scores[i], kinds.label(i));
        }
        return sum;
    }
}
