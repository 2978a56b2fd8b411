package tandem.report;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// A canvas of SVG elements.
final class SvgCanvas implements Canvas {

    private final StringBuilder body = new StringBuilder();

    SvgCanvas(int width, int height) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\">",
                width, height, width, height);
        add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", width, height);
    }

    @Override
    public void line(double[] x, double[] y, int rgb, double width) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < x.length; i++) {
            points.append(String.format(Locale.ROOT, i == 0 ? "%.1f,%.1f" : " %.1f,%.1f", x[i], y[i]));
        }
        add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"#%06x\" stroke-width=\"%.1f\""
                        + " stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
                points, rgb, width);
    }

    @Override
    public void dot(double x, double y, double radius, int rgb) {
        add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"#%06x\"/>", x, y, radius, rgb);
    }

    @Override
    public void box(double x, double y, double width, double height, int rgb) {
        add("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#%06x\"/>", x, y, width, height, rgb);
    }

    @Override
    public void text(double x, double y, Anchor anchor, double size, int rgb, String text) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%.1f\" fill=\"#%06x\">%s</text>",
                x, y, anchor.name().toLowerCase(Locale.ROOT), size, rgb, escape(text));
    }

    @Override
    public void upright(double x, double y, double size, int rgb, String text) {
        add(
                "<text transform=\"translate(%.1f %.1f) rotate(-90)\" text-anchor=\"middle\" font-size=\"%.1f\""
                        + " fill=\"#%06x\">%s</text>",
                x, y, size, rgb, escape(text));
    }

    @Override
    public void write(OutputStream out) throws IOException {
        out.write(text().getBytes(StandardCharsets.UTF_8));
    }

    String text() {
        return body + "</svg>\n";
    }

    private void add(String format, Object... arguments) {
        body.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
