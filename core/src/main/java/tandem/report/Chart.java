package tandem.report;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/// A drawing of lines over numbers.
public final class Chart extends Picture {

    /// A line through points, from left to right, and what it is called. Lines of one name have one colour; one without
    /// points is not drawn, but keeps its colour from others.
    public record Line(String name, double[] x, double[] y) {}

    private static final int HEIGHT = 420;
    private static final int LEFT = 78;
    private static final int RIGHT = 24;
    private static final int TOP = 48;
    private static final int BOTTOM = 58;

    /// How many letters of a name the legend has room for.
    private static final int LETTERS = 30;

    private final String title;
    private final String acrossName;
    private final String upName;
    private final List<Line> lines;
    private final List<String> names;
    private final Axis across;
    private final Axis up;

    /// Both axes begin at 0.
    public Chart(String title, String acrossName, String upName, List<Line> lines) {
        this(title, acrossName, upName, lines, Axis.from(0, all(lines, Line::y)));
    }

    /// The axis upwards begins a little below the lines.
    public static Chart around(String title, String acrossName, String upName, List<Line> lines) {
        return new Chart(title, acrossName, upName, lines, Axis.around(all(lines, Line::y)));
    }

    /// The axis upwards has powers of ten; what is not above 0 lies at its low end.
    public static Chart powers(String title, String acrossName, String upName, List<Line> lines) {
        return new Chart(title, acrossName, upName, lines, Axis.powers(all(lines, Line::y)));
    }

    private Chart(String title, String acrossName, String upName, List<Line> lines, Axis up) {
        this.title = title;
        this.acrossName = acrossName;
        this.upName = upName;
        this.lines = List.copyOf(lines);
        this.names = lines.stream().map(Line::name).distinct().toList();
        this.across = Axis.from(0, all(lines, Line::x));
        this.up = up;
    }

    private static double[] all(List<Line> lines, Function<Line, double[]> numbers) {
        return lines.stream()
                .flatMapToDouble(line -> Arrays.stream(numbers.apply(line)))
                .toArray();
    }

    @Override
    int height() {
        return HEIGHT;
    }

    @Override
    void draw(Canvas canvas) {
        canvas.text(LEFT, 26, Canvas.Anchor.START, 16, INK, title);
        grid(canvas);
        for (Line line : drawn()) {
            double[] x = new double[line.x.length];
            double[] y = new double[line.x.length];
            for (int i = 0; i < x.length; i++) {
                x[i] = x(line.x[i]);
                y[i] = y(line.y[i]);
            }
            int colour = colour(names.indexOf(line.name));
            canvas.line(x, y, colour, 2);
            for (int i = 0; i < x.length && x.length <= 40; i++) {
                canvas.dot(x[i], y[i], 3, colour);
            }
        }
        legend(canvas);
    }

    private List<Line> drawn() {
        return lines.stream().filter(line -> line.x.length > 0).toList();
    }

    private void grid(Canvas canvas) {
        double bottom = HEIGHT - BOTTOM;
        double right = WIDTH - RIGHT;
        for (double tick : up.ticks()) {
            canvas.line(new double[] {LEFT, right}, new double[] {y(tick), y(tick)}, GRID, 1);
            canvas.text(LEFT - 8, y(tick) + 4, Canvas.Anchor.END, 12, INK, up.label(tick));
        }
        for (double tick : across.ticks()) {
            canvas.line(new double[] {x(tick), x(tick)}, new double[] {bottom, bottom + 5}, INK, 1);
            canvas.text(x(tick), bottom + 20, Canvas.Anchor.MIDDLE, 12, INK, across.label(tick));
        }
        canvas.line(new double[] {LEFT, LEFT, right}, new double[] {TOP, bottom, bottom}, INK, 1);
        canvas.text((LEFT + right) / 2, HEIGHT - 14, Canvas.Anchor.MIDDLE, 13, INK, acrossName);
        canvas.upright(20, (TOP + bottom) / 2, 13, INK, upName);
    }

    private void legend(Canvas canvas) {
        double x = WIDTH - RIGHT - 236;
        double y = TOP + 12;
        for (String name : drawn().stream().map(Line::name).distinct().toList()) {
            canvas.line(new double[] {x, x + 24}, new double[] {y, y}, colour(names.indexOf(name)), 2);
            canvas.text(x + 32, y + 4, Canvas.Anchor.START, 12, INK, shortened(name, LETTERS));
            y += 20;
        }
    }

    private double x(double value) {
        return LEFT + across.place(value) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - up.place(value) * (HEIGHT - TOP - BOTTOM);
    }
}
