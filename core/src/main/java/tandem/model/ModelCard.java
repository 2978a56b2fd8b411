package tandem.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.List;
import tandem.problem.Link;
import tandem.problem.Span;

/// Everything about a model but its weights, so that it can be known without holding them.
///
/// @param loss       the name of the loss it was trained for
/// @param classes    the labels in order, or none
/// @param precision  of the weights in a file
/// @param schema     how data were turned into features; null if unknown
/// @param provenance where it comes from
/// @param dimension  how many factors a feature may have beside its weight; 0 in a linear model
/// @param span       where predicted numbers stay
public record ModelCard(
        String loss,
        List<String> classes,
        Precision precision,
        JsonNode schema,
        Provenance provenance,
        int dimension,
        Span span) {

    /// Of a linear model.
    public ModelCard(String loss, List<String> classes, Precision precision, JsonNode schema, Provenance provenance) {
        this(loss, classes, precision, schema, provenance, 0, Span.ALL);
    }

    public ModelCard {
        classes = List.copyOf(classes);
        schema = schema == null || schema.isMissingNode() ? NullNode.instance : schema;
        provenance = provenance == null ? Provenance.NONE : provenance;
        if (dimension < 0 || dimension > 1 << 16) {
            throw new IllegalArgumentException("a model has " + dimension + " factors a feature; none has so many");
        }
        if (classes.size() == 1) {
            throw new IllegalArgumentException("a model has one class, " + classes.getFirst() + "; it needs two");
        }
    }

    /// How many scores an example gets.
    public int outputs() {
        return classes.size() > 2 ? classes.size() : 1;
    }

    public Link link() {
        return Link.of(loss);
    }

    /// The number that a regression predicts for a score.
    public double predicted(double score) {
        return span.clip(link().mean(score));
    }

    /// The class that the scores from `at` decide for: the positive of two where the score is above 0,
    /// otherwise the first of the largest.
    public int classOf(double[] scores, int at) {
        if (classes.isEmpty()) {
            throw new IllegalStateException("a model of " + loss + " loss predicts numbers; it has no classes");
        }
        if (outputs() == 1) {
            return scores[at] > 0 ? 1 : 0;
        }
        int best = 0;
        for (int k = 1; k < outputs(); k++) {
            best = scores[at + k] > scores[at + best] ? k : best;
        }
        return best;
    }

    public ModelCard withProvenance(Provenance other) {
        return new ModelCard(loss, classes, precision, schema, other, dimension, span);
    }
}
