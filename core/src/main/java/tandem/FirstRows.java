package tandem;

import java.io.IOException;
import tandem.data.Batch;
import tandem.data.Batches;

/// What the rows of the first batch look like, for settings that are chosen by that.
final class FirstRows {

    private FirstRows() {}

    /// Their mean squared length; 0 if there are none.
    static double meanSquare(Batches data) throws IOException {
        Batch batch = new Batch();
        data.pass(0, 0).next(batch);
        double sum = 0;
        for (int at = 0; at < batch.starts()[batch.rows()]; at++) {
            sum += (double) batch.values()[at] * batch.values()[at];
        }
        return sum / Math.max(1, batch.rows());
    }
}
