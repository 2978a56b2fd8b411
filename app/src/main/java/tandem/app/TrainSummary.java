package tandem.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tandem.report.Progress;

/// What the user sees when training is done.
///
/// @param report of the run
/// @param file   that it was written to, or null
/// @param test   files to try the model on next, or null
/// @param held   whether some examples were held out
record TrainSummary(JsonNode report, Path model, Path file, List<String> test, boolean held) {

    void print(Console console) throws IOException {
        console.print(work());
        String metrics = metrics();
        if (!metrics.isEmpty()) {
            console.print(metrics);
        }
        String poor = poor();
        if (!poor.isEmpty()) {
            console.print(line("note", poor));
        }
        JsonNode skipped = report.at("/data/skippedLines");
        long bad = skipped.path("count").asLong();
        if (bad > 0) {
            console.print(line("skipped", bad == 1 ? "1 bad line" : Progress.count(bad) + " bad lines, such as"));
            for (JsonNode example : skipped.path("examples")) {
                console.print(line("", example.asText()));
            }
        }
        if (report.path("staleness").isObject()) {
            console.print(line("workers", workers()));
        }
        JsonNode simulated = report.path("simulated");
        if (simulated.isObject()) {
            console.print(line(
                    "simulated",
                    Progress.count(simulated.path("events").asLong()) + " events, trace "
                            + simulated.path("trace").asText()));
        }
        if (model != null) {
            console.print(line("model", model.toString()));
        }
        if (file != null) {
            console.print(line("report", file.toString()));
        }
        if (model == null) {
            return;
        }
        String data = test == null || test.isEmpty() ? "FILE" : test.getFirst();
        console.print(line("next", Words.command("evaluate", "--model", model.toString(), "--data", data)));
    }

    private String workers() {
        double busy = 0;
        double wait = 0;
        for (JsonNode worker : report.path("workers")) {
            busy += worker.path("computeSeconds").asDouble()
                    + worker.path("communicationSeconds").asDouble();
            wait += worker.path("waitSeconds").asDouble();
        }
        return String.format(
                Locale.ROOT,
                "%d, %.0f %% of their time waiting; reads %.2f clocks behind (at most %.0f); %s bytes sent",
                report.path("workers").size(),
                100 * wait / Math.max(1e-9, busy + wait),
                report.at("/staleness/mean").asDouble(),
                report.at("/staleness/max").asDouble(),
                Progress.count(report.at("/bytes/sent").asLong()));
    }

    private String work() {
        JsonNode settings = report.path("settings");
        long times = report.path("iterations").asLong();
        boolean batch = List.of("batch", "lbfgs", "ssp-prox", "m-papg")
                .contains(settings.path("solver").asText());
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s examples in %.2f s (%s/s): %s, %d %s%s",
                Progress.count(report.path("examples").asLong()),
                report.path("seconds").asDouble(),
                Progress.count(Math.round(report.path("examplesPerSecond").asDouble())),
                settings.path("solver").asText(),
                times,
                batch ? "iteration" : times == 1 ? "pass" : "passes",
                batch && times != 1 ? "s" : ""));
        text.append(
                switch (report.path("stopped").asText()) {
                    case "early" -> ", stopped early: validation no longer improved";
                    case "stalled" ->
                        ", short of --tolerance: steps no longer lower the objective; the certificate says how near it"
                                + " is";
                    case "limit" -> ", not converged: raise --max-iterations or --tolerance";
                    default -> "";
                });
        if (report.path("objective").isNumber()) {
            text.append('\n')
                    .append(line(
                            "objective",
                            String.format(
                                    Locale.ROOT,
                                    "%.6f (%s loss summed, plus penalty %s)",
                                    report.path("objective").asDouble(),
                                    settings.path("loss").asText(),
                                    penalty(settings))));
        }
        if (report.path("progressiveLoss").isNumber()) {
            text.append('\n')
                    .append(line(
                            "progressive",
                            String.format(
                                    Locale.ROOT,
                                    "%.6f mean loss, each example taken before it was learned",
                                    report.path("progressiveLoss").asDouble())));
        }
        JsonNode certificate = report.path("certificate");
        if (certificate.isObject()) {
            text.append('\n').append(line("certificate", certificate(certificate)));
        }
        if (settings.path("step").asText().equals("guaranteed")
                && report.path("step").isObject()) {
            text.append('\n')
                    .append(line(
                            "steps",
                            String.format(
                                    Locale.ROOT,
                                    "%.3g long in the end; convergence is proven for %.3g (1 is what is safe for each"
                                            + " weight by itself)",
                                    report.at("/step/used").asDouble(),
                                    report.at("/step/guaranteed").asDouble())));
        }
        JsonNode weights = report.path("weights");
        text.append('\n')
                .append(line(
                        "weights",
                        Progress.count(weights.path("nonZero").asLong()) + " not zero of "
                                + Progress.count(weights.path("seen").asLong()) + " features"));
        JsonNode factors = report.path("factors");
        if (factors.isObject()) {
            text.append('\n')
                    .append(line(
                            "factors",
                            String.format(
                                    Locale.ROOT,
                                    "%d each of %s features, not all 0 for %s: %s bytes, a plain machine's %s",
                                    factors.path("dimension").asInt(),
                                    Progress.count(factors.path("features").asLong()),
                                    Progress.count(factors.path("used").asLong()),
                                    Progress.count(factors.path("bytes").asLong()),
                                    Progress.count(factors.path("plainBytes").asLong()))));
        }
        return text.toString();
    }

    private static String penalty(JsonNode settings) {
        String all = settings.path("penalty").asText();
        return settings.path("factor-l2").isMissingNode()
                ? all
                : all + ", of factors l2 " + settings.path("factor-l2").asText() + " and group "
                        + settings.path("factor-group").asText();
    }

    /// What the solver vouches for: a residual, a gap, or both.
    private static String certificate(JsonNode certificate) {
        List<String> parts = new ArrayList<>();
        if (certificate.path("kktResidual").isNumber()) {
            parts.add(figure("optimality residual", certificate.path("kktResidual")));
        }
        if (certificate.path("dualityGap").isNumber()) {
            parts.add(figure("duality gap", certificate.path("dualityGap")));
        }
        return String.join(", ", parts);
    }

    private static String figure(String name, JsonNode number) {
        return String.format(Locale.ROOT, "%s %.3g", name, number.asDouble());
    }

    private String metrics() {
        return new MetricsTable()
                .with(held ? "validation" : "training", report.path("metrics"))
                .with("training", report.path("trainMetrics"))
                .toString();
    }

    /// What to try where the model is no better than a constant, by what its loss is about; empty where it is better.
    private String poor() {
        JsonNode metrics = report.path("metrics");
        JsonNode settings = report.path("settings");
        String name = switch (settings.path("loss").asText()) {
            case "logistic" -> "logloss";
            case "squared" -> "rmse";
            default -> "";
        };
        double constant = MetricsTable.constant(name, metrics);
        double reached = metrics.path(name).asDouble(Double.NaN);
        if (!(constant > 0 && reached >= constant)) {
            return "";
        }
        List<String> tries = new ArrayList<>();
        if (settings.has("learning-rate")) {
            if (!settings.has("factor-rate")) {
                tries.add("--solver batch");
            }
            tries.add("more --passes");
            tries.add("another --learning-rate");
        }
        tries.add("a weaker penalty");
        return (name.equals("rmse") ? "RMSE " : "logloss ") + MetricsTable.number(reached)
                + " is no better than always predicting the "
                + (name.equals("rmse") ? "mean (" : "share of positives (") + MetricsTable.number(constant) + "). Try "
                + String.join(", ", tries) + ", or divide features that are very large by a constant";
    }

    private static String line(String name, String value) {
        return String.format(Locale.ROOT, "%-14s%s", name, value);
    }
}
