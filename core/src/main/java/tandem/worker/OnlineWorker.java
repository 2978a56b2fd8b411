package tandem.worker;

import java.io.IOException;
import java.util.Arrays;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.problem.Loss;
import tandem.server.Table;

/// The pull–compute–push of one thread. All its arrays are reused from batch to batch.
final class OnlineWorker {

    private final OnlineTask task;
    private final Batch batch = new Batch();

    /// Per key of the batch in hand: its slot, its weight as last seen, and its gradient since the last push.
    private int[] slots = new int[0];

    private float[] weights = new float[0];
    private float[] gradients = new float[0];

    /// The keys that have a gradient: `touched` lists them, `stamps[p] == stamp` marks them.
    private int[] touched = new int[0];

    private int[] stamps = new int[0];
    private int stamp;

    private final int[] interceptSlot = {0};
    private final int[] interceptAt = {0};
    private final float[] interceptWeight = {0};
    private final float[] interceptGradient = {0};

    private volatile Learned learned = Learned.ZERO;

    OnlineWorker(OnlineTask task) {
        this.task = task;
        if (task.intercept() != null) {
            task.intercept().resolve(new long[] {OnlineTask.INTERCEPT}, 1, interceptSlot);
        }
    }

    Learned learned() {
        return learned;
    }

    /// Claims and learns one batch; false when the pass is over.
    boolean step(Batches.Pass pass) throws IOException {
        return step(pass, false);
    }

    /// The same from the intercept that suits the batch.
    boolean first(Batches.Pass pass) throws IOException {
        return step(pass, task.intercept() != null);
    }

    private boolean step(Batches.Pass pass, boolean first) throws IOException {
        long asked = System.nanoTime();
        boolean more = pass.next(batch);
        long given = System.nanoTime();
        if (!more) {
            learned = learned.plus(new Learned(0, 0, 0, 0, (given - asked) * 1e-9));
            return false;
        }
        if (first) {
            var fitting = new FirstIntercept(task, batch.rows(), batch.labels(), batch.weights());
            task.intercept().start(OnlineTask.INTERCEPT, fitting.value());
        }
        Learned now = learn();
        long done = System.nanoTime();
        learned = learned.plus(now).plus(new Learned(0, 0, 0, (done - given) * 1e-9, (given - asked) * 1e-9));
        return true;
    }

    private Learned learn() {
        int keyCount = batch.keyCount();
        makeRoom(keyCount);
        Arrays.fill(stamps, 0, keyCount, 0);
        stamp = 0;
        Table table = task.table();
        table.resolve(batch.keys(), keyCount, slots);
        table.pull(slots, keyCount, weights);
        pullIntercept();
        Loss loss = task.loss();
        double lossSum = 0;
        double weightSum = 0;
        int rows = batch.rows();
        for (int from = 0; from < rows; from += task.rows()) {
            int to = Math.min(rows, from + task.rows());
            int count = 0;
            stamp++;
            for (int row = from; row < to; row++) {
                double label = task.target().of(batch.labels()[row]);
                double importance = task.importance(batch.weights()[row], label);
                double score = RowScore.of(batch, row, weights, interceptWeight[0]);
                lossSum += importance * loss.value(score, label);
                weightSum += importance;
                float slope = (float) (importance * loss.derivative(score, label));
                interceptGradient[0] += slope;
                count = spread(row, slope, count);
            }
            table.push(slots, touched, count, gradients, weights);
            pushIntercept();
        }
        return new Learned(rows, weightSum, lossSum, 0, 0);
    }

    /// Adds the row's share to the gradients and lists the keys that are new since the last push.
    private int spread(int row, float slope, int count) {
        int[] positions = batch.positions();
        float[] values = batch.values();
        int end = batch.starts()[row + 1];
        for (int at = batch.starts()[row]; at < end; at++) {
            int p = positions[at];
            if (stamps[p] != stamp) {
                stamps[p] = stamp;
                touched[count++] = p;
            }
            gradients[p] += slope * values[at];
        }
        return count;
    }

    private void pullIntercept() {
        if (task.intercept() != null) {
            task.intercept().pull(interceptSlot, 1, interceptWeight);
        }
    }

    private void pushIntercept() {
        if (task.intercept() != null) {
            task.intercept().push(interceptSlot, interceptAt, 1, interceptGradient, interceptWeight);
        } else {
            interceptGradient[0] = 0;
        }
    }

    private void makeRoom(int keyCount) {
        if (slots.length < keyCount) {
            int room = keyCount + (keyCount >> 2);
            slots = new int[room];
            weights = new float[room];
            gradients = new float[room];
            touched = new int[room];
            stamps = new int[room];
        }
    }
}
