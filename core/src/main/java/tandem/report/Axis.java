package tandem.report;

import java.util.Arrays;
import java.util.Locale;

/// A scale from `low` to `high` with marks at round numbers, `step` apart.
record Axis(double low, double high, double step) {

    private static final int MARKS = 6;

    /// From `low` to the largest of `values`.
    static Axis from(double low, double[] values) {
        double high = Arrays.stream(values).max().orElse(1);
        return of(low, high > low ? high : low + 1);
    }

    /// From a little below the smallest of `values` to a little above the largest.
    static Axis around(double[] values) {
        double low = Arrays.stream(values).min().orElse(0);
        double high = Arrays.stream(values).max().orElse(1);
        double margin = high > low ? (high - low) * 0.06 : Math.max(Math.abs(low) * 0.06, 1e-6);
        return of(low - margin, high + margin);
    }

    private static Axis of(double low, double high) {
        double rough = (high - low) / MARKS;
        double ten = Math.pow(10, Math.floor(Math.log10(rough)));
        double step = rough <= ten ? ten : rough <= 2 * ten ? 2 * ten : rough <= 5 * ten ? 5 * ten : 10 * ten;
        return new Axis(low, high, step);
    }

    /// Where `value` lies, from 0 at `low` to 1 at `high`.
    double place(double value) {
        return (value - low) / (high - low);
    }

    double[] ticks() {
        long first = (long) Math.ceil(low / step - 1e-9);
        long last = (long) Math.floor(high / step + 1e-9);
        double[] ticks = new double[(int) (last - first + 1)];
        for (int i = 0; i < ticks.length; i++) {
            ticks[i] = (first + i) * step;
        }
        return ticks;
    }

    /// `value` with as many digits as tell marks apart: `0.45`, `20 k`, `1.5 M`.
    String label(double value) {
        double unit = high >= 1e9 ? 1e9 : high >= 1e6 ? 1e6 : high >= 1e4 ? 1e3 : 1;
        String name = unit == 1e9 ? " G" : unit == 1e6 ? " M" : unit == 1e3 ? " k" : "";
        int digits = (int) Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9));
        boolean zero = Math.abs(value) < step / 2;
        return zero ? "0" : String.format(Locale.ROOT, "%." + digits + "f", value / unit) + name;
    }
}
