package tandem.report;

import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// The line that shows how far long work is: share done, rate, loss and time left.
///
/// On a terminal the line is drawn over itself ten times a second at most; elsewhere a plain line comes
/// every five seconds, however short the stages of the work are. It writes only where it is told to. One thread uses
/// it.
public final class Progress {

    private static final long TERMINAL_NANOS = 100_000_000L;
    private static final long PLAIN_NANOS = 5_000_000_000L;

    private final Consumer<String> out;
    private final boolean terminal;
    private final LongSupplier clock;
    private long shown;
    private int width;
    private String stage;
    private long stageBegan;

    /// When the work in hand began, how much of it had been done before, and how much has been now.
    private long began;
    private double doneBefore;
    private double done = Double.NaN;

    /// Text goes to `out` with its line ends; `clock` counts nanoseconds from anywhere.
    public Progress(Consumer<String> out, boolean terminal, LongSupplier clock) {
        this.out = out;
        this.terminal = terminal;
        this.clock = clock;
        shown = clock.getAsLong();
        stageBegan = shown;
    }

    /// Shows the state if it is time to. The rate is that of the stage, the time left that of the whole work, which may
    /// have several stages.
    ///
    /// @param done     the share of the whole work from 0 to 1, or NaN where that is not known
    /// @param examples of the stage so far
    /// @param loss     may be NaN too
    public void update(String stage, double done, long examples, double loss) {
        long now = clock.getAsLong();
        if (!stage.equals(this.stage)) {
            stageBegan = this.stage == null ? stageBegan : now;
            this.stage = stage;
            if (!(done >= this.done)) {
                began = now;
                doneBefore = done;
            }
        }
        this.done = done;
        if (now - shown < (terminal ? TERMINAL_NANOS : PLAIN_NANOS)) {
            return;
        }
        shown = now;
        double left = (now - began) / 1e9 * (1 - done) / (done - doneBefore);
        show(line(stage, done, examples, loss, (now - stageBegan) / 1e9, left));
    }

    /// Ends with `line` in place of what is shown.
    public void finish(String line) {
        show(line);
        if (terminal) {
            out.accept("\n");
            width = 0;
        }
    }

    /// Takes the line away, for a message to be printed.
    public void clear() {
        if (terminal && width > 0) {
            out.accept("\r" + " ".repeat(width) + "\r");
            width = 0;
        }
    }

    private void show(String line) {
        if (terminal) {
            out.accept("\r" + line + " ".repeat(Math.max(0, width - line.length())));
            width = line.length();
        } else {
            out.accept(line + "\n");
        }
    }

    private static String line(String stage, double done, long examples, double loss, double seconds, double left) {
        StringBuilder line = new StringBuilder(stage);
        if (Double.isFinite(done)) {
            line.append(String.format(Locale.ROOT, "  %3.0f %%", 100 * done));
        }
        if (examples > 0) {
            line.append("  ").append(count(examples)).append(" examples");
        }
        if (examples > 0 && seconds > 0) {
            line.append("  ").append(count(Math.round(examples / seconds))).append("/s");
        }
        if (Double.isFinite(loss)) {
            line.append(String.format(Locale.ROOT, "  loss %.5f", loss));
        }
        if (left > 0 && Double.isFinite(left)) {
            line.append("  ").append(span(left)).append(" left");
        }
        return line.toString();
    }

    /// A count with a comma after each three digits.
    public static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /// A time in the units one would say it in: `4 s`, `3 min 20 s`, `2 h 5 min`.
    public static String span(double seconds) {
        long whole = (long) Math.ceil(seconds);
        if (whole < 60) {
            return whole + " s";
        }
        return whole < 3600
                ? whole / 60 + " min " + whole % 60 + " s"
                : whole / 3600 + " h " + whole % 3600 / 60 + " min";
    }
}
