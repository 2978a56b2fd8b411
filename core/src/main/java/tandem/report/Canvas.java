package tandem.report;

import java.io.IOException;
import java.io.OutputStream;

/// What a [Picture] is drawn on: straight lines, dots, boxes and text, in points from the upper left corner.
interface Canvas {

    /// Which point of a text sits at its place.
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    void line(double[] x, double[] y, int rgb, double width);

    void dot(double x, double y, double radius, int rgb);

    void box(double x, double y, double width, double height, int rgb);

    void text(double x, double y, Anchor anchor, double size, int rgb, String text);

    /// Text that reads upwards, its middle at the place.
    void upright(double x, double y, double size, int rgb, String text);

    void write(OutputStream out) throws IOException;
}
