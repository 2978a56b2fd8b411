package tandem.spark.ml;

import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.Params;

/// The parameters of linear models.
public final class LinearKnobs extends Knobs {

    private static final long serialVersionUID = 1;

    /// Those that go to the optimum.
    static final List<String> EXACT = List.of("batch", "dbpg", "sdca", "lbfgs", "ssp-prox", "m-papg");

    static final List<String> ONLINE = List.of("ftrl", "adagrad", "adadelay", "sgd", "downpour", "emso-cd", "emso-gd");

    final DoubleParam tol;

    LinearKnobs(Params of) {
        super(
                of,
                "iterations or passes over the data, at most; unless it is set, online solvers take as many passes as"
                        + " show two million examples, from 1 to 20",
                "the strength of the penalty beside the mean loss of examples; weights are penalised as they are, as"
                        + " without standardization",
                Stream.of(List.of("auto"), EXACT, ONLINE).flatMap(List::stream).toList(),
                "how to train: to the optimum by " + String.join(", ", EXACT) + ", or online by "
                        + String.join(", ", ONLINE)
                        + "; auto is batch where driver and executors are one process and nothing is said of"
                        + " servers, and dbpg otherwise");
        tol = new DoubleParam(
                of,
                "tol",
                "how near the optimum to stop: the duality gap, or the optimality residual; batch and dbpg also when"
                        + " five iterations together lower the objective by less than half of it; for "
                        + String.join(", ", EXACT),
                ParamValidators.gt(0));
        of.setDefault(maxIter, 100);
        of.setDefault(regParam, 0.0);
        of.setDefault(tol, 1e-4);
    }
}
