package tandem.spark.ml;

/// What sets the parameters of a factorisation machine.
///
/// @param <E> the estimator itself
public interface FactorEstimator<E> extends FactorParams, TandemEstimator<E> {

    default E setFactorSize(int value) {
        set(factorSize(), value);
        return self();
    }

    default E setInitStd(double value) {
        set(initStd(), value);
        return self();
    }

    default E setStepSize(double value) {
        set(stepSize(), value);
        return self();
    }

    default E setFactorRegParam(double value) {
        set(factorRegParam(), value);
        return self();
    }

    default E setFactorThreshold(int value) {
        set(factorThreshold(), value);
        return self();
    }

    default E setSparseFactors(boolean value) {
        set(sparseFactors(), value);
        return self();
    }

    default E setUpdateRows(int value) {
        set(updateRows(), value);
        return self();
    }
}
