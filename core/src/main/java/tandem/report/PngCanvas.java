package tandem.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import javax.imageio.ImageIO;

/// A canvas of pixels, two for each point so that it stays sharp on a fine screen.
final class PngCanvas implements Canvas {

    private static final int SCALE = 2;

    private final BufferedImage image;
    private final Graphics2D graphics;

    PngCanvas(int width, int height) {
        image = new BufferedImage(width * SCALE, height * SCALE, BufferedImage.TYPE_INT_RGB);
        graphics = image.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        graphics.scale(SCALE, SCALE);
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    }

    @Override
    public void line(double[] x, double[] y, int rgb, double width) {
        Path2D path = new Path2D.Double();
        path.moveTo(x[0], y[0]);
        for (int i = 1; i < x.length; i++) {
            path.lineTo(x[i], y[i]);
        }
        graphics.setColor(new Color(rgb));
        graphics.setStroke(new BasicStroke((float) width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
        graphics.draw(path);
    }

    @Override
    public void dot(double x, double y, double radius, int rgb) {
        graphics.setColor(new Color(rgb));
        graphics.fill(new Ellipse2D.Double(x - radius, y - radius, 2 * radius, 2 * radius));
    }

    @Override
    public void box(double x, double y, double width, double height, int rgb) {
        graphics.setColor(new Color(rgb));
        graphics.fill(new Rectangle2D.Double(x, y, width, height));
    }

    @Override
    public void text(double x, double y, Anchor anchor, double size, int rgb, String text) {
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 1).deriveFont((float) size));
        graphics.setColor(new Color(rgb));
        double wide = graphics.getFontMetrics().getStringBounds(text, graphics).getWidth();
        double shift = switch (anchor) {
            case START -> 0;
            case MIDDLE -> wide / 2;
            case END -> wide;
        };
        graphics.drawString(text, (float) (x - shift), (float) y);
    }

    @Override
    public void upright(double x, double y, double size, int rgb, String text) {
        var before = graphics.getTransform();
        graphics.translate(x, y);
        graphics.rotate(-Math.PI / 2);
        text(0, 0, Anchor.MIDDLE, size, rgb, text);
        graphics.setTransform(before);
    }

    @Override
    public void write(OutputStream out) throws IOException {
        graphics.dispose();
        // In memory first: of what goes wrong while it writes elsewhere, Java's encoder says nothing.
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        if (!ImageIO.write(image, "png", bytes)) {
            throw new IOException("this Java cannot write PNG; use a file name that ends in .svg");
        }
        bytes.writeTo(out);
    }
}
