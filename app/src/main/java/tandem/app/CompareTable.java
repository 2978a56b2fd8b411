package tandem.app;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import tandem.report.Comparison;
import tandem.report.Moment;
import tandem.report.Progress;
import tandem.report.Traced;

/// What the user sees of a comparison: a line for each run, of several seeds the median.
record CompareTable(Comparison all) {

    private static final String LINE = "%-36s %14s %8s %8s %8s %8s %8s %6s %14s";

    void print(Console console) throws IOException {
        console.print(String.format(
                Locale.ROOT,
                LINE,
                "run",
                "objective",
                "above",
                "seconds",
                "to 1e-2",
                "to 1e-3",
                "to 1e-4",
                "passes",
                "bytes"));
        for (Map.Entry<Integer, String> run : all.labels().entrySet()) {
            console.print(line(
                    run.getValue(),
                    all.runs().stream()
                            .filter(one -> one.number() == run.getKey())
                            .toList()));
        }
    }

    private String line(String name, List<Traced> runs) {
        double bytes = median(
                runs,
                run -> run.moments().isEmpty()
                        ? Double.NaN
                        : run.moments().getLast().bytes());
        return String.format(
                Locale.ROOT,
                LINE,
                name.length() > 36 ? name.substring(0, 35) + "…" : name,
                number("%.6g", median(runs, Traced::objective)),
                number("%.1e", median(runs, run -> all.relative(run.objective()))),
                number("%.2f", median(runs, Traced::seconds)),
                number("%.2f", median(runs, run -> seconds(run, "1e-2"))),
                number("%.2f", median(runs, run -> seconds(run, "1e-3"))),
                number("%.2f", median(runs, run -> seconds(run, "1e-4"))),
                number("%.0f", median(runs, Traced::passes)),
                Double.isFinite(bytes) ? Progress.count((long) bytes) : "-");
    }

    private double seconds(Traced run, String near) {
        Moment when = all.reached(run, near);
        return when == null ? Double.POSITIVE_INFINITY : when.seconds();
    }

    /// The middle one, or the mean of the two in the middle; what is no number counts as large.
    private static double median(List<Traced> runs, ToDoubleFunction<Traced> of) {
        double[] sorted = runs.stream().mapToDouble(of).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static String number(String format, double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "-";
    }
}
