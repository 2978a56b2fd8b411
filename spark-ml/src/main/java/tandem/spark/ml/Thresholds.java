package tandem.spark.ml;

import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.ParamValidators;
import org.apache.spark.ml.param.Params;

/// Which probability is enough for class 1.
final class Thresholds {

    private Thresholds() {}

    static DoubleParam param(Params of) {
        DoubleParam threshold = new DoubleParam(
                of,
                "threshold",
                "above which probability an example is of class 1; if thresholds are set they decide",
                ParamValidators.inRange(0, 1));
        of.setDefault(threshold, 0.5);
        return threshold;
    }
}
