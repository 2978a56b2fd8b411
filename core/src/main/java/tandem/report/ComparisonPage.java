package tandem.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// The pictures of a [Comparison], and a page that has them all and needs no other file.
///
/// @param title   what was compared
/// @param remarks what else the page says: how it was made, and where
public record ComparisonPage(Comparison comparison, String title, List<String> remarks) {

    /// What the objective is drawn against.
    private enum Across {
        SECONDS("seconds", Moment::seconds),
        BYTES("bytes sent and received by all workers", Moment::bytes),
        PASSES("passes over the data, or iterations", Moment::passes);

        private final String label;
        private final ToDoubleFunction<Moment> of;

        Across(String label, ToDoubleFunction<Moment> of) {
            this.label = label;
            this.of = of;
        }
    }

    /// In place of a number that there is not.
    private static final String NONE = "–";

    /// What is nearer to the best than this is drawn as if it were the best.
    private static final double LEAST = 1e-9;

    /// How many times what runs begin with is too much to draw.
    private static final double FAR = 10;

    /// By the names of their files, without an ending. There is none for what no run has.
    public Map<String, Picture> pictures() {
        Map<String, Picture> all = new LinkedHashMap<>();
        for (Across across : Across.values()) {
            String name = across.name().toLowerCase(Locale.ROOT);
            List<Chart.Line> objectives = lines(across, Moment::objective);
            if (objectives.stream().anyMatch(line -> line.x().length > 0)) {
                all.put(
                        "relative-" + name,
                        Chart.powers(
                                "How far above the best objective",
                                across.label,
                                "(objective − best) / best",
                                lines(across, moment -> visible(comparison.relative(moment.objective())))));
                all.put("objective-" + name, Chart.around("Training objective", across.label, "objective", objectives));
            }
        }
        if (!bars().isEmpty()) {
            all.put(
                    "workers",
                    new Bars(
                            "How workers spent their time",
                            "seconds",
                            List.of("computing", "communicating", "waiting"),
                            bars()));
        }
        return all;
    }

    /// A line for each run, without points if it has come nowhere on the axis across. What has grown far beyond where
    /// runs begin is off the chart.
    private List<Chart.Line> lines(Across across, ToDoubleFunction<Moment> up) {
        List<Chart.Line> lines = new ArrayList<>();
        Map<Integer, String> labels = comparison.labels();
        double most = comparison.runs().stream()
                .flatMap(run -> run.moments().stream().limit(1))
                .mapToDouble(begin -> FAR * Math.abs(begin.objective()))
                .max()
                .orElse(0);
        for (Traced run : comparison.runs()) {
            List<Moment> near = run.moments().stream()
                    .filter(moment -> moment.objective() <= most)
                    .toList();
            boolean moves = near.stream().anyMatch(moment -> across.of.applyAsDouble(moment) > 0);
            List<Moment> drawn = moves ? near : List.of();
            lines.add(new Chart.Line(
                    labels.get(run.number()),
                    drawn.stream().mapToDouble(across.of).toArray(),
                    drawn.stream().mapToDouble(up).toArray()));
        }
        return lines;
    }

    private static double visible(double relative) {
        return relative < LEAST ? 0 : relative;
    }

    /// A bar a worker, of the first seed.
    private List<Bars.Bar> bars() {
        Map<Integer, String> labels = comparison.labels();
        return comparison.runs().stream()
                .filter(run -> run.seed() == comparison.runs().getFirst().seed())
                .flatMap(run -> {
                    List<Report.Worker> workers = run.workers();
                    String label = labels.get(run.number());
                    return IntStream.range(0, workers.size())
                            .mapToObj(w -> bar(workers.size() == 1 ? label : (w + 1) + " of " + label, workers.get(w)));
                })
                .toList();
    }

    private static Bars.Bar bar(String name, Report.Worker worker) {
        double[] parts = {worker.computeSeconds(), worker.communicationSeconds(), worker.waitSeconds()};
        double all = Math.max(parts[0] + parts[1] + parts[2], Double.MIN_NORMAL);
        return new Bars.Bar(name, parts, String.format(Locale.ROOT, "%.0f %% waiting", 100 * parts[2] / all));
    }

    public String html() {
        StringBuilder page = new StringBuilder("""
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>%s</title>
            <style>
            body { font-family: sans-serif; color: #333; max-width: 1480px; margin: 2em auto; padding: 0 1em }
            table { border-collapse: collapse; margin: 1em 0 }
            th, td { padding: 0.3em 0.8em; border-bottom: 1px solid #e4e4e4; text-align: right }
            th:first-child, td:first-child { text-align: left }
            svg { margin: 0.5em 0 }
            </style>
            </head>
            <body>
            <h1>%s</h1>
            """.formatted(escape(title), escape(title)));
        remarks.forEach(remark -> page.append("<p>").append(escape(remark)).append("</p>\n"));
        page.append(table());
        pictures().values().forEach(picture -> page.append(picture.svg()));
        return page.append("</body>\n</html>\n").toString();
    }

    private String table() {
        List<String> metrics = Comparison.METRICS.stream()
                .filter(name -> comparison.runs().stream()
                        .anyMatch(run -> run.report().path("metrics").path(name).isNumber()))
                .toList();
        StringBuilder table = new StringBuilder("<table>\n<tr><th>run</th><th>seed</th><th>ended</th><th>objective</th>"
                + "<th>above the best</th><th>seconds</th>");
        Comparison.NEAR.forEach(near -> table.append("<th>to ").append(near).append("</th>"));
        table.append("<th>passes</th><th>bytes</th>");
        metrics.forEach(name -> table.append("<th>").append(name).append("</th>"));
        table.append("</tr>\n");
        Map<Integer, String> labels = comparison.labels();
        comparison.runs().forEach(run -> row(table, labels.get(run.number()), run, metrics));
        return table.append("</table>\n").toString();
    }

    private void row(StringBuilder table, String label, Traced run, List<String> metrics) {
        table.append("<tr>");
        cell(table, label.equals(run.options()) ? label : label + ": " + run.options());
        cell(table, Long.toString(run.seed()));
        cell(table, run.message() == null ? Comparison.status(run) : run.message());
        cell(table, format("%.6f", run.objective()));
        cell(table, format("%.1e", comparison.relative(run.objective())));
        cell(table, format("%.2f", run.seconds()));
        for (String near : Comparison.NEAR) {
            Moment when = comparison.reached(run, near);
            cell(table, when == null ? NONE : format("%.2f", when.seconds()));
        }
        cell(table, format("%.0f", run.passes()));
        cell(
                table,
                run.moments().isEmpty()
                        ? NONE
                        : Progress.count(run.moments().getLast().bytes()));
        for (String name : metrics) {
            cell(table, format("%.4f", run.report().path("metrics").path(name).asDouble(Double.NaN)));
        }
        table.append("</tr>\n");
    }

    private static String format(String format, double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : NONE;
    }

    private static void cell(StringBuilder table, String text) {
        table.append("<td>").append(escape(text)).append("</td>");
    }

    private static String escape(String text) {
        return SvgCanvas.escape(text);
    }
}
