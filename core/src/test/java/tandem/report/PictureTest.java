package tandem.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

class PictureTest {

    @TempDir
    Path dir;

    @Test
    void powers_of_ten_are_as_far_apart_as_each_other_and_nothing_is_below_the_low_end() {
        Axis axis = Axis.powers(new double[] {0.7, 0, 3e-3});
        assertArrayEquals(new double[] {1e-3, 1e-2, 0.1, 1}, axis.ticks(), 1e-12);
        assertEquals(1.0 / 3, axis.place(1e-2), 1e-12);
        assertEquals(0, axis.place(0));
        assertEquals(0, axis.place(-1));
        assertEquals("1e-2", axis.label(1e-2));
        assertEquals(2, Axis.powers(new double[0]).ticks().length);
    }

    @Test
    void lines_of_one_name_share_a_colour_and_a_place_in_the_legend() {
        double[] x = {0, 1};
        Chart chart = Chart.powers(
                "t",
                "x",
                "y",
                List.of(
                        new Chart.Line("a", x, new double[] {1, 0.1}),
                        new Chart.Line("b", x, new double[] {1, 0.2}),
                        new Chart.Line("a", x, new double[] {1, 0.3})));
        String svg = chart.svg();
        assertEquals(1, count(svg, ">a</text>"));
        assertEquals(3, count(svg, "<polyline[^>]*stroke=\"#4477aa\""), "two lines and the legend");
        assertEquals(2, count(svg, "<polyline[^>]*stroke=\"#ee7733\""));
    }

    @Test
    void a_line_without_points_is_not_drawn_and_keeps_its_colour() {
        Chart chart = Chart.around(
                "t",
                "x",
                "y",
                List.of(
                        new Chart.Line("a", new double[0], new double[0]),
                        new Chart.Line("b", new double[] {0, 1}, new double[] {1, 0.2})));
        assertEquals(0, count(chart.svg(), "#4477aa|>a</text>"));
        assertEquals(2, count(chart.svg(), "<polyline[^>]*stroke=\"#ee7733\""));
    }

    @Test
    void parts_of_a_bar_follow_each_other_and_are_as_long_as_they_are() throws Exception {
        Bars bars = new Bars(
                "who waits",
                "seconds",
                List.of("computing", "sending", "waiting"),
                List.of(
                        new Bars.Bar("worker 1", new double[] {2, 1, 1}, "25 % waiting"),
                        new Bars.Bar("worker 2", new double[] {4, 0, 0}, "")));
        var root = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(bars.svg().getBytes(StandardCharsets.UTF_8)));
        var boxes = root.getElementsByTagName("rect");
        int first = 1 + 3; // the ground, and the legend
        assertEquals(first + 6, boxes.getLength());
        double unit = number(boxes.item(first), "width") / 2;
        assertEquals(unit, number(boxes.item(first + 1), "width"), 0.2);
        assertEquals(4 * unit, number(boxes.item(first + 3), "width"), 0.2);
        assertEquals(
                number(boxes.item(first), "x") + number(boxes.item(first), "width"),
                number(boxes.item(first + 1), "x"),
                0.2);
        assertTrue(bars.svg().contains("25 % waiting"));
        bars.write(dir.resolve("bars.png"));
        assertEquals(1440, ImageIO.read(dir.resolve("bars.png").toFile()).getWidth());
    }

    @Test
    void long_names_are_cut() {
        assertEquals("abcd…", Picture.shortened("abcdefgh", 5));
        assertEquals("abcde", Picture.shortened("abcde", 5));
    }

    private static double number(org.w3c.dom.Node node, String name) {
        return Double.parseDouble(((Element) node).getAttribute(name));
    }

    private static long count(String text, String pattern) {
        return Pattern.compile(pattern).matcher(text).results().count();
    }
}
