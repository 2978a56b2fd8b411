package tandem.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
}
