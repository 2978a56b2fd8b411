package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// CSV from training to prediction: the model remembers how to read it.
class TableDataTest {

    @TempDir
    private Path at;

    private Path data;
    private Path model;

    /// Who is old or lives in `north` buys.
    @BeforeEach
    void data() throws IOException {
        data = at.resolve("buyers.csv");
        model = at.resolve("model");
        Random random = new Random(1);
        StringBuilder text = new StringBuilder("age,region,bought\n");
        for (int row = 0; row < 2_000; row++) {
            int age = 20 + random.nextInt(60);
            String region = random.nextBoolean() ? "north" : "south";
            text.append(age).append(',').append(region).append(',');
            text.append(age > 60 || region.equals("north") ? "yes" : "no").append('\n');
        }
        Files.writeString(data, text);
    }

    @Test
    void names_of_classes_and_columns_are_kept() throws IOException {
        Call.good(
                "train",
                "linear",
                "--data",
                data,
                "--columns",
                "bought=label",
                "--passes",
                5,
                "--model",
                model,
                "--quiet");
        Path other = at.resolve("new.csv");
        Files.writeString(other, "region,age,bought\nnorth,30,no\nsouth,25,no\nsouth,79,no\n");
        String out = Call.good("predict", "--model", model, "--data", other, "--out", "-", "--kind", "labels")
                .out();
        assertEquals("yes\nno\nyes\n", out);
        String inspected = Call.good("inspect", "--model", model).out();
        assertTrue(inspected.contains("no, yes (positive)"), inspected);
        assertTrue(inspected.contains("  age\n"), inspected);
    }

    @Test
    void categories_get_their_names_back_from_the_data() throws IOException {
        Call.good("train", "linear", "--data", data, "--columns", "bought=label", "--model", model, "--quiet");
        String plain = Call.good("inspect", "--model", model).out();
        assertFalse(plain.contains("region="), plain);
        String named = Call.good("inspect", "--model", model, "--data", data).out();
        assertTrue(named.contains("  region=north\n") && named.contains("  region=south\n"), named);
        assertTrue(named.contains("  age\n"), named);
        String csv = Call.good("export", "--model", model, "--format", "csv", "--out", "-", "--data", data)
                .out();
        assertTrue(csv.contains(",region=north,yes,") && csv.contains(",age,yes,"), csv);
    }

    @Test
    void data_without_names_is_refused_where_names_are_asked_for() throws IOException {
        Path rows = at.resolve("rows.svm");
        Files.writeString(rows, "1 1:1\n-1 2:1\n".repeat(20));
        Call.good("train", "linear", "--data", rows, "--model", model, "--quiet");
        String message = Call.bad(2, "inspect", "--model", model, "--data", rows);
        assertTrue(message.contains("ids and no names"), message);
    }

    @Test
    void what_columns_are_taken_as_is_said() throws IOException {
        String[] train = {"train", "linear", "--data", data.toString(), "--model", model.toString(), "--overwrite"};
        String err = Call.good((Object[]) train).err();
        assertTrue(err.contains("columns: label age; categories region, bought. Is"), err);
        Files.writeString(data, Files.readString(data).replace('|', '_').replace(',', '|'));
        String[] declared = Arrays.copyOf(train, train.length + 2);
        declared[train.length] = "--columns";
        declared[train.length + 1] = "bought=label";
        err = Call.good((Object[]) declared).err();
        assertTrue(err.contains("columns: label bought; categories region; numbers age. Is"), err);
    }

    @Test
    void the_positive_label_can_be_chosen() {
        Call.good(
                "train",
                "linear",
                "--data",
                data,
                "--columns",
                "bought=label",
                "--positive",
                "no",
                "--model",
                model,
                "--quiet");
        String inspected = Call.good("inspect", "--model", model).out();
        assertTrue(inspected.contains("yes, no (positive)"), inspected);
    }

    @Test
    void a_column_that_is_not_there_is_named() {
        String message = Call.bad(1, "train", "linear", "--data", data, "--columns", "sold=label", "--model", model);
        assertTrue(message.contains("sold") && message.contains("age, region, bought"), message);
    }

    @Test
    void a_table_can_come_from_standard_input() throws IOException {
        InputStream before = System.in;
        try (InputStream in = Files.newInputStream(data)) {
            System.setIn(in);
            Call.good("train", "linear", "--data", "-", "--columns", "bought=label", "--model", model, "--quiet");
        } finally {
            System.setIn(before);
        }
        assertTrue(Call.good("inspect", "--model", model).out().contains("  age\n"));
    }
}
