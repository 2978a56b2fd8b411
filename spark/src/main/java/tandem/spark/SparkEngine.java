package tandem.spark;

import java.io.IOException;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import tandem.LinearTraining;
import tandem.Trained;
import tandem.app.Engine;

/// `--runtime spark`: a session for one job, unless there is one already, as under `spark-submit`.
public final class SparkEngine implements Engine {

    /// Tasks last as long as training, so the death of one is no reason to give up, and no task is slow. An
    /// executor that hangs is made up for once Spark has given it up, which is to be before Tandem ends the run.
    private static final Map<String, String> SETTINGS = Map.of(
            "spark.task.maxFailures", "1000000",
            "spark.speculation", "false",
            "spark.dynamicAllocation.enabled", "false",
            "spark.scheduler.mode", "FAIR",
            "spark.network.timeout", "60s",
            "spark.network.timeoutInterval", "10s",
            "spark.ui.showConsoleProgress", "false");

    private static final String LOGGING = "log4j2.configurationFile";

    @Override
    public Trained train(LinearTraining job, Options options) throws IOException {
        if (System.getProperty(LOGGING) == null) {
            System.setProperty(LOGGING, "tandem/spark/log4j2.properties");
        }
        job.checkHosted();
        boolean ours = SparkSession.getDefaultSession().isEmpty();
        SparkConf conf = new SparkConf();
        options.settings().forEach(conf::set);
        if (options.master() != null) {
            conf.setMaster(options.master());
        }
        if (!conf.contains("spark.master")) {
            throw new IllegalArgumentException("no cluster is named; say which with --master, such as local[2],"
                    + " local-cluster[2,1,1024] or spark://HOST:7077");
        }
        settings(conf);
        SparkSession session = session(conf);
        try (Shutdown _ = new Shutdown()) {
            return new SparkTraining(session, options.job()).run(job);
        } catch (RuntimeException e) {
            if (session.sparkContext().isStopped()) {
                throw new IOException(
                        "Spark has ended the application at --master " + conf.get("spark.master")
                                + "; see whether a cluster is there",
                        e);
            }
            throw e;
        } finally {
            if (ours) {
                session.stop();
            }
        }
    }

    private static SparkSession session(SparkConf conf) throws IOException {
        try {
            return SparkSession.builder().config(conf).getOrCreate();
        } catch (Exception e) {
            throw new IOException(
                    "Spark cannot be used at --master " + conf.get("spark.master") + ": "
                            + Failures.firstLine(e.getMessage())
                            + "; name a cluster that runs, such as local[2], local-cluster[2,1,1024] or"
                            + " spark://HOST:7077",
                    e);
        }
    }

    /// What Tandem needs of an application, unless somebody has said otherwise.
    static SparkConf settings(SparkConf conf) {
        SETTINGS.forEach(conf::setIfMissing);
        conf.setIfMissing("spark.app.name", "tandem");
        if (conf.get("spark.master").startsWith("local")) {
            conf.setIfMissing("spark.driver.host", "127.0.0.1");
            conf.setIfMissing("spark.driver.bindAddress", "127.0.0.1");
            // Executors are started from here, with the Java that runs this.
            conf.setIfMissing("spark.executorEnv.JAVA_HOME", System.getProperty("java.home"));
        }
        Library.handTo(conf);
        return conf;
    }
}
