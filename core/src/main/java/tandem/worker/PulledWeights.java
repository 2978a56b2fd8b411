package tandem.worker;

import tandem.client.Session;
import tandem.client.Slice;
import tandem.wire.Keys;
import tandem.wire.TableSpec;

/// The weights that servers have now, whatever a table keeps besides.
public final class PulledWeights {

    private PulledWeights() {}

    /// The first number of the row of each key.
    public static double[] of(Session session, int table, Keys keys) {
        TableSpec spec = session.layout().tables()[table];
        int width = spec.width();
        double[] weights = new double[keys.count()];
        if (spec.doubles()) {
            double[] rows = new double[Math.multiplyExact(keys.count(), width)];
            session.read(new Slice(table, keys, rows));
            for (int k = 0; k < weights.length; k++) {
                weights[k] = rows[k * width];
            }
        } else {
            float[] rows = new float[Math.multiplyExact(keys.count(), width)];
            session.read(new Slice(table, keys, rows));
            for (int k = 0; k < weights.length; k++) {
                weights[k] = rows[k * width];
            }
        }
        return weights;
    }
}
