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

/// The parameters of a stage: those of Spark ML under the names that they have there, and those of servers and workers.
public final class Knobs implements Serializable {

    private static final long serialVersionUID = 1;

    static final List<String> SOLVERS =
            List.of("dbpg", "sdca", "ssp-prox", "ftrl", "adagrad", "adadelay", "sgd", "downpour", "emso-cd", "emso-gd");

    final Param<String> weightCol;
    final IntParam maxIter;
    final DoubleParam regParam;
    final DoubleParam elasticNetParam;
    final DoubleParam tol;
    final BooleanParam fitIntercept;
    final LongParam seed;
    final IntParam numWorkers;
    final IntParam numServers;
    final IntParam replicas;
    final Param<String> consistency;
    final Param<String> solver;
    final Param<String> filters;
    final Param<String> modelDir;

    Knobs(Params of) {
        weightCol = new Param<>(
                of, "weightCol", "the column of weights of examples; if this is not set, each example counts once");
        maxIter = new IntParam(
                of,
                "maxIter",
                "iterations or passes over the data, at most; unless it is set, online solvers take as many passes as"
                        + " show two million examples, from 1 to 20",
                atLeast(1));
        regParam = new DoubleParam(
                of,
                "regParam",
                "the strength of the penalty beside the mean loss of examples; weights are penalised as they are, as"
                        + " without standardization",
                ParamValidators.gtEq(0));
        elasticNetParam = new DoubleParam(
                of,
                "elasticNetParam",
                "how much of the penalty is L1: 0 is L2 alone, 1 is L1 alone",
                ParamValidators.inRange(0, 1));
        tol = new DoubleParam(
                of,
                "tol",
                "how near the optimum to stop: the duality gap, or the optimality residual; for dbpg, sdca and"
                        + " ssp-prox",
                ParamValidators.gt(0));
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
        solver = new Param<>(
                of,
                "solver",
                "how to train: to the optimum by " + String.join(", ", SOLVERS.subList(0, 3)) + ", or online by "
                        + String.join(", ", SOLVERS.subList(3, SOLVERS.size())),
                ParamValidators.inArray(SOLVERS));
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
        of.setDefault(maxIter, 100);
        of.setDefault(regParam, 0.0);
        of.setDefault(elasticNetParam, 0.0);
        of.setDefault(tol, 1e-4);
        of.setDefault(fitIntercept, true);
        of.setDefault(seed, 1L);
        of.setDefault(numWorkers, 2);
        of.setDefault(numServers, 1);
        of.setDefault(replicas, 0);
        of.setDefault(solver, "dbpg");
    }

    private static scala.Function1<Object, Object> atLeast(int least) {
        return ParamValidators.gtEq(least);
    }
}
