package tandem.consistency;

/// Which consistency each pass has: one name for all, or a bound that goes from one number to another in even steps, as
/// in `bounded:8..2`, loose while much is to be learned and tight at the end.
///
/// @param name as on the command line
public record Timetable(String name) {

    private static final String RANGE = "..";

    public Timetable {
        if (name.contains(RANGE)) {
            at(name, 0, 2);
            at(name, 1, 2);
        } else {
            Consistency.named(name);
        }
    }

    /// The name of the consistency of pass `pass`, from 0, of `passes`.
    public String at(int pass, int passes) {
        return name.contains(RANGE) ? at(name, pass, passes) : name;
    }

    private static String at(String name, int pass, int passes) {
        int colon = name.indexOf(':');
        int dots = name.indexOf(RANGE);
        try {
            int first = Integer.parseInt(name.substring(colon + 1, dots));
            int last = Integer.parseInt(name.substring(dots + RANGE.length()));
            double part = passes == 1 ? 0 : (double) pass / (passes - 1);
            String now = name.substring(0, colon + 1) + Math.round(first + part * (last - first));
            Consistency.named(now);
            return now;
        } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
            throw new IllegalArgumentException(
                    "consistency is " + name + "; a bound that changes is two whole numbers, such as bounded:8..2", e);
        }
    }
}
