package tandem.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.TreeSet;
import tandem.data.Batch;
import tandem.report.Progress;

/// Whether data fit a model: read in the same way, and with features that it has weights for.
public final class Fit {

    /// How many rows are looked at before it is said that none of their features is known.
    private static final long ROWS = 10_000;

    /// A model with fewer weights may well meet many rows that have none of them.
    private static final int FEW = 10;

    private final Scorer scorer;
    private long rows;
    private long keys;
    private boolean settled;

    public Fit(Scorer scorer) {
        this.scorer = scorer;
        settled = scorer.model().ids().length < FEW;
    }

    /// Refuses data whose schema differs from the one that the model was trained with; what either does
    /// not say is not compared.
    public static void check(JsonNode model, JsonNode data) throws IOException {
        if (!model.isObject() || !data.isObject()) {
            return;
        }
        var keys = new TreeSet<String>();
        model.fieldNames().forEachRemaining(keys::add);
        for (String key : keys) {
            JsonNode trained = model.get(key);
            JsonNode found = data.path(key);
            if (trained.isObject() && found.isObject()) {
                check(trained, found);
            } else if (!found.isMissingNode() && !found.equals(trained)) {
                throw new IOException(
                        "the data are read with " + key + " " + found + ", but the model was trained with " + key + " "
                                + trained + ". Read them as it was trained, or train anew");
            }
        }
    }

    /// Looks at the next rows; fails once many have gone by and not one feature had a weight.
    public synchronized void see(Batch batch) throws IOException {
        if (settled) {
            return;
        }
        settled = scorer.known(batch) > 0;
        rows += batch.rows();
        keys += batch.keyCount();
        if (rows >= ROWS) {
            end();
        }
    }

    /// Judges by the rows there were, when there are no more.
    public synchronized void end() throws IOException {
        if (!settled && keys > 0) {
            throw new IOException("none of the features in the first " + Progress.count(rows)
                    + " rows has a weight in the model, which has "
                    + Progress.count(scorer.model().ids().length)
                    + ": the data were made or read in another way than those it was trained on."
                    + " Check the files and --format, --hash-bits");
        }
        settled = true;
    }
}
