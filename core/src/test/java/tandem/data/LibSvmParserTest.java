package tandem.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LibSvmParserTest {

    private static final String[] LABELS = {
        "1", "-1", "+1", "0", "2.5", "1e3", "spam", "naïve", "nan", "-inf", "1:0.5", "1:x", "1:-2", "1,2", "", "3:",
        ".5", "5.", "e5", "+", "-", "1e999", "0x10", "1d"
    };
    private static final String[] IDS = {
        "0",
        "1",
        "17",
        "23334",
        "9999999",
        "999999999999999999",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999999",
        "00012",
        "-3",
        "x",
        "",
        "qid",
        "1.5",
        "+7"
    };
    private static final String[] VALUES = {
        "1",
        "0",
        "0.5",
        "-0.25",
        "1e-5",
        "3.14159265358979323846",
        "0.1",
        "1.",
        ".5",
        "1e39",
        "1e-60",
        "nan",
        "inf",
        "",
        "abc",
        "1:2",
        "12345678901234567890",
        "9007199254740993",
        "1E+2",
        "--1",
        "1e",
        "0.30000000000000004",
        "123456789.123456789",
        "+2",
        "-",
        "1f",
        "000000000000000000000001",
        "1_0",
        "0x1p3"
    };
    private static final String[] BLANKS = {" ", "  ", "\t", " \t "};

    @Test
    void agrees_with_the_plain_twin_on_odd_lines() {
        SplittableRandom random = new SplittableRandom(7);
        for (int n = 0; n < 200_000; n++) {
            StringBuilder line = new StringBuilder(random.nextInt(9) == 0 ? pick(BLANKS, random) : "");
            boolean odd = random.nextInt(3) == 0;
            line.append(odd ? pick(LABELS, random) : "1");
            for (int e = random.nextInt(8); e > 0; e--) {
                line.append(pick(BLANKS, random));
                line.append(random.nextInt(6) == 0 ? pick(IDS, random) : Integer.toString(random.nextInt(60)));
                line.append(random.nextInt(60) == 0 ? "" : ":");
                line.append(random.nextInt(6) == 0 ? pick(VALUES, random) : Float.toString(random.nextInt(2000) / 64f));
            }
            line.append(random.nextInt(9) == 0 ? " # 3:4 x" : "").append(random.nextInt(5) == 0 ? "\r" : "");
            String found = fast(line.toString());
            boolean bad = !found.equals("none") && !found.startsWith("Row[");
            assertEquals(plain(line.toString()), bad ? "bad" : found, line.toString());
        }
    }

    @Test
    void rounds_decimals_as_the_library_does() {
        SplittableRandom random = new SplittableRandom(3);
        for (int n = 0; n < 200_000; n++) {
            String text = switch (n % 4) {
                case 0 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
                case 1 -> Float.toString(random.nextFloat() * 100);
                case 2 -> random.nextInt(100_000) + "." + random.nextInt(100_000);
                default -> random.nextLong() + "e" + (random.nextInt(60) - 30);
            };
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            double expected = Double.parseDouble(text);
            double found = Decimal.parse(bytes, 0, bytes.length);
            assertTrue(expected == found || Double.isNaN(expected) || Double.isInfinite(expected), text);
        }
    }

    @Test
    void says_what_is_wrong_and_what_to_do() {
        assertEquals(
                "feature 17 occurs twice; a row names each feature once. Add the two values up, or remove one",
                fast("1 17:1 3:1 17:2"));
        assertTrue(fast("1 3:nan").startsWith("feature 3 has the value 'nan'; values must be finite."));
        assertTrue(fast("1 18446744073709551616:1").contains("is out of range"));
        assertTrue(fast("nan 3:1").startsWith("label 'nan'; a label must be a finite number"));
        assertTrue(fast("1 3").startsWith("feature '3' has no value"));
        assertTrue(fast("1 3:1e39").contains("too large"));
        assertTrue(fast("a,b,c").contains("choose the CSV format"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spam",
                "naïve",
                "a#b",
                "x=y",
                "",
                "#",
                "#green",
                "light red",
                "a\tb",
                "a\r",
                "1:5",
                ":",
                "a,b",
                "qid"
            })
    void knows_which_names_it_would_read_as_the_same(String name) {
        assertEquals(
                fast(name + " 1:1").startsWith("Row[label=" + name + ", weight=1.0, ids=[1]"),
                LibSvmParser.unreadable(name).isEmpty());
    }

    private static String pick(String[] from, SplittableRandom random) {
        return from[random.nextInt(from.length)];
    }

    private static String plain(String line) {
        try {
            PlainLibSvm.Row row = PlainLibSvm.parse(line);
            return row == null ? "none" : row.toString();
        } catch (IllegalArgumentException e) {
            return "bad";
        }
    }

    private static String fast(String line) {
        LabelBook book = new LabelBook();
        List<String> names = new ArrayList<>();
        LibSvmParser parser = new LibSvmParser(new LabelReader(new LabelRule.Collect(), name -> {
            names.add(name);
            return book.write(name);
        }));
        byte[] text = (line + "\n").getBytes(StandardCharsets.UTF_8);
        Rows rows = new Rows();
        try {
            assertEquals(text.length, parser.line(text, 0, 1, rows));
        } catch (BadLine e) {
            return e.getMessage();
        }
        if (rows.count == 0) {
            return "none";
        }
        String label = names.isEmpty() ? LabelBook.text(rows.labels[0] + 0.0) : names.getFirst();
        List<Long> ids = new ArrayList<>();
        List<Float> values = new ArrayList<>();
        for (int e = 0; e < rows.entries; e++) {
            ids.add(rows.ids[e]);
            values.add(rows.values[e]);
        }
        return new PlainLibSvm.Row(label, rows.weights[0], ids, values).toString();
    }
}
