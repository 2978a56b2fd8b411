package tandem.report;

import java.util.Arrays;
import java.util.Locale;

/// A scale with marks at round numbers.
sealed interface Axis {

    /// Where `value` lies, from 0 at the low end to 1 at the high one.
    double place(double value);

    double[] ticks();

    /// What is written at a mark.
    String label(double value);

    /// From `low` to the largest of `values`.
    static Axis from(double low, double[] values) {
        double high = Arrays.stream(values).max().orElse(1);
        return Even.of(low, high > low ? high : low + 1);
    }

    /// From a little below the smallest of `values` to a little above the largest.
    static Axis around(double[] values) {
        double low = Arrays.stream(values).min().orElse(0);
        double high = Arrays.stream(values).max().orElse(1);
        double margin = high > low ? (high - low) * 0.06 : Math.max(Math.abs(low) * 0.06, 1e-6);
        return Even.of(low - margin, high + margin);
    }

    /// Powers of ten around those of `values` that are above 0.
    static Axis powers(double[] values) {
        double[] above = Arrays.stream(values).filter(value -> value > 0).toArray();
        int low = (int) Math.floor(Math.log10(Arrays.stream(above).min().orElse(0.1)));
        int high = (int) Math.ceil(Math.log10(Arrays.stream(above).max().orElse(1)));
        return new Powers(low, Math.max(high, low + 1));
    }

    /// From `low` to `high` with marks `step` apart.
    record Even(double low, double high, double step) implements Axis {

        private static final int MARKS = 6;

        static Even of(double low, double high) {
            double rough = (high - low) / MARKS;
            double ten = Math.pow(10, Math.floor(Math.log10(rough)));
            double step = rough <= ten ? ten : rough <= 2 * ten ? 2 * ten : rough <= 5 * ten ? 5 * ten : 10 * ten;
            return new Even(low, high, step);
        }

        @Override
        public double place(double value) {
            return (value - low) / (high - low);
        }

        @Override
        public double[] ticks() {
            long first = (long) Math.ceil(low / step - 1e-9);
            long last = (long) Math.floor(high / step + 1e-9);
            double[] ticks = new double[(int) (last - first + 1)];
            for (int i = 0; i < ticks.length; i++) {
                ticks[i] = (first + i) * step;
            }
            return ticks;
        }

        /// As many digits as tell marks apart: `0.45`, `20 k`, `1.5 M`.
        @Override
        public String label(double value) {
            double unit = high >= 1e9 ? 1e9 : high >= 1e6 ? 1e6 : high >= 1e4 ? 1e3 : 1;
            String name = unit == 1e9 ? " G" : unit == 1e6 ? " M" : unit == 1e3 ? " k" : "";
            int digits = (int) Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9));
            boolean zero = Math.abs(value) < step / 2;
            return zero ? "0" : String.format(Locale.ROOT, "%." + digits + "f", value / unit) + name;
        }
    }

    /// From 10^low to 10^high. What is below, as 0 is, lies at the low end.
    record Powers(int low, int high) implements Axis {

        @Override
        public double place(double value) {
            return value > Math.pow(10, low) ? (Math.log10(value) - low) / (high - low) : 0;
        }

        @Override
        public double[] ticks() {
            double[] ticks = new double[high - low + 1];
            for (int i = 0; i < ticks.length; i++) {
                ticks[i] = Math.pow(10, low + i);
            }
            return ticks;
        }

        @Override
        public String label(double value) {
            return "1e" + Math.round(Math.log10(value));
        }
    }
}
