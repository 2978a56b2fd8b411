package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Weights in a file of their own do what weights in the data do.
class WeightsTest {

    @TempDir
    private Path at;

    private Path plain;
    private Path weighted;
    private Path weights;

    @BeforeEach
    void data() throws IOException {
        plain = at.resolve("plain.svm");
        weighted = at.resolve("weighted.svm");
        weights = at.resolve("weights.txt");
        Random random = new Random(2);
        StringBuilder bare = new StringBuilder();
        StringBuilder heavy = new StringBuilder();
        StringBuilder alone = new StringBuilder();
        for (int row = 0; row < 500; row++) {
            int label = random.nextInt(2);
            String rest = " " + (1 + random.nextInt(5) + label) + ":1 9:0.5\n";
            double weight = random.nextInt(8) / 4.0;
            bare.append(label).append(rest);
            heavy.append(label).append(':').append(weight).append(rest);
            alone.append(weight).append('\n');
        }
        Files.writeString(plain, bare);
        Files.writeString(weighted, heavy);
        Files.writeString(weights, alone);
    }

    private String weightsOf(String name, Object... more) throws IOException {
        Path model = at.resolve(name);
        Object[] fixed = {"train", "linear", "--model", model, "--threads", 1, "--quiet"};
        Call.good(with(fixed, more));
        return Call.good("export", "--model", model, "--format", "csv", "--out", "-")
                .out();
    }

    @Test
    void training_with_them_gives_the_same_model_as_weights_in_the_data() throws IOException {
        for (Object[] how : new Object[][] {{"--passes", 3}, {"--solver", "batch", "--l2", 1}}) {
            how = with(how, "--cache", at.resolve("cache"));
            String inside = weightsOf("inside" + how[0], with(how, "--data", weighted));
            assertEquals(inside, weightsOf("beside" + how[0], with(how, "--data", plain, "--weights", weights)));
            assertNotEquals(inside, weightsOf("without" + how[0], with(how, "--data", plain)));
        }
    }

    @Test
    void straight_from_text_too() throws IOException {
        String inside = weightsOf("inside", "--data", weighted, "--cache", "off");
        assertEquals(inside, weightsOf("beside", "--data", plain, "--weights", weights, "--cache", "off"));
    }

    @Test
    void evaluation_counts_them() throws IOException {
        weightsOf("model", "--data", plain);
        Path model = at.resolve("model");
        String inside = Call.good("evaluate", "--model", model, "--data", weighted, "--quiet")
                .out();
        assertEquals(
                inside,
                Call.good("evaluate", "--model", model, "--data", plain, "--weights", weights, "--quiet")
                        .out());
    }

    @Test
    void wrong_ones_are_one_message() throws IOException {
        Path model = at.resolve("model");
        Files.writeString(weights, "1\n-2\n");
        assertTrue(Call.bad(1, "train", "linear", "--data", plain, "--weights", weights, "--model", model)
                .startsWith(weights + ":2: the weight is '-2'"));
        Path absent = at.resolve("absent");
        assertTrue(Call.bad(1, "train", "linear", "--data", plain, "--weights", absent, "--model", model)
                .startsWith(absent + ": there is no such file"));
    }

    private static Object[] with(Object[] how, Object... more) {
        return Stream.concat(Arrays.stream(how), Arrays.stream(more)).toArray();
    }
}
