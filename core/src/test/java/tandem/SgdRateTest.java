package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.data.Batches;
import tandem.data.Data;
import tandem.problem.Loss;

class SgdRateTest {

    @TempDir
    Path directory;

    private double rate(String loss, int rows, String line) throws IOException {
        return rate(loss, rows, 1, line);
    }

    private double rate(String loss, int rows, int together, String line) throws IOException {
        Path file = Files.writeString(directory.resolve("rows.svm"), ("1 " + line + "\n-1 " + line + "\n").repeat(40));
        try (Batches data = Data.of(file.toString()).stream()) {
            return SgdRate.of(Loss.named(loss), rows, together, data);
        }
    }

    @Test
    void longer_rows_get_smaller_steps() throws IOException {
        assertEquals(3.0 / (1 + 9 + 16), rate("logistic", 16, "1:3 2:4"), 1e-9);
        assertEquals(3.0 / (1 + 900 + 1600), rate("logistic", 16, "1:30 2:40"), 1e-9);
    }

    @Test
    void pushes_from_the_same_weights_get_smaller_steps() throws IOException {
        double alone = rate("logistic", 512, 1, "1:3 2:4");
        assertEquals(alone, rate("logistic", 512, 2, "1:3 2:4"));
        assertEquals(alone / 4, rate("logistic", 512, 8, "1:3 2:4"), 1e-12);
    }

    @Test
    void a_slope_without_bound_gets_steps_that_cannot_grow() throws IOException {
        double rate = rate("squared", 16, "1:3 2:4");
        double firstStep = rate / 2;
        assertTrue(firstStep * 16 * (9 + 16) < 2, "the first step is " + firstStep);
        assertEquals(rate / 4, rate("squared", 64, "1:3 2:4"), 1e-9);
    }
}
