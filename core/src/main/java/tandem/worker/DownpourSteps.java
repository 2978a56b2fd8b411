package tandem.worker;

import java.util.Arrays;
import tandem.data.Batch;

/// A replica of Downpour SGD (Dean et al., NIPS 2012, section 4.1): takes gradient steps on weights of its own,
/// fetches those of the servers after every `fetch` steps, and pushes the sum of its gradients after every `push`.
///
/// A batch of the data is what lies between two pushes; its rows are shared evenly by the steps. So each push is
/// that of a batch, and whoever goes on for another worker knows where.
final class DownpourSteps {

    private float[] accrued = new float[0];

    /// What a replica does with its intercept and its rows.
    interface Replica {

        /// Adds the gradient of rows `from` until `to`, and moves the intercept by it; what was learned.
        Learned step(int from, int to);

        /// Pulls the weights of the batch anew.
        void fetch();
    }

    /// Leaves the sum of the gradients in `own`.
    Learned learn(Local.Downpour how, Batch batch, LinearGradient own, Replica replica) {
        int keys = batch.keyCount();
        if (accrued.length < keys) {
            accrued = new float[keys + (keys >> 2)];
        }
        Arrays.fill(accrued, 0, keys, 0);
        Learned learned = Learned.ZERO;
        for (int step = 0; step < how.push(); step++) {
            if (step > 0 && step % how.fetch() == 0) {
                replica.fetch();
            }
            int from = (int) ((long) batch.rows() * step / how.push());
            int to = (int) ((long) batch.rows() * (step + 1) / how.push());
            learned = learned.plus(replica.step(from, to));
            for (int k = 0; k < keys; k++) {
                accrued[k] += own.gradients[k];
                own.weights[k] -= (float) how.rate() * own.gradients[k];
                own.gradients[k] = 0;
            }
        }
        System.arraycopy(accrued, 0, own.gradients, 0, keys);
        return learned;
    }
}
