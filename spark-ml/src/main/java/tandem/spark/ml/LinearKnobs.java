package tandem.spark.ml;

import java.util.List;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.Params;

/// The parameters of linear models.
public final class LinearKnobs extends Knobs {

    private static final long serialVersionUID = 1;

    static final List<String> SOLVERS =
            List.of("dbpg", "ssp-prox", "ftrl", "adagrad", "adadelay", "sgd", "downpour", "emso-cd", "emso-gd");

    final DoubleParam tol;

    LinearKnobs(Params of) {
        super(
                of,
                "iterations or passes over the data, at most; unless it is set, online solvers take as many passes as"
                        + " show two million examples, from 1 to 20",
                "the strength of the penalty beside the mean loss of examples; weights are penalised as they are, as"
                        + " without standardization",
                SOLVERS,
                "how to train: to the optimum by " + String.join(", ", SOLVERS.subList(0, 2)) + ", or online by "
                        + String.join(", ", SOLVERS.subList(2, SOLVERS.size())));
        tol = new DoubleParam(
                of,
                "tol",
                "how near the optimum to stop: the duality gap, or the optimality residual; for dbpg and ssp-prox",
                ParamValidators.gt(0));
        of.setDefault(maxIter, 100);
        of.setDefault(regParam, 0.0);
        of.setDefault(tol, 1e-4);
    }
}
