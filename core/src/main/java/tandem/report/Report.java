package tandem.report;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// What a run tells when it is over: one JSON object whose keys are described in `docs/report.md` and
/// never change meaning. Every key is always there; what a run does not have is `null`.
public final class Report {

    /// Bytes that travelled between nodes, those that stayed on a machine, and what each filter made of them.
    public record Bytes(long sent, long received, long local, Map<String, Filtered> byFilter) {}

    /// Bytes that went into a filter and came out.
    public record Filtered(long before, long after) {}

    /// How a worker spent its time, and the clock it reached.
    public record Worker(double computeSeconds, double waitSeconds, double communicationSeconds, long clock) {}

    /// How many clocks behind the weights were that gradients were computed with, over all tables and by table.
    public record Staleness(@JsonUnwrapped Behind all, Map<String, Behind> byTable) {}

    /// How many clocks behind, and how often it was 0, 1, 2 …
    public record Behind(double mean, double variance, double max, long[] histogram) {

        public static Behind of(long[] counts) {
            double reads = Math.max(1, Arrays.stream(counts).sum());
            double sum = 0;
            double squares = 0;
            for (int behind = 0; behind < counts.length; behind++) {
                sum += (double) behind * counts[behind];
                squares += (double) behind * behind * counts[behind];
            }
            double mean = sum / reads;
            return new Behind(mean, squares / reads - mean * mean, Math.max(0, counts.length - 1), counts);
        }
    }

    /// How far from optimal the weights are: NaN where the solver has no such proof.
    public record Certificate(double kktResidual, double dualityGap) {}

    private static final List<String> KEYS = List.of(
            "command",
            "version",
            "seed",
            "seconds",
            "examples",
            "examplesPerSecond",
            "objective",
            "progressiveLoss",
            "metrics",
            "trainMetrics",
            "iterations",
            "stopped",
            "weights",
            "bytes",
            "workers",
            "staleness",
            "skipped",
            "servers",
            "factors",
            "placement",
            "peakMemoryBytes",
            "step",
            "certificate",
            "simulated",
            "curve",
            "settings",
            "reason",
            "data",
            "machine");

    private final ObjectNode tree = JsonNodeFactory.instance.objectNode();

    public Report(String command) {
        KEYS.forEach(tree::putNull);
        put("command", command);
    }

    public Report version(String version) {
        return put("version", version);
    }

    public Report seed(long seed) {
        return put("seed", seed);
    }

    /// Time spent and examples worked on in it, each as often as it was read.
    public Report work(double seconds, long examples) {
        return put("seconds", seconds).put("examples", examples).put("examplesPerSecond", examples / seconds);
    }

    /// The training objective on the sum scale, with the regulariser.
    public Report objective(double objective) {
        return put("objective", objective);
    }

    /// On held-out data where there is some, otherwise on the training data.
    public Report metrics(Metrics metrics) {
        return put("metrics", metrics);
    }

    /// On the training data, where `metrics` is of held-out data.
    public Report trainMetrics(Metrics metrics) {
        return put("trainMetrics", metrics);
    }

    public Report iterations(long iterations) {
        return put("iterations", iterations);
    }

    /// Why the run ended: `passes`, `converged`, `early`, `limit` or `interrupted`.
    public Report stopped(String why) {
        return put("stopped", why);
    }

    /// How many weights are not zero, of how many that data had ids for.
    public Report weights(long nonZero, long seen) {
        ObjectNode weights = JsonNodeFactory.instance.objectNode();
        return put("weights", weights.put("nonZero", nonZero).put("seen", seen));
    }

    public Report bytes(Bytes bytes) {
        return put("bytes", bytes);
    }

    public Report workers(List<Worker> workers) {
        return put("workers", workers);
    }

    public Report staleness(Staleness staleness) {
        return put("staleness", staleness);
    }

    /// Examples that passes ended without, of those there were to work on.
    public Report skipped(long examples, long of) {
        ObjectNode skipped = JsonNodeFactory.instance.objectNode();
        return put("skipped", skipped.put("examples", examples).put("share", of == 0 ? 0 : (double) examples / of));
    }

    public Report peakMemoryBytes(long bytes) {
        return put("peakMemoryBytes", bytes);
    }

    public Report certificate(Certificate certificate) {
        return put("certificate", certificate);
    }

    public Report curve(LearningCurve curve) {
        return put("curve", curve.points());
    }

    /// Sets any key, its own or another; `value` is a record, map, list, number, text or null.
    public Report put(String key, Object value) {
        tree.set(key, Json.tree(value));
        return this;
    }

    public JsonNode tree() {
        return tree.deepCopy();
    }

    public void write(Path file) throws IOException {
        Json.write(file, tree);
    }
}
