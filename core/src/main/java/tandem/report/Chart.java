package tandem.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// A drawing of lines over numbers.
public final class Chart {

    /// A line through points, from left to right, and what it is called.
    public record Line(String name, double[] x, double[] y) {}

    /// Colours that people who see few colours can still tell apart.
    private static final int[] COLOURS = {0x4477aa, 0xee7733, 0x228833, 0xaa3377, 0x66ccee, 0xccbb44};

    private static final int WIDTH = 720;
    private static final int HEIGHT = 420;
    private static final int LEFT = 78;
    private static final int RIGHT = 24;
    private static final int TOP = 48;
    private static final int BOTTOM = 58;
    private static final int INK = 0x333333;
    private static final int GRID = 0xe4e4e4;

    private final String title;
    private final String acrossName;
    private final String upName;
    private final List<Line> lines;
    private final Axis across;
    private final Axis up;

    /// Both axes begin at 0.
    public Chart(String title, String acrossName, String upName, List<Line> lines) {
        this(title, acrossName, upName, lines, Axis.from(0, all(lines, Line::y)));
    }

    Chart(String title, String acrossName, String upName, List<Line> lines, Axis up) {
        this.title = title;
        this.acrossName = acrossName;
        this.upName = upName;
        this.lines = List.copyOf(lines);
        this.across = Axis.from(0, all(lines, Line::x));
        this.up = up;
    }

    static double[] all(List<Line> lines, Function<Line, double[]> numbers) {
        return lines.stream()
                .flatMapToDouble(line -> Arrays.stream(numbers.apply(line)))
                .toArray();
    }

    /// Draws to `file`: SVG if its name ends so, otherwise PNG.
    public void write(Path file) throws IOException {
        boolean svg = file.toString().toLowerCase(Locale.ROOT).endsWith(".svg");
        Canvas canvas = svg ? draw(new SvgCanvas(WIDTH, HEIGHT)) : pixels(file);
        AtomicFile.write(file, canvas::write);
    }

    /// Without fonts or a graphics library the JDK fails in several ways, errors among them.
    private Canvas pixels(Path file) throws IOException {
        System.setProperty("java.awt.headless", "true");
        try {
            return draw(new PngCanvas(WIDTH, HEIGHT));
        } catch (RuntimeException | LinkageError | InternalError e) {
            throw new IOException(
                    file + " could not be drawn: this machine has no fonts that Java can use."
                            + " Install fontconfig and a font, or use a file name that ends in .svg",
                    e);
        }
    }

    private Canvas draw(Canvas canvas) {
        canvas.text(LEFT, 26, Canvas.Anchor.START, 16, INK, title);
        grid(canvas);
        for (int l = 0; l < lines.size(); l++) {
            Line line = lines.get(l);
            double[] x = new double[line.x.length];
            double[] y = new double[line.x.length];
            for (int i = 0; i < x.length; i++) {
                x[i] = x(line.x[i]);
                y[i] = y(line.y[i]);
            }
            canvas.line(x, y, colour(l), 2);
            for (int i = 0; i < x.length && x.length <= 40; i++) {
                canvas.dot(x[i], y[i], 3, colour(l));
            }
        }
        legend(canvas);
        return canvas;
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
        for (int l = 0; l < lines.size(); l++) {
            canvas.line(new double[] {x, x + 24}, new double[] {y, y}, colour(l), 2);
            canvas.text(x + 32, y + 4, Canvas.Anchor.START, 12, INK, lines.get(l).name);
            y += 20;
        }
    }

    private static int colour(int line) {
        return COLOURS[line % COLOURS.length];
    }

    private double x(double value) {
        return LEFT + across.place(value) * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - up.place(value) * (HEIGHT - TOP - BOTTOM);
    }
}
