package tandem;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import tandem.model.Precision;
import tandem.problem.Separable;

/// How the nodes of a distributed run learn: what tables hold and what workers send.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Method.Batches.class, name = "batches"),
    @JsonSubTypes.Type(value = Method.Blocks.class, name = "blocks")
})
sealed interface Method {

    /// In which precision a model is kept.
    default Precision precision() {
        return switch (this) {
            case Batches _ -> Precision.F32;
            case Blocks _ -> Precision.F64;
        };
    }

    /// Batch of examples after batch: servers apply an update rule to each gradient.
    ///
    /// @param penalty what the rule meets at every update
    /// @param firsts  where the intercept of each problem begins
    record Batches(Solver.Rule rule, double alpha, double beta, Separable penalty, List<Float> firsts)
            implements Method {}

    /// Block of features after block: servers move the weights of a block when all workers have said what they think of
    /// it.
    ///
    /// @param ranges how many blocks there are, without that of the intercept
    /// @param kkt    whether weights that are at rest are left out
    /// @param exact  whether delays are always as long as they may be
    record Blocks(Separable penalty, int ranges, boolean kkt, boolean exact) implements Method {}
}
