package tandem.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/// Something drawn, as pixels or as SVG.
public abstract sealed class Picture permits Chart, Bars {

    static final int WIDTH = 720;
    static final int INK = 0x333333;
    static final int GRID = 0xe4e4e4;

    /// Colours that people who see few colours can still tell apart.
    private static final int[] COLOURS = {
        0x4477aa, 0xee7733, 0x228833, 0xaa3377, 0x66ccee, 0xccbb44, 0x332288, 0x882255, 0x44aa99, 0x777777
    };

    static int colour(int which) {
        return COLOURS[which % COLOURS.length];
    }

    /// As much of a name as there is room for.
    static String shortened(String name, int letters) {
        return name.length() <= letters ? name : name.substring(0, letters - 1) + "…";
    }

    /// In points; the width is the same for all.
    abstract int height();

    abstract void draw(Canvas canvas);

    /// Draws to `file`: SVG if its name ends so, otherwise PNG.
    public void write(Path file) throws IOException {
        boolean svg = file.toString().toLowerCase(Locale.ROOT).endsWith(".svg");
        Canvas canvas = svg ? drawn() : pixels(file);
        AtomicFile.write(file, canvas::write);
    }

    /// An SVG element, which can be part of a page.
    public String svg() {
        return drawn().text();
    }

    private SvgCanvas drawn() {
        SvgCanvas canvas = new SvgCanvas(WIDTH, height());
        draw(canvas);
        return canvas;
    }

    /// Without fonts or a graphics library the JDK fails in several ways, errors among them.
    private Canvas pixels(Path file) throws IOException {
        System.setProperty("java.awt.headless", "true");
        try {
            Canvas canvas = new PngCanvas(WIDTH, height());
            draw(canvas);
            return canvas;
        } catch (RuntimeException | LinkageError | InternalError e) {
            throw new IOException(
                    file + " could not be drawn: this machine has no fonts that Java can use."
                            + " Install fontconfig and a font, or use a file name that ends in .svg",
                    e);
        }
    }
}
