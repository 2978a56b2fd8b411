package tandem.bench;

/// A claim in one number: `value` should be at least, or with `atMost` at most, `target` (NaN: no target).
public record Ratio(String part, String what, double value, double target, boolean atMost, Boolean met) {

    public static Ratio atLeast(double target, String part, String what, double value) {
        return new Ratio(part, what, value, target, false, value >= target);
    }

    public static Ratio atMost(double target, String part, String what, double value) {
        return new Ratio(part, what, value, target, true, value <= target);
    }

    public static Ratio plain(String part, String what, double value) {
        return new Ratio(part, what, value, Double.NaN, false, null);
    }

    @Override
    public String toString() {
        String text = "%s: %s".formatted(what, Outcome.number(value));
        if (met == null) {
            return text;
        }
        return "%s (%s %s: %s)"
                .formatted(text, atMost ? "at most" : "at least", Outcome.number(target), met ? "met" : "MISSED");
    }
}
