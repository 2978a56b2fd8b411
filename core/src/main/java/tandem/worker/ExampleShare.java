package tandem.worker;

import java.util.Arrays;
import tandem.client.Slice;
import tandem.data.ColumnShare;
import tandem.data.Columns;
import tandem.solver.BlockProximal;
import tandem.solver.ClockProximal;
import tandem.wire.Keys;

/// Some examples, with all their features: the share of data-parallel proximal gradient. It pulls the weights of
/// its features and pushes, for each, the gradient of its examples' loss and a bound on the curvature; servers move
/// the weight by the sums of both over all shares.
final class ExampleShare implements ProximalShare {

    /// What is pulled and pushed of each feature: two numbers.
    private static final int WIDTH = 2;

    private final Columns data;
    private final ScoredRows rows;
    private final ProximalTask task;
    private final Keys keys;
    private final Keys one = Keys.range(OnlineTask.INTERCEPT, 1);

    /// By column, the intercept last.
    private final double[] weights;

    private final double[] bounds;
    private boolean scored;

    ExampleShare(ColumnShare share, ProximalTask task) {
        this.data = share.columns();
        this.task = task;
        rows = new ScoredRows(data, task);
        keys = Keys.repeated(data.keys(), data.count());
        weights = new double[data.count() + 1];
        double[] byRow = rows.bounds(share.features(), task.hasIntercept());
        bounds = new double[weights.length];
        for (int j = 0; j < data.count(); j++) {
            bounds[j] = data.dotSquare(j, byRow);
        }
        for (double bound : byRow) {
            bounds[data.count()] += bound;
        }
    }

    @Override
    public double[][] room() {
        return new double[][] {new double[WIDTH * data.count()], new double[WIDTH]};
    }

    @Override
    public Slice[] toBegin(double[][] numbers) {
        return toGoOn(numbers);
    }

    @Override
    public Slice[] toGoOn(double[][] numbers) {
        Slice weighed = new Slice(task.table(), keys, numbers[0]);
        return task.hasIntercept()
                ? new Slice[] {weighed, new Slice(task.intercept(), one, numbers[1])}
                : new Slice[] {weighed};
    }

    @Override
    public void begin(double[][] pulled) {
        take(pulled);
    }

    @Override
    public void take(double[][] pulled) {
        for (int j = 0; j < data.count(); j++) {
            weights[j] = pulled[0][WIDTH * j];
        }
        weights[data.count()] = pulled[1][0];
        scored = false;
    }

    private void score() {
        if (scored) {
            return;
        }
        Arrays.fill(rows.scores, weights[data.count()]);
        for (int j = 0; j < data.count(); j++) {
            if (weights[j] != 0) {
                data.add(j, weights[j], rows.scores);
            }
        }
        rows.differentiate();
        scored = true;
    }

    @Override
    public Slice[] work(ProximalLoop.Round round, long clock, long late) {
        double[][] pushed = room();
        ProximalLoop.Aim aim = round.aim(clock);
        if (aim == ProximalLoop.Aim.LEAP) {
            for (double[] numbers : pushed) {
                for (int k = 0; k < numbers.length; k += WIDTH) {
                    numbers[k] = round.leap();
                    numbers[k + 1] = ClockProximal.LEAP;
                }
            }
            return toGoOn(pushed);
        }
        score();
        boolean moves = aim == ProximalLoop.Aim.MOVE;
        double[] slopes = moves ? rows.slopes() : rows.slopes(round);
        double caution = round.caution(late, task.guaranteed());
        for (int j = 0; j < data.count(); j++) {
            pushed[0][WIDTH * j] = data.dot(j, slopes);
            pushed[0][WIDTH * j + 1] = moves ? caution * bounds[j] : BlockProximal.MEASURE;
        }
        pushed[1][0] = Arrays.stream(slopes).sum();
        pushed[1][1] = moves ? caution * bounds[data.count()] : BlockProximal.MEASURE;
        return toGoOn(pushed);
    }

    @Override
    public ProximalLoop.Sums sums(int stream, ProximalLoop.Round round) {
        score();
        int all = rows.count();
        return new ProximalLoop.Sums(
                stream,
                rows.loss(0, all),
                rows.falls(0, all),
                rows.rises(0, all),
                rows.dual(0, all, round),
                0,
                0,
                0,
                0,
                0,
                0);
    }

    @Override
    public long examples() {
        return rows.count();
    }

    @Override
    public long entries() {
        return data.entries();
    }
}
