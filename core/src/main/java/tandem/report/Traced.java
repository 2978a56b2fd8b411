package tandem.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// One run of a [Comparison]: what it was asked to do, how it ended, and what its objective was meanwhile.
///
/// @param number  of the configuration, from 1
/// @param name    of the configuration
/// @param options as they were given
/// @param message what went wrong; null if nothing did
/// @param moments in their order
/// @param report  of the run, which has a missing node for everything if it failed
public record Traced(
        int number,
        String name,
        String options,
        long seed,
        Status status,
        String message,
        List<Moment> moments,
        JsonNode report) {

    /// How a run ended.
    public enum Status {
        DONE,
        INTERRUPTED,
        FAILED
    }

    public Traced {
        moments = List.copyOf(moments);
        report = report == null ? MissingNode.getInstance() : report;
    }

    /// Of the weights it ended with; NaN if it has none.
    public double objective() {
        JsonNode told = report.path("objective");
        return told.isNumber() ? told.asDouble() : last(Moment::objective);
    }

    public double passes() {
        return last(Moment::passes);
    }

    public double seconds() {
        return last(Moment::seconds);
    }

    private double last(ToDoubleFunction<Moment> what) {
        return moments.isEmpty() ? Double.NaN : what.applyAsDouble(moments.getLast());
    }

    /// The first moment at which the objective was at most `objective`; null if there was none.
    public Moment reached(double objective) {
        return moments.stream()
                .filter(moment -> moment.objective() <= objective)
                .findFirst()
                .orElse(null);
    }

    /// How its workers spent their time. Where nobody waits for anybody there is one, who computes.
    public List<Report.Worker> workers() {
        List<Report.Worker> workers = new ArrayList<>();
        for (JsonNode worker : report.path("workers")) {
            workers.add(new Report.Worker(
                    worker.path("computeSeconds").asDouble(),
                    worker.path("waitSeconds").asDouble(),
                    worker.path("communicationSeconds").asDouble(),
                    worker.path("clock").asLong()));
        }
        return workers.isEmpty() && !moments.isEmpty()
                ? List.of(new Report.Worker(seconds(), 0, 0, Math.round(passes())))
                : workers;
    }
}
