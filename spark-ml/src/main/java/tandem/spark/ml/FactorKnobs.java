package tandem.spark.ml;

import java.util.List;
import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.Params;
import tandem.Solver;

/// The parameters of factorisation machines.
public final class FactorKnobs extends Knobs {

    private static final long serialVersionUID = 1;

    static final List<String> SOLVERS = List.of("difacto", "fm");

    /// Factors begin evenly between −scale and scale.
    static final double SCALE_OF_DEVIATION = Math.sqrt(3);

    final IntParam factorSize;
    final DoubleParam initStd;
    final DoubleParam stepSize;
    final DoubleParam factorRegParam;
    final IntParam factorThreshold;
    final BooleanParam sparseFactors;
    final IntParam updateRows;

    FactorKnobs(Params of) {
        super(
                of,
                "passes over the data; if this is not set, as many as show two million examples, from 1 to 20",
                "the strength of the penalty on weights, and on factors unless factorRegParam is set, beside the mean"
                        + " loss of examples; if this is not set, those of the command line, which stand beside the"
                        + " sum: --l1 0.1 with difacto, --l2 1, and on factors what suits the data",
                SOLVERS,
                "difacto, where only features that are frequent and have a weight get factors, or fm, where all do");
        factorSize = new IntParam(
                of,
                "factorSize",
                "how many factors a feature has; 0 for a linear model",
                between(0, Solver.Factors.MOST));
        initStd = new DoubleParam(
                of,
                "initStd",
                "the standard deviation of the first values of factors, which are drawn evenly around 0",
                ParamValidators.inRange(0, Solver.Factors.MOST_SCALE / SCALE_OF_DEVIATION, false, true));
        stepSize = new DoubleParam(
                of, "stepSize", "the learning rate of weights (FTRL) and factors (AdaGrad)", ParamValidators.gt(0));
        factorRegParam = new DoubleParam(
                of,
                "factorRegParam",
                "the strength of the L2 penalty on factors beside the mean loss; if this is not set, regParam",
                ParamValidators.gtEq(0));
        factorThreshold = new IntParam(
                of, "factorThreshold", "difacto: how often a feature must have come to get factors", atLeast(0));
        sparseFactors = new BooleanParam(
                of, "sparseFactors", "difacto: whether a feature gets factors only once its weight is not 0");
        updateRows = new IntParam(of, "updateRows", "examples that a worker learns from at once", atLeast(1));
        Solver.Factors usual = Solver.Factors.ADAPTIVE;
        of.setDefault(factorSize, usual.dimension());
        of.setDefault(initStd, Solver.Factors.SCALE / SCALE_OF_DEVIATION);
        of.setDefault(stepSize, Solver.Online.RATE);
        of.setDefault(factorThreshold, usual.threshold());
        of.setDefault(sparseFactors, usual.sparse());
        of.setDefault(updateRows, usual.weights().rows());
    }
}
