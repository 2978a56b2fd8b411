package tandem.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LearningCurveTest {

    @TempDir
    Path dir;

    private static LearningCurve curve(int points) {
        LearningCurve curve = new LearningCurve();
        for (int i = 1; i <= points; i++) {
            double loss = 0.4 + 0.3 / Math.sqrt(i);
            double validation = i % 5 == 0 ? loss - 0.01 : Double.NaN;
            curve.add(new LearningCurve.Point(i * 50_000L, i * 0.1, loss, Double.NaN, validation, Double.NaN));
        }
        return curve;
    }

    @Test
    void it_is_drawn_as_pixels() throws IOException {
        Path file = dir.resolve("curve.png");
        curve(30).picture("Click data, FTRL", "logloss").write(file);
        var image = ImageIO.read(file.toFile());
        assertEquals(1440, image.getWidth());
        boolean line = false;
        for (int x = 0; x < image.getWidth() && !line; x++) {
            for (int y = 0; y < image.getHeight(); y++) {
                line |= (image.getRGB(x, y) & 0xffffff) == 0xee7733;
            }
        }
        assertTrue(line);
    }

    @Test
    void it_is_drawn_as_well_formed_svg() throws Exception {
        Path file = dir.resolve("curve.svg");
        curve(30).picture("a < b & c", "logloss").write(file);
        var document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        assertTrue(Files.readString(file).contains("a &lt; b &amp; c"));
        assertTrue(document.getElementsByTagName("polyline").getLength() > 5);
    }

    @Test
    void a_curve_of_no_point_or_one_is_drawn_too() throws IOException {
        curve(0).picture("none", "logloss").write(dir.resolve("none.svg"));
        curve(1).picture("one", "logloss").write(dir.resolve("one.svg"));
        assertTrue(Files.readString(dir.resolve("one.svg")).contains("<circle"));
    }

    @Test
    void marks_are_at_round_numbers() {
        assertArrayEquals(
                new double[] {0.4, 0.5, 0.6, 0.7},
                Axis.around(new double[] {0.41, 0.7}).ticks(),
                1e-12);
        Axis across = Axis.from(0, new double[] {1_500_000});
        assertEquals("0", across.label(0));
        assertEquals("1.0 M", across.label(1_000_000));
        assertEquals("20 k", Axis.from(0, new double[] {60_000}).label(20_000));
    }
}
