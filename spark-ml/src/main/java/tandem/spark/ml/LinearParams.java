package tandem.spark.ml;

import org.apache.spark.ml.param.DoubleParam;

/// The parameters of linear estimators and their models.
public interface LinearParams extends TandemParams {

    @Override
    LinearKnobs knobs();

    default DoubleParam tol() {
        return knobs().tol;
    }

    default double getTol() {
        return (double) getOrDefault(tol());
    }
}
