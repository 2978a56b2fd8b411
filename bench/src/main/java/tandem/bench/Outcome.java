package tandem.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import tandem.report.Json;

/// All that one benchmark found, as text for people and as one JSON object.
record Outcome(
        String benchmark,
        String question,
        String command,
        Machine machine,
        long seed,
        String data,
        List<Row> rows,
        List<Ratio> ratios,
        List<String> skipped,
        List<String> remarks) {

    String json() {
        return Json.text(Json.tree(this));
    }

    String text() {
        StringBuilder out = new StringBuilder();
        out.append("# ").append(question).append('\n');
        out.append("command  ").append(command).append('\n');
        out.append("machine  ").append(machine).append('\n');
        out.append("data     ").append(data).append("; seed ").append(seed).append('\n');
        skipped.forEach(peer -> out.append("skipped  ").append(peer).append('\n'));
        List<String> parts = rows.stream().map(Row::part).distinct().toList();
        for (String part : parts) {
            out.append('\n').append(part).append('\n');
            out.append(
                    table(rows.stream().filter(row -> row.part().equals(part)).toList()));
            ratios.stream()
                    .filter(ratio -> ratio.part().equals(part))
                    .forEach(ratio -> out.append("  ").append(ratio).append('\n'));
        }
        if (!remarks.isEmpty()) {
            out.append('\n');
            remarks.forEach(remark -> out.append("note: ").append(remark).append('\n'));
        }
        return out.toString();
    }

    private record Column(String title, Function<Row, String> cell) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("system", Row::system),
            new Column("best s", row -> number(row.wallSeconds())),
            new Column("median s", row -> number(row.medianSeconds())),
            new Column("first s", row -> number(row.firstSeconds())),
            new Column("CPU s", row -> number(row.cpuSeconds())),
            new Column("rows/s", row -> number(row.examplesPerSecond())),
            new Column("MB/s", row -> number(row.megabytesPerSecond())),
            new Column("logloss", row -> Double.isNaN(row.logloss()) ? "" : fixed(5, row.logloss())),
            new Column("objective", row -> Double.isNaN(row.objective()) ? "" : fixed(3, row.objective())),
            new Column("non-zeros", row -> row.nonZeros() < 0 ? "" : String.valueOf(row.nonZeros())),
            new Column("peak MB", row -> row.peakBytes() == 0 ? "" : fixed(0, row.peakBytes() / 1e6)),
            new Column("runs", row -> String.valueOf(row.runs())));

    /// Columns that are empty in all rows are left out.
    private static String table(List<Row> rows) {
        List<List<String>> columns = new ArrayList<>();
        for (Column column : COLUMNS) {
            List<String> cells =
                    new ArrayList<>(rows.stream().map(column.cell()).toList());
            if (cells.stream().anyMatch(cell -> !cell.isEmpty())) {
                cells.addFirst(column.title());
                columns.add(cells);
            }
        }
        StringBuilder out = new StringBuilder();
        for (int line = 0; line <= rows.size(); line++) {
            int at = line;
            out.append("  ");
            out.append(columns.stream()
                    .map(cells -> padded(cells, at))
                    .collect(Collectors.joining("  "))
                    .stripTrailing());
            out.append('\n');
        }
        return out.toString();
    }

    private static String padded(List<String> cells, int line) {
        int width = cells.stream().mapToInt(String::length).max().orElse(0);
        boolean name = cells.getFirst().equals("system");
        return ("%" + (name ? "-" : "") + width + "s").formatted(cells.get(line));
    }

    /// Three or four digits that matter; empty for NaN.
    static String number(double value) {
        if (Double.isNaN(value)) {
            return "";
        }
        double size = Math.abs(value);
        if (size >= 1000) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (size > 0 && size < 0.001) {
            return String.format(Locale.ROOT, "%.1e", value);
        }
        return fixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3, value);
    }

    private static String fixed(int digits, double value) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
