package tandem.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tandem.report.Json;

/// All that one benchmark found, as text for people and as one JSON object.
public record Outcome(
        String benchmark,
        String question,
        String command,
        Machine machine,
        long seed,
        String data,
        List<? extends Measured> rows,
        List<Ratio> ratios,
        List<String> skipped,
        List<String> remarks) {

    public String json() {
        return Json.text(Json.tree(this));
    }

    public String text() {
        StringBuilder out = new StringBuilder();
        out.append("# ").append(question).append('\n');
        out.append("command  ").append(command).append('\n');
        out.append("machine  ").append(machine).append('\n');
        out.append("data     ").append(data).append("; seed ").append(seed).append('\n');
        skipped.forEach(peer -> out.append("skipped  ").append(peer).append('\n'));
        List<String> parts = rows.stream().map(Measured::part).distinct().toList();
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

    /// Columns that are empty in all rows are left out.
    private static String table(List<? extends Measured> rows) {
        List<List<Measured.Cell>> lines = rows.stream().map(Measured::cells).toList();
        List<List<String>> columns = new ArrayList<>();
        for (int column = 0; column < lines.getFirst().size(); column++) {
            int at = column;
            List<String> cells = new ArrayList<>(
                    lines.stream().map(line -> line.get(at).text()).toList());
            if (cells.stream().anyMatch(cell -> !cell.isEmpty())) {
                cells.addFirst(lines.getFirst().get(at).title());
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
    public static String number(double value) {
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

    public static String fixed(int digits, double value) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
