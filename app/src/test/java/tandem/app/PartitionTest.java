package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tandem.data.Clicks;

class PartitionTest {

    @TempDir
    private Path at;

    @Test
    void data_is_cut_and_trained_on_in_parts() throws IOException {
        Path data = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(2_000).withFeatures(1_000).write(data, 1, _ -> {});
        Path out = at.resolve("parts");
        Path cache = at.resolve("cache");
        String said = Call.good("partition", "--data", data, "--parts", 8, "--out", out, "--cache", cache)
                .out();
        assertTrue(said.contains("2,000 examples with"), said);
        JsonNode report =
                new ObjectMapper().readTree(out.resolve("_partition.json").toFile());
        assertEquals(250, report.at("/placement/parsa/mostRows").asInt());
        assertTrue(
                report.at("/placement/parsa/remote").asLong()
                        < report.at("/placement/random/remote").asLong(),
                report.toString());
        for (int part = 1; part <= 8; part++) {
            assertEquals(
                    250,
                    Files.readAllLines(out.resolve("part-0000" + part + "-of-00008.svm"))
                            .size());
        }
        Path file = at.resolve("r.json");
        Call.good(
                "train",
                "linear",
                "--data",
                data,
                "--model",
                at.resolve("m"),
                "--placement",
                "parsa",
                "--workers",
                2,
                "--passes",
                1,
                "--cache",
                cache,
                "--report",
                file);
        assertEquals(
                2,
                new ObjectMapper()
                        .readTree(file.toFile())
                        .at("/placement/parts")
                        .asInt());
        assertTrue(Call.bad(2, "partition", "--data", data, "--parts", 8, "--out", out)
                .contains("has files in it"));
        assertTrue(Call.bad(2, "partition", "--data", data, "--parts", 65, "--out", at.resolve("o"))
                .contains("64 at most"));
        assertTrue(Call.bad(2, "partition", "--data", data, "--out", at.resolve("o"))
                .contains("--parts"));
        assertTrue(Call.bad(2, "train", "linear", "--data", data, "--model", at.resolve("n"), "--placement", "else")
                .contains("any, examples, parsa"));
    }

    @Test
    void the_directory_of_parts_is_data_with_every_example_once() throws IOException {
        Path data = at.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(2_000).withFeatures(1_000).write(data, 1, _ -> {});
        Path out = at.resolve("parts");
        Path cache = at.resolve("cache");
        Call.good("partition", "--data", data, "--parts", 3, "--out", out, "--cache", cache, "--quiet");
        Path model = at.resolve("m");
        Call.good("train", "linear", "--data", out, "--model", model, "--passes", 1, "--cache", cache, "--quiet");
        Path predicted = at.resolve("p");
        Call.good("predict", "--model", model, "--data", out, "--out", predicted);
        assertEquals(2_000, Files.readAllLines(predicted).size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "light red | where white space ends a label; rename it in the data, for example to light_red",
                "#green | where a line that starts with # is a comment; rename it in the data, for example to _green",
                "1:5 | where a colon ends a label and the weight of the row follows; rename it in the data, for example"
                        + " to 1_5"
            })
    void a_label_that_the_parts_would_not_give_back_is_refused(String label, String why) throws IOException {
        Path data = Files.writeString(at.resolve("d.csv"), "label,a,b\n" + label + ",1,2\nblue,2,1\n");
        Path out = at.resolve("parts");
        String said = Call.bad(
                1, "partition", "--data", data, "--parts", 2, "--out", out, "--cache", at.resolve("c"), "--quiet");
        assertEquals("label '" + label + "' cannot be written as LIBSVM, " + why, said);
        assertFalse(Files.exists(out));
    }

    @Test
    void a_place_that_no_directory_can_take_is_refused_before_anything_is_read() throws IOException {
        Object[] args = {"partition", "--data", at.resolve("none"), "--parts", 2, "--out"};
        Path file = Files.createFile(at.resolve("file"));
        assertEquals(
                "--out " + file + " is a file; name a directory that is empty or not there yet", refused(args, file));
        Path mounted = Path.of("/dev/shm");
        assumeTrue(Files.isDirectory(mounted) && mounted.toFile().list().length == 0);
        assertEquals(
                "--out /dev/shm is a mount point, which cannot be replaced; name a directory below it, such as"
                        + " /dev/shm/parts",
                refused(args, mounted));
    }

    private static String refused(Object[] args, Path out) {
        return Call.bad(2, Stream.concat(Stream.of(args), Stream.of(out)).toArray());
    }
}
