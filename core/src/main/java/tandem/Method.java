package tandem;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import tandem.data.ColumnUse;
import tandem.math.Mix;
import tandem.model.Precision;
import tandem.problem.GroupKeys;
import tandem.problem.Separable;
import tandem.server.Row;
import tandem.solver.AdaGrad;
import tandem.solver.DiFacto;
import tandem.solver.DualPull;
import tandem.solver.FactorStep;
import tandem.solver.Ftrl;
import tandem.topology.Topology;
import tandem.worker.Local;

/// How the nodes of a distributed run learn: what tables hold and what workers send.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Method.Batches.class, name = "batches"),
    @JsonSubTypes.Type(value = Method.Blocks.class, name = "blocks"),
    @JsonSubTypes.Type(value = Method.Dual.class, name = "dual"),
    @JsonSubTypes.Type(value = Method.Factors.class, name = "factors"),
    @JsonSubTypes.Type(value = Method.Proximal.class, name = "proximal"),
    @JsonSubTypes.Type(value = Method.Vectors.class, name = "vectors")
})
sealed interface Method {

    /// In which precision a model is kept.
    default Precision precision() {
        return switch (this) {
            case Batches _, Factors _ -> Precision.F32;
            case Blocks _, Dual _, Proximal _, Vectors _ -> Precision.F64;
        };
    }

    /// The weight that a row of a table of weights stands for.
    default double weight(Row row) {
        return this instanceof Dual dual ? DualPull.weight(row, dual.penalty) : row.weight(0);
    }

    /// Batch of examples after batch: servers apply an update rule to each gradient.
    ///
    /// @param penalty what the rule meets at every update
    /// @param firsts  where the intercept of each problem begins
    /// @param local   what workers make of a batch
    record Batches(
            Solver.Rule rule,
            double alpha,
            double beta,
            Separable penalty,
            List<Float> firsts,

            @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
            @JsonSubTypes({
                @JsonSubTypes.Type(value = Local.Gradient.class, name = "gradient"),
                @JsonSubTypes.Type(value = Local.Downpour.class, name = "downpour"),
                @JsonSubTypes.Type(value = Local.Emso.class, name = "emso"),
                @JsonSubTypes.Type(value = Local.Averaging.class, name = "averaging")
            })
            Local local)
            implements Method {

        /// Whether workers move weights themselves, and take the mean.
        boolean averages() {
            return local instanceof Local.Averaging;
        }

        /// How workers sum their weights by themselves; null if servers do it, or nobody.
        Topology topology() {
            return local instanceof Local.Averaging how
                    ? switch (how.exchange()) {
                        case RING -> Topology.RING;
                        case DIRECT -> Topology.DIRECT;
                        case SERVER, SPARK -> null;
                    }
                    : null;
        }

        /// Numbers a row: the weight, and what workers that average it remember of it.
        int width() {
            return averages() ? 2 : 1;
        }

        Batches withFirsts(List<Float> fitting) {
            return new Batches(rule, alpha, beta, penalty, fitting, local);
        }
    }

    /// Batch of examples after batch, where features have factors beside their weight.
    ///
    /// @param weights how weights are trained
    /// @param l2      what factors meet at every update
    /// @param group   what the norm of those of a feature meets
    record Factors(
            Batches weights,
            int dimension,
            int threshold,
            boolean sparse,
            double alpha,
            double beta,
            double l2,
            double group,
            double scale)
            implements Method {

        Factors withWeights(Batches other) {
            return new Factors(other, dimension, threshold, sparse, alpha, beta, l2, group, scale);
        }

        /// Whether every feature has factors.
        boolean isPlain() {
            return threshold == 0 && !sparse;
        }

        /// What a server makes the update rule from.
        double[] settings(long seed) {
            Separable met = weights.penalty();
            return new double[] {
                weights.alpha(),
                weights.beta(),
                met.l1(),
                met.l2(),
                met.low(),
                met.high(),
                alpha,
                beta,
                l2,
                group,
                dimension,
                threshold,
                sparse ? 1 : 0,
                scale,
                Mix.mix(seed) >>> 11
            };
        }

        static DiFacto rule(double[] s) {
            return new DiFacto(
                    new Ftrl(s[0], s[1], new Separable(s[2], s[3], s[4], s[5])),
                    new FactorStep(new AdaGrad(s[6], s[7], Separable.l2(s[8])), s[9]),
                    (int) s[10],
                    (int) s[11],
                    s[12] != 0,
                    s[13],
                    (long) s[14]);
        }
    }

    /// Block of features after block: servers move the weights of a block when all workers have said what they think of
    /// it.
    ///
    /// @param ranges how many blocks there are, without that of the intercept
    /// @param kkt    whether weights that are at rest are left out
    /// @param proven whether curvatures are bounded whatever moves
    /// @param lossy  whether filters lose something of what workers push
    /// @param hold   what steps of weights must exceed, times the number of the round, to be taken while filters of
    ///               pulls hold small ones back; 0 for all
    /// @param columns where workers have the features of their rows
    /// @param groups  the keys of features whose weights move together; null if each moves by itself. The
    ///                penalty is then on the norm of each group, as strong as L1
    record Blocks(
            Separable penalty,
            int ranges,
            boolean kkt,
            boolean proven,
            boolean lossy,
            double hold,
            ColumnUse columns,
            GroupKeys groups)
            implements Method {}

    /// The mixed key that the key of a row of weights stands for.
    default long mixed(long key) {
        return this instanceof Blocks blocks && blocks.groups != null ? blocks.groups.mixed(key) : key;
    }

    /// All weights at once: servers keep the vectors of L-BFGS, and workers find gradients.
    ///
    /// @param memory how many pairs are kept
    record Vectors(Separable penalty, int memory) implements Method {}

    /// Example after example: servers keep what slopes of examples pull weights by, and the slopes.
    ///
    /// @param batchRows how many examples a batch has at most
    /// @param batches   how many batches there are
    record Dual(Separable penalty, int batchRows, long batches) implements Method {

        /// Rows of a table that has one for every example.
        long examples() {
            return Math.max(1, batchRows * batches);
        }
    }

    /// All weights at once by proximal steps, clock after clock.
    ///
    /// @param split      what each worker has: examples, and servers move weights; or features, and it moves their
    ///                   weights itself
    /// @param guaranteed whether steps are as short as the longest delay asks for
    /// @param rows       how many examples there are
    record Proximal(Separable penalty, Solver.Proximal.Split split, boolean guaranteed, long rows) implements Method {

        /// Whether the margins of all examples are in a table of their own.
        boolean sharesMargins() {
            return split == Solver.Proximal.Split.FEATURES;
        }
    }
}
