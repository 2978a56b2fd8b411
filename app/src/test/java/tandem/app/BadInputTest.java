package tandem.app;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Each case ends in one message and leaves no model and no part of one behind.
class BadInputTest {

    @TempDir
    private Path at;

    private Path data;
    private Path model;

    @BeforeEach
    void data() throws IOException {
        data = at.resolve("data.svm");
        model = at.resolve("model");
        Files.writeString(data, "1 1:1 3:1\n0 2:1 3:1\n".repeat(50));
    }

    @AfterEach
    void nothing_half_written_is_left() throws IOException {
        try (Stream<Path> files = Files.list(at)) {
            assertFalse(files.anyMatch(file -> file.toString().matches(".*\\.(part|old|checkpoint)")));
        }
    }

    private String train(int code, Object... more) {
        Object[] args = Stream.concat(Stream.of("train", "linear", "--data", data, "--model", model), Stream.of(more))
                .toArray();
        String message = Call.bad(code, args);
        assertFalse(Files.exists(model), "a model was left behind");
        return message;
    }

    @Test
    void a_missing_file() {
        Path absent = at.resolve("absent");
        assertTrue(train(1, "--validate", absent).contains("absent: there is no such file"));
        data = absent;
        assertTrue(train(1).startsWith(absent + ": there is no such file"));
        assertTrue(Call.bad(1, "evaluate", "--model", absent, "--data", at).contains("absent does not exist"));
    }

    @Test
    void an_unreadable_file() throws IOException {
        Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(data), "this user reads everything");
        assertTrue(train(1).contains("may not be read"));
    }

    @Test
    void a_directory_without_data() throws IOException {
        data = Files.createDirectory(at.resolve("empty"));
        assertTrue(train(1).contains("holds no data files"));
    }

    @Test
    void an_empty_file() throws IOException {
        Files.writeString(data, "");
        assertTrue(train(1).contains("no examples"));
    }

    @Test
    void a_file_in_another_format() throws IOException {
        Files.write(data, new byte[] {0, 1, 2, 3, (byte) 0xff, '\n', 0, 1, 2});
        assertTrue(train(1).startsWith(data.toString()));
    }

    @Test
    void formats_that_are_not_read_are_called_by_name() throws IOException {
        for (String text : new String[] {
            "1 |f a:1 b\n-1 |f c:2\n", "1 2.5 'tag|a x y |b z:3\n", "-1 | a:0.5 b:1\n", "|user age:20 rome\n"
        }) {
            Files.writeString(data, text);
            assertTrue(train(1).contains("Vowpal Wabbit's format, which is not read"), text);
        }
        for (String text : new String[] {"{\"y\": 1, \"x\": 2}\n", "[\n{\"y\": 1}]\n", "{\"y\":1}"}) {
            Files.writeString(data, text);
            assertTrue(train(1).contains("that is JSON, which is not read"), text);
        }
    }

    @Test
    void a_line_that_is_wrong_is_named_and_can_be_skipped() throws IOException {
        Files.writeString(data, "1 1:1\n0 2:one\n".repeat(2) + "1 1:1\n0 2:1\n");
        String message = train(1);
        assertTrue(message.startsWith(data + ":2: "), message);
        Call call = Call.good("train", "linear", "--data", data, "--model", model, "--bad-lines", "skip");
        assertTrue(call.out().contains("2 bad lines"), call.out());
    }

    @Test
    void one_of_a_kind_is_told_in_the_singular() throws IOException {
        Files.writeString(data, "1 1:1\n0 2:one\n1 1:1\n0 2:1\n");
        Call call = Call.good("train", "linear", "--data", data, "--model", model, "--bad-lines", "skip");
        assertTrue(call.out().contains("1 bad line\n"), call.out());
        Path out = at.resolve("x.svm");
        Call few = Call.good("generate", "ctr", "--rows", 1, "--test-rows", 0, "--out", out);
        assertTrue(few.out().contains(": 1 row, "), few.out());
        assertFalse(few.out().contains("NaN"), few.out());
    }

    @Test
    void labels_that_cannot_be_learned_are_a_failure_of_the_data() throws IOException {
        assertTrue(train(1, "--positive", 7).contains("the positive label 7 is not in the data"));
        Files.writeString(data, "1 1:1\n".repeat(9));
        assertTrue(train(1).contains("every example has the label 1"));
        Files.writeString(data, "-3 1:1\n2 2:1\n");
        assertTrue(train(1, "--loss", "poisson").contains("labels are 0 or more"));
    }

    @Test
    void a_box_may_begin_below_zero() {
        for (Object[] box : new Object[][] {{"--box", "-0.25,0.5"}, {"--box=-0.25,0.5"}}) {
            Object[] args = Stream.concat(
                            Stream.of("train", "linear", "--data", data, "--model", model, "--overwrite"),
                            Stream.of(box))
                    .toArray();
            assertTrue(Call.good(args).out().contains("weights from -0.25 to 0.5"));
        }
    }

    @Test
    void a_wrong_line_is_told_as_such_when_predicting_and_evaluating() throws IOException {
        Call.good("train", "linear", "--data", data, "--model", model, "--quiet");
        Files.writeString(data, "1 1:1\n0 2:one\n");
        Path out = at.resolve("p.txt");
        String message = Call.bad(1, "predict", "--model", model, "--data", data, "--out", out);
        assertTrue(message.startsWith(data + ":2: "), message);
        assertFalse(Files.exists(out));
        message = Call.bad(1, "evaluate", "--model", model, "--data", data);
        assertTrue(message.startsWith(data + ":2: "), message);
    }

    @Test
    void a_model_whose_description_is_empty() throws IOException {
        Call.good("train", "linear", "--data", data, "--model", model, "--quiet");
        Files.writeString(model.resolve("model.json"), "");
        String message = Call.bad(1, "evaluate", "--model", model, "--data", data);
        assertTrue(message.startsWith(model.resolve("model.json") + ": it is empty"), message);
    }

    @Test
    void training_that_diverges_is_a_failure_not_wrong_use() throws IOException {
        Files.writeString(data, "1 1:1e30 3:1\n-3 2:1e30 3:1\n".repeat(50));
        String message = train(1, "--loss", "squared", "--solver", "sgd", "--l2", 0, "--learning-rate", 1000);
        assertTrue(message.contains("training has diverged"), message);
    }

    @Test
    void negative_or_senseless_penalties() {
        assertEquals("--l1 is -1; a penalty is a number from 0 up", train(2, "--l1", -1));
        assertTrue(train(2, "--l2", "NaN").startsWith("--l2 is NaN"));
        assertTrue(train(2, "--ball", 0, "--solver", "batch").startsWith("--ball is 0"));
        assertTrue(train(2, "--box", "1,2").startsWith("--box is '1,2'"));
        assertTrue(train(2, "--box", "-1").startsWith("--box is '-1'"));
        assertTrue(train(2, "--box", "-1,x").startsWith("--box is '-1,x'"));
        assertTrue(train(2, "--box", "--l1", 1).startsWith("--box needs a value"));
        assertTrue(train(2, "--l1", 1, "--simplex", 1).contains("cannot be used together"));
        assertTrue(train(2, "--groups", data).contains("--group-lasso"));
        assertTrue(train(2, "--group-lasso", 1).contains("--groups"));
    }

    @Test
    void options_that_the_solver_does_not_use() {
        assertTrue(train(2, "--solver", "batch", "--passes", 2).contains("--passes is for --solver ftrl"));
        assertTrue(train(2, "--solver", "batch", "--checkpoint-every", 1).contains("--checkpoint-every is for"));
        String users = "--tolerance is for --solver batch, dbpg, lbfgs, sdca, ssp-prox and m-papg";
        assertTrue(train(2, "--tolerance", 0.1).contains(users));
        assertTrue(train(2, "--solver", "auto", "--tolerance", 0.1).contains(users));
        assertTrue(train(2, "--simplex", 1).contains("use --solver batch"));
        assertTrue(train(2, "--solver", "batch", "--loss", "hinge").contains("smooth"));
        assertTrue(train(2, "--loss", "squared", "--pos-weight", 2).contains("two classes"));
    }

    @Test
    void other_numbers_that_make_no_sense() {
        assertTrue(train(2, "--passes", 0).startsWith("--passes is 0"));
        assertTrue(train(2, "--threads", 0).startsWith("--threads is 0"));
        assertTrue(train(2, "--learning-rate", -1).startsWith("--learning-rate is -1"));
        assertTrue(train(2, "--pos-weight", 0).startsWith("--pos-weight is 0"));
        assertTrue(train(2, "--split", 1.5).startsWith("--split is 1.5"));
        assertTrue(train(2, "--split", 0.5, "--validate", data).contains("keep one of them"));
        assertTrue(train(2, "--loss", "cubic").contains("logistic"));
        assertTrue(train(2, "--resume").contains("no checkpoint"));
        assertTrue(train(2, "--checkpoint-every", "soon").contains("such as 500ms, 10s, 5m or 1h"));
        assertTrue(train(2, "--hash-bits", 65).startsWith("--hash-bits is 65"));
        assertTrue(train(2, "--columns", "a=label", "--format", "libsvm").contains("--columns is for tables"));
    }

    @Test
    void what_cannot_be_left_out() {
        assertTrue(Call.bad(2, "train", "linear", "--model", model).startsWith("--data is missing"));
        assertTrue(Call.bad(2, "train", "linear", "--data", data).startsWith("--model is missing"));
        assertTrue(Call.bad(2, "predict", "--model", model, "--data", data).startsWith("--out is missing"));
        assertTrue(Call.bad(2, "generate", "ctr", "--rows", 10).startsWith("--out is missing"));
    }

    @Test
    void a_model_that_exists_is_kept_unless_told_otherwise() throws IOException {
        Call.good("train", "linear", "--data", data, "--model", model, "--quiet");
        String before = Files.readString(model.resolve("model.json"));
        assertTrue(
                Call.bad(1, "train", "linear", "--data", data, "--model", model).contains("--overwrite"));
        assertEquals(before, Files.readString(model.resolve("model.json")));
        Call.good("train", "linear", "--data", data, "--model", model, "--overwrite", "--quiet");
    }

    @Test
    void places_that_cannot_be_written_are_found_before_training() {
        Path absent = at.resolve("no").resolve("r.json");
        assertTrue(train(2, "--report", absent).contains("there is no directory"));
        assertTrue(train(2, "--report", at).contains("is a directory"));
        model = data.resolve("model");
        assertTrue(train(1).contains("no directory can be made in " + data));
    }

    @Test
    void what_is_read_is_not_written_over() throws IOException {
        Call.good("train", "linear", "--data", data, "--model", model, "--quiet");
        byte[] before = Files.readAllBytes(data);
        Path other = at.resolve("other");
        String read = "is a file that this command reads";
        assertTrue(Call.bad(2, "train", "linear", "--data", data, "--model", other, "--report", data)
                .contains(read));
        assertTrue(Call.bad(2, "train", "linear", "--data", data, "--model", other, "--report", other)
                .contains("is where the model is"));
        assertTrue(Call.bad(2, "predict", "--model", model, "--data", data, "--out", data)
                .contains(read));
        assertTrue(Call.bad(2, "evaluate", "--model", model, "--data", data, "--report", data)
                .contains(read));
        Path card = model.resolve("model.json");
        assertTrue(Call.bad(2, "export", "--model", model, "--format", "csv", "--out", card)
                .contains("is where the model is"));
        Path link = Files.createSymbolicLink(at.resolve("link"), model);
        assertTrue(Call.bad(2, "predict", "--model", model, "--data", data, "--out", link.resolve("model.json"))
                .contains("is where the model is"));
        assertTrue(Call.bad(
                        2, "train", "linear", "--data", data, "--model", other, "--warm-start", model, "--report", card)
                .contains("is where the model is"));
        assertArrayEquals(before, Files.readAllBytes(data));
        Call.good("predict", "--model", model, "--data", data, "--out", other);
    }

    @Test
    void a_directory_that_takes_no_files_whatever_its_permissions_is_found_before_training() {
        assumeTrue(Files.isDirectory(Path.of("/proc/self")), "this system has no /proc");
        model = Path.of("/proc/tandem-model");
        String message = train(1, "--checkpoint", at.resolve("c"));
        assertTrue(message.startsWith("--model /proc/tandem-model: no directory can be made in /proc"), message);
        model = at.resolve("model");
        assertTrue(train(1, "--report", "/proc/r.json").contains("no permission to write there"));
    }

    @Test
    void a_full_disk() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full) && !Files.isRegularFile(full), "this system has no /dev/full");
        Path small = at.resolve("small");
        Call.good("train", "linear", "--data", data, "--model", small, "--quiet");
        assertTrue(Call.bad(1, "predict", "--model", small, "--data", data, "--out", full)
                .contains("No space left"));
        assertTrue(Call.bad(1, "export", "--model", small, "--format", "csv", "--out", full)
                .contains("No space left"));
        assertTrue(Call.bad(1, "generate", "ctr", "--rows", 1000, "--out", full)
                .startsWith("/dev/full could not be written: No space left"));
        assertTrue(Call.bad(1, "evaluate", "--model", small, "--data", data, "--report", full)
                .contains("No space left"));
    }

    @Test
    void a_report_that_cannot_be_written_does_not_cost_the_model() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full) && !Files.isRegularFile(full), "this system has no /dev/full");
        String message = Call.bad(1, "train", "linear", "--data", data, "--model", model, "--report", full);
        assertTrue(message.contains("No space left") && message.contains("the model is whole"), message);
        Call.good("inspect", "--model", model);
        String without = Call.bad(1, "simulate", "linear", "--data", data, "--solver", "ftrl", "--report", full);
        assertTrue(without.contains("No space left") && !without.contains("model"), without);
    }

    @Test
    void data_with_none_of_the_features_of_the_model() throws IOException {
        Path wide = at.resolve("wide.svm");
        StringBuilder lines = new StringBuilder();
        for (int id = 1; id <= 20; id++) {
            lines.append(id % 2).append(' ').append(id).append(":1\n");
        }
        Files.writeString(wide, lines);
        Call.good("train", "linear", "--data", wide, "--model", model, "--quiet");
        Files.writeString(data, "1 901:1\n0 902:1\n");
        String message = Call.bad(1, "evaluate", "--model", model, "--data", data);
        assertTrue(message.contains("none of the features"), message);
        Path out = at.resolve("p.txt");
        assertTrue(Call.bad(1, "predict", "--model", model, "--data", data, "--out", out)
                .contains("none of the features"));
        assertFalse(Files.exists(out));
    }

    @Test
    void generator_settings_that_make_no_sense() {
        Path out = at.resolve("x.svm");
        assertTrue(Call.bad(2, "generate", "ctr", "--out", out, "--rows", 0).startsWith("--rows is 0"));
        assertTrue(
                Call.bad(2, "generate", "ctr", "--out", out, "--click-rate", 2).contains("click rate"));
        assertTrue(
                Call.bad(2, "generate", "ctr", "--out", "-", "--test-rows", 5).contains("--test-out"));
        assertFalse(Files.exists(out));
    }
}
