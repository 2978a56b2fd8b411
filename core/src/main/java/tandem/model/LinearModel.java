package tandem.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.Arrays;
import java.util.List;
import tandem.math.SortedIds;
import tandem.problem.Diverged;
import tandem.problem.Link;

/// A trained linear model: a score is xᵀw plus the intercept, one score for each output.
///
/// A regression has no classes and one output. Two classes, the positive one last, share one output whose
/// sign decides. More have an output each and the largest decides.
///
/// @param loss the name of the loss it was trained for
/// @param classes the labels in order, or none
/// @param ids of the features that have a weight, ascending as unsigned numbers
/// @param weights one row an output, each as long as `ids`
/// @param intercepts one an output
/// @param precision of the weights in a file
/// @param schema how data were turned into features, for reading others the same way; null if unknown
/// @param provenance where it comes from
public record LinearModel(
        String loss,
        List<String> classes,
        long[] ids,
        double[][] weights,
        double[] intercepts,
        Precision precision,
        JsonNode schema,
        Provenance provenance) {

    public LinearModel {
        classes = List.copyOf(classes);
        schema = schema == null || schema.isMissingNode() ? NullNode.instance : schema;
        provenance = provenance == null ? Provenance.NONE : provenance;
        if (classes.size() == 1) {
            throw new IllegalArgumentException("a model has one class, " + classes.getFirst() + "; it needs two");
        }
        int outputs = classes.size() > 2 ? classes.size() : 1;
        if (weights.length != outputs || intercepts.length != outputs) {
            throw new IllegalArgumentException("a model of " + classes.size() + " classes has " + weights.length
                    + " rows of weights and " + intercepts.length + " intercepts; it needs " + outputs + " of each");
        }
        for (int i = 1; i < ids.length; i++) {
            if (Long.compareUnsigned(ids[i - 1], ids[i]) >= 0) {
                throw new IllegalArgumentException("feature id " + Long.toUnsignedString(ids[i]) + " follows "
                        + Long.toUnsignedString(ids[i - 1]) + "; ids must rise");
            }
        }
        for (int k = 0; k < outputs; k++) {
            check(ids, weights[k], precision);
            if (!Double.isFinite(intercepts[k])) {
                throw Diverged.weight("an intercept is " + intercepts[k]);
            }
        }
    }

    private static void check(long[] ids, double[] weights, Precision precision) {
        if (weights.length != ids.length) {
            throw new IllegalArgumentException(
                    "a model has " + ids.length + " feature ids and " + weights.length + " weights");
        }
        for (int i = 0; i < weights.length; i++) {
            if (!Double.isFinite(precision.rounded(weights[i]))) {
                throw Diverged.weight("the weight of feature " + Long.toUnsignedString(ids[i]) + " is " + weights[i]);
            }
        }
    }

    public LinearModel withProvenance(Provenance provenance) {
        return new LinearModel(loss, classes, ids, weights, intercepts, precision, schema, provenance);
    }

    /// Everything but the weights.
    public ModelCard card() {
        return new ModelCard(loss, classes, precision, schema, provenance);
    }

    /// How many scores it gives an example.
    public int outputs() {
        return weights.length;
    }

    public Link link() {
        return Link.of(loss);
    }

    /// How many weights are not zero, over all outputs.
    public long nonZero() {
        return Arrays.stream(weights)
                .flatMapToDouble(Arrays::stream)
                .filter(weight -> weight != 0)
                .count();
    }

    /// The same with a weight, 0 for those that had none, for each of `all`, which has all its ids.
    LinearModel over(long[] all) {
        double[][] spread = new double[weights.length][];
        for (int k = 0; k < spread.length; k++) {
            spread[k] = SortedIds.spread(ids, weights[k], all);
        }
        return new LinearModel(loss, classes, all, spread, intercepts, precision, schema, provenance);
    }

    /// The same model without the ids whose weights are all zero, each weight as a file would give it back.
    LinearModel stored() {
        int[] kept = new int[ids.length];
        int count = 0;
        for (int i = 0; i < ids.length; i++) {
            boolean zero = true;
            for (double[] row : weights) {
                zero &= precision.rounded(row[i]) == 0;
            }
            if (!zero) {
                kept[count++] = i;
            }
        }
        long[] storedIds = new long[count];
        double[][] storedWeights = new double[weights.length][count];
        for (int i = 0; i < count; i++) {
            storedIds[i] = ids[kept[i]];
            for (int k = 0; k < weights.length; k++) {
                storedWeights[k][i] = precision.rounded(weights[k][kept[i]]);
            }
        }
        return new LinearModel(loss, classes, storedIds, storedWeights, intercepts, precision, schema, provenance);
    }
}
