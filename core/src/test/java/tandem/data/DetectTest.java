package tandem.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DetectTest {

    private static final int WIDE = 9_000;

    @TempDir
    Path directory;

    private Data data(String name, String... lines) throws IOException {
        return Data.of(Examples.write(directory, name, List.of(lines)).toString());
    }

    private static int rows(Data data) throws IOException {
        try (Batches batches = data.stream()) {
            return Examples.all(batches, 0).size();
        }
    }

    private static String message(Data data) {
        return assertThrows(BadData.class, () -> rows(data)).getMessage();
    }

    private static Schema schema(Data data) throws IOException {
        return assertInstanceOf(Format.Table.class, data.known().format()).schema();
    }

    private static String kinds(Data data) throws IOException {
        return schema(data).columns().stream()
                .map(column -> column.name() + "=" + column.kind().name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(" "));
    }

    private static String wide(String first, String each) {
        return IntStream.range(0, WIDE)
                .mapToObj(i -> each.replace("#", "" + i))
                .collect(Collectors.joining("", first, ""));
    }

    @Test
    void rows_may_be_wider_than_what_is_looked_at_first() throws IOException {
        Data table = data("wide.csv", wide("label", ",gene_number_#"), wide("1", ",#"), wide("0", ",1"));
        assertEquals(WIDE + 1, schema(table).columns().size());
        assertEquals(2, rows(table));
        assertEquals(2, rows(table.withFormat(Format.table(Declared.NONE))));
        Data sparse = data("wide.svm", "# made by hand", wide("1", " #:0.125"), "0 1:1");
        assertEquals(new Format.LibSvm(), sparse.known().format());
        assertEquals(2, rows(sparse));
    }

    @Test
    void wide_rows_may_come_from_standard_input() throws IOException {
        String text = wide("label", ",gene_number_#") + "\n" + wide("1", ",#") + "\n" + wide("0", ",1") + "\n";
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
        try {
            assertEquals(2, rows(Data.of("-")));
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void a_table_that_is_asked_for_is_never_read_as_something_else() throws IOException {
        Data sparse = data("a.svm", "1 1:1 2:1", "0 3:1");
        assertEquals(new Format.LibSvm(), sparse.known().format());
        assertTrue(message(sparse.withFormat(Format.table(Declared.NONE)))
                .contains("a.svm: the first line is '1 1:1 2:1'; that is LIBSVM"));
        assertTrue(message(sparse.withFormat(Format.table(Declared.parse("1=label"))))
                .contains("that is LIBSVM"));
    }

    @Test
    void tabs_that_are_asked_for_are_the_only_delimiter() throws IOException {
        Data commas = data("a.csv", "label,a", "1,2", "0,3");
        assertTrue(message(commas.withFormat(Format.tabs(Declared.NONE))).contains("Choose --format csv"));
        Data both = data("a.tsv", "1\t2,3", "0\t4,5,6");
        assertEquals('\t', schema(both.withFormat(Format.tabs(Declared.NONE))).delimiter());
    }

    @Test
    void a_bad_line_among_the_first_of_a_table_is_a_bad_line() throws IOException {
        Data few = data("few.csv", "label,age,city", "1,30,Z", "0,40");
        Data open = data("open.csv", "label,age,city", "1,30,Z", "0,40,\"Z", "1,20,Y");
        Data one = data("one.csv", "label,age,city", "0,40").withFormat(Format.table(Declared.NONE));
        assertTrue(message(one).contains("one.csv:2: the line has 2 fields"));
        for (Format format : List.of(Format.unknown(), Format.table(Declared.NONE))) {
            assertTrue(message(few.withFormat(format)).contains("few.csv:3: the line has 2 fields"));
            assertTrue(message(open.withFormat(format)).contains("open.csv:3: field 3 opens a quote"));
            assertEquals(1, rows(few.withFormat(format).withBadLines(new BadLines.Skip(5))));
            assertEquals(2, rows(open.withFormat(format).withBadLines(new BadLines.Skip(5))));
        }
    }

    @Test
    void a_bad_line_among_the_first_does_not_change_the_format() throws IOException {
        assertEquals(
                new Format.LibSvm(),
                data("a.svm", "1\t1:1", "0\t2:1", "1\t1:1", "x\ty\tz").known().format());
        String line = "1" + "\t2".repeat(13) + "\tcafe".repeat(26);
        assertEquals(
                new Format.Criteo(0), data("a.txt", line, line, "1\t2").known().format());
    }

    @Test
    void a_bad_line_does_not_change_what_columns_are() throws IOException {
        assertEquals(
                "label=label age=number city=category",
                kinds(data("a.csv", "label,age,city", "1,30,Z", "0,Z", "1,20,Y")));
    }

    @Test
    void the_delimiter_is_the_one_that_leaves_fields_whole() throws IOException {
        assertEquals(
                "label=label a,b=category c=number",
                kinds(data("named.csv", "label;a,b;c", "1;\"x,y\";3", "0;\"u,v\";4")));
        assertEquals(
                ';', schema(data("quoted.csv", "yes;\"x,y\";z", "no;\"u,v\";w")).delimiter());
        assertEquals(',', schema(data("lists.csv", "1,a;b;c", "0,d;e;f")).delimiter());
        assertEquals('\t', schema(data("lists.tsv", "1\t1,2,3", "0\t4,5,6")).delimiter());
    }
}
