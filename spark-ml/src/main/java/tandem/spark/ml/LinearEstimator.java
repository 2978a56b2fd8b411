package tandem.spark.ml;

/// What sets the parameters of a linear estimator.
///
/// @param <E> the estimator itself
public interface LinearEstimator<E> extends LinearParams, TandemEstimator<E> {

    default E setTol(double value) {
        set(tol(), value);
        return self();
    }
}
