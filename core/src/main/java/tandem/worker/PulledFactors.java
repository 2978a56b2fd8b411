package tandem.worker;

import tandem.client.Session;
import tandem.client.Slice;
import tandem.data.Batch;
import tandem.wire.Keys;

/// The scores that the weights and factors now on the servers give to the rows of a batch. Belongs to one thread.
public final class PulledFactors {

    private final Session session;
    private final int table;
    private final int intercept;
    private final FactorGradient machine;
    private final float[] interceptWeight = {0};

    /// @param intercept the number of the intercept's table, or a negative number for none
    public PulledFactors(Session session, int table, int intercept, int dimension) {
        this.session = session;
        this.table = table;
        this.intercept = intercept;
        machine = new FactorGradient(dimension);
    }

    /// Puts the score of each row into `scores`.
    public void score(Batch batch, double[] scores) {
        pull(batch);
        machine.scores(batch, interceptWeight[0], scores);
    }

    /// How many of the keys of a batch have a weight or factors.
    public int known(Batch batch) {
        pull(batch);
        return machine.known(batch);
    }

    private void pull(Batch batch) {
        Slice features = new Slice(table, Keys.once(batch.keys(), batch.keyCount()), machine.weights(batch));
        if (intercept < 0) {
            session.read(features);
        } else {
            session.read(features, new Slice(intercept, PulledScores.INTERCEPT, interceptWeight));
        }
    }
}
