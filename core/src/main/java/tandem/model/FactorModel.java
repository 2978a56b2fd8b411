package tandem.model;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import tandem.math.Mix;
import tandem.math.RadixSort;
import tandem.problem.Span;

/// A trained factorisation machine, all of it in memory: weights, and beside them factors.
///
/// @param weights of all features that have a weight or factors
/// @param factors one row an output, `dimension` for each of the ids of the weights, 0 where a feature has none
/// @param span    where predicted numbers stay
public record FactorModel(LinearModel weights, int dimension, float[][] factors, Span span) {

    public FactorModel {
        for (float[] row : factors) {
            if (factors.length != weights.outputs() || row.length != (long) dimension * weights.ids().length) {
                throw new IllegalArgumentException(factors.length + " rows of factors, one of them of " + row.length
                        + " numbers; a model of " + weights.outputs() + " outputs and " + weights.ids().length
                        + " features has " + dimension + " for each of them");
            }
        }
    }

    /// A linear model, whose features have no factors.
    public static FactorModel linear(LinearModel model) {
        return new FactorModel(model, 0, new float[model.outputs()][0], Span.ALL);
    }

    /// Everything but the weights and factors.
    public ModelCard card() {
        return new ModelCard(
                weights.loss(),
                weights.classes(),
                weights.precision(),
                weights.schema(),
                weights.provenance(),
                dimension,
                span);
    }

    /// Whether the feature in a place has factors for an output.
    boolean isFactored(int output, int place) {
        boolean any = false;
        for (int f = 0; f < dimension; f++) {
            any |= factor(output, place, f) != 0;
        }
        return any;
    }

    float factor(int output, int place, int number) {
        return factors[output][place * dimension + number];
    }

    /// Writes the weights and factors of an output as one range of keys.
    RangeFile write(int output, Path directory) throws IOException {
        long[] ids = weights.ids();
        long[] keys = new long[ids.length];
        double[] places = new double[ids.length];
        for (int place = 0; place < ids.length; place++) {
            keys[place] = Mix.mix(ids[place]);
            places[place] = place;
        }
        RadixSort.sort(keys, places);
        long[] weighted = new long[ids.length];
        double[] values = new double[ids.length];
        long[] factored = new long[ids.length];
        float[] rows = new float[factors[output].length];
        int first = 0;
        int second = 0;
        for (int k = 0; k < keys.length; k++) {
            int place = (int) places[k];
            double weight = weights.precision().rounded(weights.weights()[output][place]);
            if (weight != 0) {
                weighted[first] = keys[k];
                values[first++] = weight;
            }
            if (isFactored(output, place)) {
                factored[second] = keys[k];
                System.arraycopy(factors[output], place * dimension, rows, second++ * dimension, dimension);
            }
        }
        return RangeFile.write(
                directory,
                new KeyRange(output, output + 1, weights.outputs(), 0),
                Arrays.copyOf(weighted, first),
                Arrays.copyOf(values, first),
                weights.precision(),
                new FactorRows(dimension, Arrays.copyOf(factored, second), Arrays.copyOf(rows, second * dimension)));
    }
}
