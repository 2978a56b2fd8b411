package tandem.model;

/// A trained factorisation machine, all of it in memory: weights, and beside them factors.
///
/// @param weights of all features that have a weight or factors
/// @param factors one row an output, `dimension` for each of the ids of the weights, 0 where a feature has none
public record FactorModel(LinearModel weights, int dimension, float[][] factors) {

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
    static FactorModel linear(LinearModel model) {
        return new FactorModel(model, 0, new float[model.outputs()][0]);
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
}
