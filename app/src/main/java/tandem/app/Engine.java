package tandem.app;

import java.io.IOException;
import java.util.Map;
import java.util.ServiceLoader;
import tandem.LinearTraining;
import tandem.Trained;

/// Trains jobs on a cluster that somebody else manages. There is one where its library is on the class path.
public interface Engine {

    /// @param master   which cluster; null for what the environment says
    /// @param settings of the cluster, by name
    /// @param job      what others find the run by; null for nothing
    record Options(String master, Map<String, String> settings, String job) {}

    Trained train(LinearTraining job, Options options) throws IOException;

    /// The one that there is.
    static Engine here() {
        return ServiceLoader.load(Engine.class)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Spark is not on the class path; train with ./tandem train … --runtime spark, or hand"
                                + " tandem-spark.jar to spark-submit"));
    }
}
