package tandem.worker;

import java.io.IOException;
import java.util.Arrays;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.consistency.After;
import tandem.data.Batch;
import tandem.math.Hash;
import tandem.problem.Loss;
import tandem.wire.Keys;
import tandem.wire.Values;

/// One batch on its way: read, its weights pulled, its gradient computed, its update sent. Used again for another
/// batch once the update has been applied, since until then its arrays may be sent again.
final class BatchInHand {

    private static final Keys INTERCEPT = Keys.once(new long[] {0}, 1);

    private final Batch batch = new Batch();
    private float[] weights = new float[0];
    private float[] gradients = new float[0];
    private final float[] interceptWeight = {0};
    private final float[] interceptGradient = {0};

    /// Whose batch it is.
    private int stream;

    private Ticket pull;
    private Ticket update;

    /// Takes the next batch; false if there are no more.
    boolean read(Supply supply, Session session) throws IOException {
        if (update != null) {
            session.await(update);
            update = null;
        }
        stream = supply.next(batch);
        return stream >= 0;
    }

    int stream() {
        return stream;
    }

    int entries() {
        return batch.entries();
    }

    /// Asks for the weights of its keys.
    void pull(MinibatchTask task, After after, Reach reach) {
        if (weights.length < batch.keyCount()) {
            weights = new float[batch.keyCount() + (batch.keyCount() >> 2)];
            gradients = new float[weights.length];
        }
        pull = reach.pull(stream, after, slices(task, weights, interceptWeight));
    }

    /// Done when the weights are there.
    Ticket pulled() {
        return pull;
    }

    /// Computes the gradient of its loss, once the weights are there; what was learned.
    Learned learn(MinibatchTask task, Session session) {
        session.await(pull);
        Arrays.fill(gradients, 0, batch.keyCount(), 0);
        interceptGradient[0] = 0;
        Loss loss = task.loss();
        double lossSum = 0;
        double weightSum = 0;
        for (int row = 0; row < batch.rows(); row++) {
            double label = task.target().of(batch.labels()[row]);
            double importance = batch.weights()[row] * (label > 0 ? task.positiveWeight() : 1);
            double score = RowScore.of(batch, row, weights, interceptWeight[0]);
            lossSum += importance * loss.value(score, label);
            weightSum += importance;
            float slope = (float) (importance * loss.derivative(score, label));
            interceptGradient[0] += slope;
            spread(row, slope);
        }
        return new Learned(batch.rows(), weightSum, lossSum, 0, 0);
    }

    /// Sends the gradient, with which the stream reaches `clock`.
    void update(MinibatchTask task, long clock, Reach reach) {
        update = reach.update(
                stream, clock, slices(task, weights, interceptWeight), slices(task, gradients, interceptGradient));
    }

    private void spread(int row, float slope) {
        int[] positions = batch.positions();
        float[] values = batch.values();
        int end = batch.starts()[row + 1];
        for (int at = batch.starts()[row]; at < end; at++) {
            gradients[positions[at]] += slope * values[at];
        }
    }

    private Slice[] slices(MinibatchTask task, float[] values, float[] intercept) {
        Keys keys = Keys.known(
                batch.keys(), batch.keyCount(), new Hash.Signature(batch.signatureHigh(), batch.signatureLow()));
        Slice features = new Slice(task.table(), keys, new Values.Floats(values, 0, batch.keyCount()));
        return task.intercept() < 0
                ? new Slice[] {features}
                : new Slice[] {features, new Slice(task.intercept(), INTERCEPT, intercept)};
    }
}
