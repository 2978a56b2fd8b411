package tandem.spark.ml;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;
import scala.Function1;

/// The parameters that all stages have: those of Spark ML under the names that they have there, and those of servers
/// and workers.
public sealed class Knobs implements Serializable permits LinearKnobs, FactorKnobs {

    private static final long serialVersionUID = 1;

    final Param<String> weightCol;
    final StringArrayParam inputCols;
    final StringArrayParam categoricalCols;
    final IntParam hashBits;
    final IntParam maxIter;
    final DoubleParam regParam;
    final DoubleParam elasticNetParam;
    final BooleanParam fitIntercept;
    final LongParam seed;
    final IntParam numWorkers;
    final IntParam numServers;
    final IntParam replicas;
    final Param<String> consistency;
    final Param<String> solver;
    final Param<String> filters;
    final Param<String> modelDir;

    /// @param passes     what `maxIter` is
    /// @param penalty    what `regParam` is
    /// @param solvers    by name, the default first
    /// @param differences what they differ in
    Knobs(Params of, String passes, String penalty, List<String> solvers, String differences) {
        weightCol = new Param<>(
                of, "weightCol", "the column of weights of examples; if this is not set, each example counts once");
        inputCols = new StringArrayParam(
                of,
                "inputCols",
                "columns to learn from as they are, instead of a column of vectors: numbers are scaled, strings and"
                        + " booleans are categories, which are hashed with the name of their column, and an array of"
                        + " strings is as many categories");
        categoricalCols = new StringArrayParam(
                of, "categoricalCols", "those of inputCols whose whole numbers, or dates, are categories too");
        hashBits = new IntParam(
                of, "hashBits", "how many low bits of hashes are kept, with inputCols", between(1, Long.SIZE));
        maxIter = new IntParam(of, "maxIter", passes, atLeast(1));
        regParam = new DoubleParam(of, "regParam", penalty, ParamValidators.gtEq(0));
        elasticNetParam = new DoubleParam(
                of,
                "elasticNetParam",
                "how much of the penalty on weights is L1: 0 is L2 alone, 1 is L1 alone",
                ParamValidators.inRange(0, 1));
        fitIntercept = new BooleanParam(of, "fitIntercept", "whether to fit an intercept, which is never penalised");
        seed = new LongParam(of, "seed", "decides the order of examples");
        numWorkers = new IntParam(
                of, "numWorkers", "workers; each takes a slot of Spark for as long as training lasts", atLeast(1));
        numServers = new IntParam(of, "numServers", "servers; they run beside workers, in the same tasks", atLeast(1));
        replicas = new IntParam(
                of, "replicas", "how many servers can be lost at a time; each has a copy on another", atLeast(0));
        consistency = new Param<>(
                of,
                "consistency",
                "how far workers may be apart: bsp, ssp:S, essp:S, bounded:T, async or fraction:F; if this is not set,"
                        + " what suits the solver");
        solver = new Param<>(of, "solver", differences, ParamValidators.inArray(solvers));
        filters = new Param<>(
                of,
                "filters",
                "what messages leave out or pack smaller, such as keycache,lz4; if this is not set, what suits the"
                        + " solver");
        modelDir = new Param<>(
                of,
                "modelDir",
                "a directory that driver and executors see under the same name, where servers leave their parts of the"
                        + " model for the driver to fetch; may stay unset where all is one process");
        of.setDefault(hashBits, Long.SIZE);
        of.setDefault(elasticNetParam, 0.0);
        of.setDefault(fitIntercept, true);
        of.setDefault(seed, 1L);
        of.setDefault(numWorkers, 2);
        of.setDefault(numServers, 1);
        of.setDefault(replicas, 0);
        of.setDefault(solver, solvers.getFirst());
    }

    static Function1<Object, Object> atLeast(int least) {
        return ParamValidators.gtEq(least);
    }

    static Function1<Object, Object> between(int least, int most) {
        return ParamValidators.inRange(least, most);
    }
}
