package tandem.spark.ml;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Row;
import tandem.data.BadData;
import tandem.math.SortedIds;
import tandem.model.FactorModel;
import tandem.model.LinearModel;
import tandem.model.Precision;
import tandem.model.Scorer;
import tandem.problem.Span;

/// What executors get of a model; they make a scorer of it when they first need one.
final class ExecutorModel implements Serializable {

    private static final long serialVersionUID = 1;

    private final String loss;
    private final ArrayList<String> classes;
    private final long[] ids;
    private final double[][] weights;
    private final double[] intercepts;
    private final int dimension;
    private final float[][] factors;
    private final double low;
    private final double high;
    private final boolean byId;
    private final long mask;
    private transient Scorer scorer;

    /// @param hashBits of ids that are hashes of columns; 0 if ids are places in vectors
    ExecutorModel(FactorModel model, int hashBits) {
        loss = model.weights().loss();
        classes = new ArrayList<>(model.weights().classes());
        ids = model.weights().ids();
        weights = model.weights().weights();
        intercepts = model.weights().intercepts();
        dimension = model.dimension();
        factors = model.factors();
        low = model.span().low();
        high = model.span().high();
        byId = hashBits > 0;
        mask = -1L >>> (Long.SIZE - hashBits);
    }

    synchronized Scorer scorer() {
        if (scorer == null) {
            LinearModel linear =
                    new LinearModel(loss, List.copyOf(classes), ids, weights, intercepts, Precision.F64, null, null);
            scorer = new Scorer(new FactorModel(linear, dimension, factors, new Span(low, high)));
        }
        return scorer;
    }

    Entries entries(Vector features) {
        return Entries.of(features, byId ? ids : null);
    }

    /// The features of a row that the model knows, by their place among its ids.
    Vector vector(Row row, CellReader reader) {
        // Two that meet through hashing are added, as where they are learned from.
        TreeMap<Integer, Float> found = new TreeMap<>();
        try {
            reader.read(row, 0, (id, value) -> {
                int place = SortedIds.find(ids, id & mask);
                if (place >= 0) {
                    found.merge(place, value, Float::sum);
                }
            });
        } catch (BadData e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        int[] places = new int[found.size()];
        double[] values = new double[places.length];
        int at = 0;
        for (var entry : found.entrySet()) {
            places[at] = entry.getKey();
            values[at++] = entry.getValue();
        }
        return Vectors.sparse(ids.length, places, values);
    }
}
