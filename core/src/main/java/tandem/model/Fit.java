package tandem.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Locale;
import java.util.TreeSet;
import tandem.data.Batch;
import tandem.math.Mix;
import tandem.report.Progress;

/// Whether data fit a model: read in the same way, and with features that it has weights for.
public final class Fit {

    /// How many rows are looked at before it is said that none of their features is known.
    private static final long ROWS = 10_000;

    /// A model with fewer weights may well meet many rows that have none of them.
    private static final int FEW = 10;

    /// The share of features beyond all that training saw from which data are taken for other data. New ids come up
    /// in sound data too, but not as nearly all there is.
    private static final double BEYOND = 0.9;

    private final BatchScorer scorer;
    private final long largestId;
    private long rows;
    private long keys;
    private long known;
    private long beyond;
    private boolean settled;

    public Fit(BatchScorer scorer) {
        this.scorer = scorer;
        String largest = scorer.card().provenance().largestId();
        largestId = largest.isEmpty() ? -1 : Long.parseUnsignedLong(largest);
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

    /// Looks at the next rows; fails once many have gone by and they are not of the model's kind.
    public synchronized void see(Batch batch) throws IOException {
        if (settled) {
            return;
        }
        rows += batch.rows();
        keys += batch.keyCount();
        known += scorer.known(batch);
        for (int k = 0; k < batch.keyCount(); k++) {
            beyond += Long.compareUnsigned(Mix.unmix(batch.keys()[k]), largestId) > 0 ? 1 : 0;
        }
        if (rows >= ROWS) {
            end();
        }
    }

    /// Judges by the rows there were, when there are no more.
    public synchronized void end() throws IOException {
        if (!settled && keys > 0) {
            long weights = scorer.size();
            if (known == 0 && weights >= FEW) {
                throw unfit("none of the features in the first " + Progress.count(rows)
                        + " rows has a weight in the model, which has " + Progress.count(weights));
            }
            if (beyond > BEYOND * keys) {
                throw unfit(String.format(
                        Locale.ROOT,
                        "%.0f %% of the features in the first %s rows have larger ids than any the model was trained on"
                                + " (%s)",
                        100.0 * beyond / keys,
                        Progress.count(rows),
                        Long.toUnsignedString(largestId)));
            }
        }
        settled = true;
    }

    private static IOException unfit(String what) {
        return new IOException(what + ": the data were made or read in another way than those it was trained on."
                + " Check the files and --format, --hash-bits");
    }
}
