package tandem.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tandem.report.Progress;

/// Metrics side by side, a column for each set of examples, beside what the constant prediction would reach.
final class MetricsTable {

    private record Column(String title, JsonNode metrics) {}

    private static final List<String> NAMES = List.of("logloss", "auc", "accuracy", "f1", "rmse", "mae", "loss");
    private static final List<String> TITLES =
            List.of("logloss", "AUC", "accuracy", "F1", "RMSE", "mean error", "loss");

    private final List<Column> columns = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    /// Adds a column of metrics as a report has them; null or missing ones are left out.
    MetricsTable with(String title, JsonNode metrics) {
        if (metrics != null && metrics.isObject()) {
            columns.add(new Column(title, metrics));
        }
        return this;
    }

    @Override
    public String toString() {
        if (columns.isEmpty()) {
            return "";
        }
        text.setLength(0);
        JsonNode first = columns.getFirst().metrics;
        boolean constant = NAMES.stream().anyMatch(name -> !Double.isNaN(constant(name, first)));
        row("", columns.stream().map(Column::title).toList(), constant ? "constant" : "");
        row("examples", columns.stream().map(column -> count(column.metrics)).toList(), "");
        for (int n = 0; n < NAMES.size(); n++) {
            String name = NAMES.get(n);
            if (first.path(name).isNumber() && !repeated(name, first)) {
                List<String> values = columns.stream()
                        .map(column -> number(column.metrics.path(name).asDouble(Double.NaN)))
                        .toList();
                row(TITLES.get(n), values, constant ? number(constant(name, first)) : "");
            }
        }
        return text.toString();
    }

    /// The trained loss needs no line of its own where it is shown under its usual name.
    private static boolean repeated(String name, JsonNode metrics) {
        return name.equals("loss") && metrics.path("logloss").isNumber();
    }

    /// What always predicting the share of positives, or the mean of numbers, reaches; NaN where that is not defined.
    static double constant(String name, JsonNode metrics) {
        double share =
                metrics.path("auc").isNumber() ? metrics.path("labelMean").asDouble(Double.NaN) : Double.NaN;
        return switch (name) {
            case "logloss" -> -(share * Math.log(share) + (1 - share) * Math.log(1 - share));
            case "auc" -> Double.isNaN(share) ? share : 0.5;
            case "accuracy" -> Math.max(share, 1 - share);
            case "rmse" -> metrics.path("labelDeviation").asDouble(Double.NaN);
            default -> Double.NaN;
        };
    }

    private void row(String name, List<String> values, String last) {
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-14s", name));
        for (String value : values) {
            line.append(String.format(Locale.ROOT, "%14s", value));
        }
        line.append(String.format(Locale.ROOT, "%14s", last));
        text.append(text.isEmpty() ? "" : "\n").append(line.toString().stripTrailing());
    }

    private static String count(JsonNode metrics) {
        return Progress.count(metrics.path("examples").asLong());
    }

    static String number(double value) {
        if (Double.isNaN(value)) {
            return "";
        }
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 1000 ? "%.6g" : size >= 0.01 || size == 0 ? "%.4f" : "%.4g", value);
    }
}
