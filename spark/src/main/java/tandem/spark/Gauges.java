package tandem.spark;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import org.apache.spark.SparkEnv$;
import org.apache.spark.metrics.source.Source;
import tandem.Watch;
import tandem.report.Moment;

/// How a job goes, among the metrics of the driver: in Spark's page `/metrics/json` and wherever
/// `spark.metrics.conf` sends them, as `tandem.done`, `tandem.examples` and so on.
final class Gauges implements Source, Watch, AutoCloseable {

    private final Watch watch;
    private final MetricRegistry registry = new MetricRegistry();

    private volatile double done;
    private volatile long examples;
    private volatile double loss = Double.NaN;
    private volatile double objective = Double.NaN;
    private volatile long sentBytes;
    private volatile long receivedBytes;

    private String stage = "";
    private long sinceNanos;
    private volatile double perSecond;

    /// @param watch who hears of it too
    private Gauges(Watch watch) {
        this.watch = watch;
        registry.register("done", (Gauge<Double>) () -> done);
        registry.register("examples", (Gauge<Long>) () -> examples);
        registry.register("examplesPerSecond", (Gauge<Double>) () -> perSecond);
        registry.register("loss", (Gauge<Double>) () -> loss);
        registry.register("objective", (Gauge<Double>) () -> objective);
        registry.register("sentBytes", (Gauge<Long>) () -> sentBytes);
        registry.register("receivedBytes", (Gauge<Long>) () -> receivedBytes);
    }

    /// Shows them until they are closed.
    static Gauges shown(Watch watch) {
        Gauges gauges = new Gauges(watch);
        SparkEnv$.MODULE$.get().metricsSystem().registerSource(gauges);
        return gauges;
    }

    @Override
    public void close() {
        SparkEnv$.MODULE$.get().metricsSystem().removeSource(this);
    }

    @Override
    public String sourceName() {
        return "tandem";
    }

    @Override
    public MetricRegistry metricRegistry() {
        return registry;
    }

    @Override
    public void progress(String now, double share, long worked, double lossNow) {
        long nanos = System.nanoTime();
        if (!now.equals(stage)) {
            stage = now;
            sinceNanos = nanos;
        }
        done = share;
        examples = worked;
        loss = lossNow;
        perSecond = nanos == sinceNanos ? 0 : worked / ((nanos - sinceNanos) * 1e-9);
        watch.progress(now, share, worked, lossNow);
    }

    @Override
    public void note(String line) {
        watch.note(line);
    }

    @Override
    public boolean wantsObjective() {
        return watch.wantsObjective();
    }

    @Override
    public void reached(Moment now) {
        objective = now.objective();
        sentBytes = now.sentBytes();
        receivedBytes = now.receivedBytes();
        watch.reached(now);
    }

    @Override
    public void travelled(long sent, long received) {
        sentBytes = sent;
        receivedBytes = received;
        watch.travelled(sent, received);
    }

    @Override
    public boolean stopping() {
        return watch.stopping();
    }
}
