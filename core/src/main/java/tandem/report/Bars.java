package tandem.report;

import java.util.List;
import java.util.stream.DoubleStream;

/// A drawing of bars that lie below each other, each made of parts.
public final class Bars extends Picture {

    /// A bar, what is written before and behind it, and how long its parts are.
    public record Bar(String name, double[] parts, String remark) {}

    private static final int LEFT = 250;
    private static final int RIGHT = 110;
    private static final int TOP = 78;
    private static final int BOTTOM = 58;
    private static final int STEP = 24;
    private static final int THICK = 16;

    /// How many letters of a name there is room for.
    private static final int LETTERS = 32;

    private final String title;
    private final String unit;
    private final List<String> parts;
    private final List<Bar> bars;
    private final Axis across;

    /// @param parts what the parts of each bar are called, from left to right
    public Bars(String title, String unit, List<String> parts, List<Bar> bars) {
        this.title = title;
        this.unit = unit;
        this.parts = List.copyOf(parts);
        this.bars = List.copyOf(bars);
        this.across = Axis.from(
                0,
                bars.stream()
                        .mapToDouble(bar -> DoubleStream.of(bar.parts).sum())
                        .toArray());
    }

    @Override
    int height() {
        return TOP + STEP * Math.max(1, bars.size()) + BOTTOM;
    }

    @Override
    void draw(Canvas canvas) {
        canvas.text(20, 26, Canvas.Anchor.START, 16, INK, title);
        for (int p = 0; p < parts.size(); p++) {
            double x = LEFT + p * 120.0;
            canvas.box(x, 46, 12, 12, colour(p));
            canvas.text(x + 18, 57, Canvas.Anchor.START, 12, INK, parts.get(p));
        }
        double bottom = height() - BOTTOM;
        for (double tick : across.ticks()) {
            canvas.line(new double[] {x(tick), x(tick)}, new double[] {TOP, bottom + 5}, GRID, 1);
            canvas.text(x(tick), bottom + 20, Canvas.Anchor.MIDDLE, 12, INK, across.label(tick));
        }
        canvas.text((LEFT + WIDTH - RIGHT) / 2.0, height() - 14, Canvas.Anchor.MIDDLE, 13, INK, unit);
        for (int b = 0; b < bars.size(); b++) {
            draw(canvas, bars.get(b), TOP + b * (double) STEP);
        }
        canvas.line(new double[] {LEFT, LEFT}, new double[] {TOP, bottom}, INK, 1);
    }

    private void draw(Canvas canvas, Bar bar, double top) {
        double baseline = top + THICK - 2;
        canvas.text(LEFT - 8, baseline, Canvas.Anchor.END, 12, INK, shortened(bar.name, LETTERS));
        double sum = 0;
        for (int p = 0; p < bar.parts.length; p++) {
            canvas.box(x(sum), top, x(sum + bar.parts[p]) - x(sum), THICK, colour(p));
            sum += bar.parts[p];
        }
        canvas.text(x(sum) + 6, baseline, Canvas.Anchor.START, 12, INK, bar.remark);
    }

    private double x(double value) {
        return LEFT + across.place(value) * (WIDTH - LEFT - RIGHT);
    }
}
