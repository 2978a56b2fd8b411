package tandem.spark.ml;

import org.apache.spark.ml.param.BooleanParam;
import org.apache.spark.ml.param.DoubleParam;
import org.apache.spark.ml.param.IntParam;
import org.apache.spark.ml.param.LongParam;
import org.apache.spark.ml.param.Param;
import org.apache.spark.ml.param.Params;
import org.apache.spark.ml.param.StringArrayParam;

/// The parameters that all estimators and their models have.
public interface TandemParams extends Params {

    /// What holds them.
    Knobs knobs();

    default Param<String> weightCol() {
        return knobs().weightCol;
    }

    default String getWeightCol() {
        return getOrDefault(weightCol());
    }

    default StringArrayParam inputCols() {
        return knobs().inputCols;
    }

    default String[] getInputCols() {
        return getOrDefault(inputCols());
    }

    default StringArrayParam categoricalCols() {
        return knobs().categoricalCols;
    }

    default String[] getCategoricalCols() {
        return getOrDefault(categoricalCols());
    }

    default IntParam hashBits() {
        return knobs().hashBits;
    }

    default int getHashBits() {
        return (int) getOrDefault(hashBits());
    }

    default IntParam maxIter() {
        return knobs().maxIter;
    }

    default int getMaxIter() {
        return (int) getOrDefault(maxIter());
    }

    default DoubleParam regParam() {
        return knobs().regParam;
    }

    default double getRegParam() {
        return (double) getOrDefault(regParam());
    }

    default DoubleParam elasticNetParam() {
        return knobs().elasticNetParam;
    }

    default double getElasticNetParam() {
        return (double) getOrDefault(elasticNetParam());
    }

    default BooleanParam fitIntercept() {
        return knobs().fitIntercept;
    }

    default boolean getFitIntercept() {
        return (boolean) getOrDefault(fitIntercept());
    }

    default LongParam seed() {
        return knobs().seed;
    }

    default long getSeed() {
        return (long) getOrDefault(seed());
    }

    default IntParam numWorkers() {
        return knobs().numWorkers;
    }

    default int getNumWorkers() {
        return (int) getOrDefault(numWorkers());
    }

    default IntParam numServers() {
        return knobs().numServers;
    }

    default int getNumServers() {
        return (int) getOrDefault(numServers());
    }

    default IntParam replicas() {
        return knobs().replicas;
    }

    default int getReplicas() {
        return (int) getOrDefault(replicas());
    }

    default Param<String> consistency() {
        return knobs().consistency;
    }

    default String getConsistency() {
        return getOrDefault(consistency());
    }

    default Param<String> solver() {
        return knobs().solver;
    }

    default String getSolver() {
        return getOrDefault(solver());
    }

    default Param<String> filters() {
        return knobs().filters;
    }

    default String getFilters() {
        return getOrDefault(filters());
    }

    default Param<String> modelDir() {
        return knobs().modelDir;
    }

    default String getModelDir() {
        return getOrDefault(modelDir());
    }
}
