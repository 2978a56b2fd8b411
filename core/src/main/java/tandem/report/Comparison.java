package tandem.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/// Runs that minimise one objective in different ways, side by side: how near to the best each came, and when. The
/// columns and keys are described in `docs/compare.md`.
///
/// @param best  what objectives are compared with; NaN if no run has any
/// @param given whether somebody knows that it is the least there is; else it is the least that a run has seen
public record Comparison(List<Traced> runs, double best, boolean given) {

    /// How near to the best, relative to it, is looked for.
    public static final List<String> NEAR = List.of("1e-2", "1e-3", "1e-4");

    static final List<String> METRICS = List.of("loss", "auc", "logloss", "accuracy", "rmse");

    private static final List<String> POINT =
            List.of("passes", "seconds", "bytesSent", "bytesReceived", "objective", "relative");

    private static final List<String> COLUMNS = columns();

    /// Letters of a label that are seen everywhere: behind the number of a worker there is least room.
    private static final int SEEN = 26;

    public Comparison {
        runs = List.copyOf(runs);
    }

    /// @param optimum the least objective there is; NaN to take the least that a run has seen
    public Comparison(List<Traced> runs, double optimum) {
        this(runs, Double.isNaN(optimum) ? least(runs) : optimum, !Double.isNaN(optimum));
    }

    private static double least(List<Traced> runs) {
        return runs.stream()
                .flatMapToDouble(run -> DoubleStream.concat(
                        DoubleStream.of(run.objective()), run.moments().stream().mapToDouble(Moment::objective)))
                .filter(Double::isFinite)
                .min()
                .orElse(Double.NaN);
    }

    /// How far above the best an objective is, as a share of that; 0 if it is no more.
    public double relative(double objective) {
        return Math.max(0, objective - best) / Math.max(Math.abs(best), Double.MIN_NORMAL);
    }

    /// When a run was so near to the best; null if it never was.
    public Moment reached(Traced run, String near) {
        return run.reached(best + Double.parseDouble(near) * Math.abs(best));
    }

    /// By number, what runs are called where there is little room. Those that are called by their options begin with
    /// what fewest of them have, and leave out what all have; if what is seen of two is the same then, the number
    /// comes first.
    public Map<Integer, String> labels() {
        List<Traced> byOptions =
                runs.stream().filter(run -> run.name().equals(run.options())).toList();
        Map<Integer, String> labels = new TreeMap<>();
        runs.forEach(run -> labels.put(run.number(), run.name()));
        Map<String, Set<Integer>> having = new HashMap<>();
        byOptions.forEach(run -> parts(run)
                .forEach(part ->
                        having.computeIfAbsent(part, _ -> new HashSet<>()).add(run.number())));
        long all = byOptions.stream().mapToInt(Traced::number).distinct().count();
        byOptions.forEach(run -> {
            String own = parts(run)
                    .filter(part -> having.get(part).size() < all)
                    .sorted(Comparator.comparing(part -> having.get(part).size()))
                    .collect(Collectors.joining(","));
            labels.put(run.number(), own.isEmpty() ? run.name() : own);
        });
        long seen = labels.values().stream()
                .map(label -> label.substring(0, Math.min(label.length(), SEEN - 1)))
                .distinct()
                .count();
        if (seen < labels.size()) {
            labels.replaceAll((number, label) -> "#" + number + " " + label);
        }
        return labels;
    }

    private static Stream<String> parts(Traced run) {
        return Stream.of(run.options().split(",")).map(String::strip);
    }

    /// All numbers as one object, with a list of runs.
    public ObjectNode json() {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        all.set("best", number(best));
        all.put("optimumGiven", given);
        ArrayNode list = all.putArray("runs");
        runs.forEach(run -> list.add(json(run)));
        return all;
    }

    private ObjectNode json(Traced run) {
        ObjectNode one = JsonNodeFactory.instance.objectNode();
        one.put("run", run.number());
        one.put("name", run.name());
        one.put("options", run.options());
        one.put("seed", run.seed());
        one.put("status", status(run));
        one.put("message", run.message());
        one.setAll(point(run, run.objective()));
        ObjectNode near = one.putObject("reached");
        NEAR.forEach(share -> {
            Moment when = reached(run, share);
            near.set(share, when == null ? null : point(when, when.objective()));
        });
        one.set("workers", Json.tree(run.workers()));
        ArrayNode points = one.putArray("points");
        run.moments().forEach(moment -> points.add(point(moment, moment.objective())));
        one.set("report", run.report().isMissingNode() ? null : run.report());
        return one;
    }

    private ObjectNode point(Traced run, double objective) {
        return run.moments().isEmpty()
                ? JsonNodeFactory.instance.objectNode()
                : point(run.moments().getLast(), objective);
    }

    private ObjectNode point(Moment at, double objective) {
        ObjectNode point = JsonNodeFactory.instance.objectNode();
        point.set("passes", number(at.passes()));
        point.set("seconds", number(at.seconds()));
        point.put("bytesSent", at.sentBytes());
        point.put("bytesReceived", at.receivedBytes());
        point.set("objective", number(objective));
        point.set("relative", number(relative(objective)));
        return point;
    }

    private static JsonNode number(double value) {
        return Json.tree(value);
    }

    static String status(Traced run) {
        return run.status().name().toLowerCase(Locale.ROOT);
    }

    /// A table: for each run the row of its summary, then one for each of its points.
    public String csv() {
        StringBuilder csv = new StringBuilder();
        line(csv, COLUMNS);
        for (Traced run : runs) {
            line(csv, summary(run));
            for (Moment moment : run.moments()) {
                List<String> row = row("point", run);
                cells(row, point(moment, moment.objective()), POINT);
                row.addAll(Collections.nCopies(COLUMNS.size() - row.size(), ""));
                line(csv, row);
            }
        }
        return csv.toString();
    }

    private static void line(StringBuilder csv, List<String> cells) {
        csv.append(cells.stream().map(Comparison::quoted).collect(Collectors.joining(",")))
                .append('\n');
    }

    private static String quoted(String cell) {
        return cell.matches("[^,\"\r\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    private static List<String> columns() {
        List<String> columns = new ArrayList<>(List.of("row", "run", "name", "options", "seed", "status"));
        columns.addAll(POINT);
        for (String what : List.of("seconds", "bytes", "passes")) {
            NEAR.forEach(near -> columns.add(what + "To" + near));
        }
        columns.addAll(METRICS);
        columns.addAll(
                List.of("stopped", "nonZero", "computeSeconds", "waitSeconds", "communicationSeconds", "message"));
        return columns;
    }

    private static List<String> row(String kind, Traced run) {
        return new ArrayList<>(List.of(
                kind,
                Integer.toString(run.number()),
                run.name(),
                run.options(),
                Long.toString(run.seed()),
                status(run)));
    }

    private List<String> summary(Traced run) {
        List<String> row = row("summary", run);
        cells(row, point(run, run.objective()), POINT);
        for (ToDoubleFunction<Moment> what :
                List.<ToDoubleFunction<Moment>>of(Moment::seconds, Moment::bytes, Moment::passes)) {
            for (String near : NEAR) {
                Moment when = reached(run, near);
                row.add(when == null ? "" : cell(what.applyAsDouble(when)));
            }
        }
        cells(row, run.report().path("metrics"), METRICS);
        row.add(cell(run.report().path("stopped")));
        row.add(cell(run.report().at("/weights/nonZero")));
        Stream.<ToDoubleFunction<Report.Worker>>of(
                        Report.Worker::computeSeconds, Report.Worker::waitSeconds, Report.Worker::communicationSeconds)
                .map(part -> cell(run.workers().stream().mapToDouble(part).sum()))
                .forEach(row::add);
        row.add(run.message() == null ? "" : run.message());
        return row;
    }

    private static void cells(List<String> row, JsonNode values, List<String> names) {
        names.forEach(name -> row.add(cell(values.path(name))));
    }

    private static String cell(JsonNode value) {
        return value.isNumber() ? cell(value.asDouble()) : value.isTextual() ? value.asText() : "";
    }

    private static String cell(double value) {
        if (!Double.isFinite(value)) {
            return "";
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : Double.toString(value);
    }
}
