package tandem.worker;

import tandem.client.Session;
import tandem.client.Slice;
import tandem.data.Batch;
import tandem.wire.Keys;
import tandem.wire.Values;

/// The scores that the weights now on the servers give to the rows of a batch. Belongs to one thread.
public final class PulledScores {

    /// The only key of an intercept's table.
    public static final Keys INTERCEPT = Keys.once(new long[] {0}, 1);

    private final Session session;
    private final int table;
    private final int intercept;
    private float[] weights = new float[0];
    private float[] rows = new float[0];

    /// @param intercept the number of the intercept's table, or a negative number for none
    public PulledScores(Session session, int table, int intercept) {
        this.session = session;
        this.table = table;
        this.intercept = intercept;
    }

    /// Puts the score of each row into `scores`.
    public void score(Batch batch, double[] scores) {
        int keys = batch.keyCount();
        int width = session.layout().tables()[table].width();
        if (weights.length < keys) {
            weights = new float[keys + (keys >> 2)];
            rows = width == 1 ? weights : new float[Math.multiplyExact(weights.length, width)];
        }
        Slice features = new Slice(table, Keys.once(batch.keys(), keys), new Values.Floats(rows, 0, keys * width));
        float[] interceptRow = new float[width];
        if (intercept < 0) {
            session.read(features);
        } else {
            session.read(features, new Slice(intercept, INTERCEPT, interceptRow));
        }
        for (int k = 0; width > 1 && k < keys; k++) {
            weights[k] = rows[k * width];
        }
        RowScores.score(batch, weights, interceptRow[0], scores);
    }
}
