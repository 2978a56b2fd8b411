package tandem.spark.ml;

import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;

/// The parameters of factorisation machines and their models.
public interface FactorParams extends TandemParams {

    @Override
    FactorKnobs knobs();

    default IntParam factorSize() {
        return knobs().factorSize;
    }

    default int getFactorSize() {
        return (int) getOrDefault(factorSize());
    }

    default DoubleParam initStd() {
        return knobs().initStd;
    }

    default double getInitStd() {
        return (double) getOrDefault(initStd());
    }

    default DoubleParam stepSize() {
        return knobs().stepSize;
    }

    default double getStepSize() {
        return (double) getOrDefault(stepSize());
    }

    default DoubleParam factorRegParam() {
        return knobs().factorRegParam;
    }

    default double getFactorRegParam() {
        return (double) getOrDefault(factorRegParam());
    }

    default IntParam factorThreshold() {
        return knobs().factorThreshold;
    }

    default int getFactorThreshold() {
        return (int) getOrDefault(factorThreshold());
    }

    default BooleanParam sparseFactors() {
        return knobs().sparseFactors;
    }

    default boolean getSparseFactors() {
        return (boolean) getOrDefault(sparseFactors());
    }

    default IntParam updateRows() {
        return knobs().updateRows;
    }

    default int getUpdateRows() {
        return (int) getOrDefault(updateRows());
    }
}
