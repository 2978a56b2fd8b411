package tandem.spark.ml;

import org.apache.spark.ml.param.Params;

/// Makes the parameters of a stage.
@FunctionalInterface
interface KnobMaker<K extends Knobs> {
    K of(Params stage);
}
