package tandem.spark.ml;

/// What sets the parameters that all estimators have.
///
/// @param <E> the estimator itself
public interface TandemEstimator<E> extends TandemParams {

    /// The estimator itself.
    E self();

    default E setWeightCol(String value) {
        set(weightCol(), value);
        return self();
    }

    default E setInputCols(String... value) {
        set(inputCols(), value);
        return self();
    }

    default E setCategoricalCols(String... value) {
        set(categoricalCols(), value);
        return self();
    }

    default E setHashBits(int value) {
        set(hashBits(), value);
        return self();
    }

    default E setMaxIter(int value) {
        set(maxIter(), value);
        return self();
    }

    default E setRegParam(double value) {
        set(regParam(), value);
        return self();
    }

    default E setElasticNetParam(double value) {
        set(elasticNetParam(), value);
        return self();
    }

    default E setFitIntercept(boolean value) {
        set(fitIntercept(), value);
        return self();
    }

    default E setSeed(long value) {
        set(seed(), value);
        return self();
    }

    default E setNumWorkers(int value) {
        set(numWorkers(), value);
        return self();
    }

    default E setNumServers(int value) {
        set(numServers(), value);
        return self();
    }

    default E setReplicas(int value) {
        set(replicas(), value);
        return self();
    }

    default E setConsistency(String value) {
        set(consistency(), value);
        return self();
    }

    default E setSolver(String value) {
        set(solver(), value);
        return self();
    }

    default E setFilters(String value) {
        set(filters(), value);
        return self();
    }

    default E setModelDir(String value) {
        set(modelDir(), value);
        return self();
    }
}
