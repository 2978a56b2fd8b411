package tandem.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import de.siegmar.fastcsv.reader.CsvReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableTest {

    @TempDir
    Path directory;

    private Data table(String name, String... lines) throws IOException {
        return Data.of(Examples.write(directory, name, List.of(lines)).toString());
    }

    private static Schema schema(Data data) throws IOException {
        return assertInstanceOf(Format.Table.class, data.known().format()).schema();
    }

    private static String kinds(Data data) throws IOException {
        return schema(data).columns().stream()
                .map(column -> column.name() + "=" + column.kind().name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(" "));
    }

    private static String message(Data data) {
        return assertThrows(BadData.class, () -> {
                    try (Batches batches = data.stream()) {
                        Examples.all(batches, 0);
                    }
                })
                .getMessage();
    }

    @Test
    void columns_are_found_out_from_header_and_values() throws IOException {
        Data data = table("a.csv", "id,age,city,click", "7,20,Rome,1", "8,40,,0");
        assertEquals("id=ignore age=number city=category click=label", kinds(data));
        assertEquals(30, schema(data).columns().get(1).mean());
        assertEquals(10, schema(data).columns().get(1).deviation());
    }

    @Test
    void without_a_header_the_only_column_of_words_is_the_label() throws IOException {
        Data data = table("a.csv", "1.5,2,g", "2.5,3,h");
        assertEquals("1=number 2=number 3=label", kinds(data));
        Format declared = Format.table(Declared.parse("1=label,2-3=category"));
        assertEquals("1=label 2=category 3=category", kinds(data.withFormat(declared)));
    }

    @Test
    void missing_fields_are_absent_and_numbers_standardised() throws IOException {
        Data data = table("a.csv", "click,age,city", "1,20,Rome", "0,40,", "1,,Rome");
        Batch batch = new Batch();
        try (Batches batches = data.stream()) {
            assertTrue(batches.pass(0, 0).next(batch));
        }
        assertEquals(
                List.of(0, 2, 3, 4),
                Arrays.stream(batch.starts()).limit(4).boxed().toList());
        assertEquals(-1, batch.values()[0]);
        assertEquals(1, batch.values()[2]);
        assertEquals(batch.positions()[1], batch.positions()[3]);
        assertEquals(2, batch.keyCount());
    }

    @Test
    void a_schema_reads_other_files_by_the_names_in_their_headers() throws IOException {
        Format format = table("a.csv", "click,age,city", "1,20,Rome", "0,40,Oslo")
                .known()
                .format();
        Data reordered = table("b.csv", "extra,city,age", "x,Rome,20").withFormat(format);
        assertTrue(message(reordered).contains(":1: the header has no column click"));
        Data unlabelled = reordered.withLabelRule(new LabelRule.Ignore());
        Batch batch = new Batch();
        try (Batches batches = unlabelled.stream()) {
            assertTrue(batches.pass(0, 0).next(batch));
            assertTrue(Double.isNaN(batch.labels()[0]));
            assertEquals(2, batch.entries());
        }
        assertTrue(message(table("c.csv", "click,city", "1,Rome").withFormat(format))
                .contains("no column age"));
    }

    @Test
    void bad_lines_say_what_to_do() throws IOException {
        Data data = table("a.csv", "click,age", "1,20", "0,30");
        Format format = data.known().format();
        assertTrue(message(table("b.csv", "click,age", "1,20,3").withFormat(format))
                .contains(":2: the line has 3 fields, the table has 2"));
        assertTrue(message(table("c.csv", "click,age", "1,inf").withFormat(format))
                .contains(":2: column age has the value 'inf'"));
        assertTrue(message(table("d.csv", "click,age", ",4").withFormat(format)).contains(":2: the label is empty"));
        assertTrue(
                message(table("e.csv", "click,age", "1,\"4").withFormat(format)).contains("opens a quote"));
        assertTrue(message(data.withFormat(Format.table(Declared.parse("cluck=label"))))
                .contains("column cluck is declared"));
    }

    @Test
    void a_label_expected_by_name_keeps_its_code_in_a_cache() throws IOException {
        Labels labels = new Labels(List.of("a", "b", "c"), false, false);
        Data data = table("a.csv", "1.5,2,c", "2.5,3,c").withLabelRule(new LabelRule.Expect(labels));
        try (Batches batches = data.cache(directory.resolve("cache"), at -> {}, 1)) {
            Batch batch = new Batch();
            assertTrue(batches.pass(0, 0).next(batch));
            assertEquals(2, batch.labels()[0]);
            assertEquals(2, batch.labels()[1]);
        }
    }

    @Test
    void fields_agree_with_fastcsv() throws BadLine {
        SplittableRandom random = new SplittableRandom(5);
        String[] pieces = {"a", "1.5", "\"x\"", "\"p,q\"", "\"say \"\"hi\"\"\"", "", "é", "\"\""};
        Fields fields = new Fields();
        for (int n = 0; n < 20_000; n++) {
            StringBuilder line = new StringBuilder(pieces[random.nextInt(pieces.length)]);
            for (int f = 1 + random.nextInt(6); f > 0; f--) {
                line.append(',').append(pieces[random.nextInt(pieces.length)]);
            }
            byte[] text = (line + "\n").getBytes(StandardCharsets.UTF_8);
            List<String> expected = CsvReader.builder().ofCsvRecord(line.toString()).stream()
                    .toList()
                    .getFirst()
                    .getFields();
            assertEquals(text.length, fields.split(text, 0, (byte) ','));
            assertEquals(expected, fields.texts(text), line.toString());
        }
    }

    @Test
    void criteo_lines_are_recognised_and_hashed_by_field() throws IOException {
        String counts = "1\t-2\t\t0" + "\t5000".repeat(9);
        Data data = table("a.txt", "1\t" + counts + "\tcafe".repeat(26), "0\t" + counts + "\tcafe".repeat(25) + "\t");
        assertEquals(new Format.Criteo(0), data.known().format());
        Batch batch = new Batch();
        try (Batches batches = data.stream()) {
            assertTrue(batches.pass(0, 0).next(batch));
        }
        assertEquals(11 + 26, batch.starts()[1]);
        assertEquals(11 + 25, batch.starts()[2] - batch.starts()[1]);
        assertEquals((float) Math.log(2), batch.values()[0], 1e-6);
        assertEquals((float) -Math.log(3), batch.values()[1], 1e-6);
        assertEquals((float) Math.log(5001), batch.values()[2], 1e-6);
        assertEquals(37, batch.keyCount());
        assertTrue(
                message(table("b.txt", "1\t2").withFormat(new Format.Criteo(0))).contains("a Criteo line has 40"));
    }

    @Test
    void a_format_survives_json() throws IOException {
        ObjectMapper json = new ObjectMapper();
        List<Format> formats = List.of(
                new Format.LibSvm(),
                new Format.Criteo(7),
                table("a.csv", "click,age", "1,20", "0,30").known().format(),
                Format.table(Declared.parse("click=label")));
        for (Format format : formats) {
            assertEquals(format, json.readValue(json.writeValueAsString(format), Format.class));
        }
    }

    @Test
    void standard_input_and_gzip_are_read_after_looking_ahead() throws IOException {
        Path file = directory.resolve("a.gz");
        try (var out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write("click,age\n1,20\n0,40\n".getBytes(StandardCharsets.UTF_8));
        }
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(Files.readAllBytes(file)));
        try {
            Data data = Data.of("-").known();
            try (Batches batches = data.stream()) {
                assertEquals(2, Examples.all(batches, 0).size());
                assertTrue(Double.isNaN(batches.progress()));
                IOException e = assertThrows(IOException.class, () -> Examples.all(batches, 1));
                assertTrue(e.getMessage().startsWith("standard input can be read only once"));
            }
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void what_is_no_data_is_refused() throws IOException {
        assertTrue(message(table("a.txt", "Dear Sir, how", "are you?")).contains("Choose --format"));
        assertNotEquals("", message(table("b.txt", "")));
    }

    @Test
    void marks_for_unknown_numbers_are_missing_wherever_they_stand() throws IOException {
        for (String mark : List.of("", "NA", "n/a", "NaN", "null", "?")) {
            Data early = table("early.csv", "click,age,city", "1,20,Rome", "0," + mark + ",NA", "1,40,Oslo");
            assertEquals("click=label age=number city=category", kinds(early), mark);
            assertEquals(30, schema(early).columns().get(1).mean(), mark);
            Data late = table("late.csv", "click,age,city", "1," + mark + ",Rome", "0,20,NA");
            Batch batch = new Batch();
            try (Batches batches = late.withFormat(early.known().format()).stream()) {
                assertTrue(batches.pass(0, 0).next(batch));
            }
            assertEquals(1, batch.starts()[1], mark);
            assertEquals(3, batch.starts()[2], mark);
        }
    }

    @Test
    void a_header_that_repeats_a_name_is_refused() throws IOException {
        assertTrue(message(table("label.csv", "label,age,age", "yes,a,b", "no,c,d"))
                .contains("label.csv:1: the header has two columns age; rename one"));
        assertTrue(message(table("numbers.csv", "age,age,kind", "1,2,b", "3,4,d"))
                .contains("numbers.csv:1: the header has two columns age"));
        Data declared = table("declared.csv", "age,kind,kind", "x,a,b", "y,c,d");
        assertTrue(message(declared.withFormat(Format.table(Declared.parse("age=label"))))
                .contains("declared.csv:1: the header has two columns kind"));
        assertEquals("1=label 2=category 3=category", kinds(declared));
        assertEquals("1=number 2=number 3=label", kinds(table("missing.csv", "NA,NA,b", "1,2,c")));
        Format format = table("a.csv", "click,age", "1,20", "0,30").known().format();
        assertTrue(message(table("b.csv", "click,age,age", "1,20,3").withFormat(format))
                .contains("b.csv:1: the header has two columns age"));
    }

    @Test
    void a_column_is_declared_once() throws IOException {
        String message = assertThrows(IllegalArgumentException.class, () -> Declared.parse("age=ignore,age=number"))
                .getMessage();
        assertEquals("column age is declared as ignore and as number; declare it once", message);
        assertTrue(message(table("a.csv", "click,age", "1,20")
                        .withFormat(Format.table(Declared.parse("age=ignore,2=number"))))
                .contains("column age is declared as ignore and as number"));
    }
}
