package tandem.app;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoTest {

    @TempDir
    private Path at;

    @Test
    void it_shows_the_model_between_the_baseline_and_the_truth_and_can_be_run_again() throws IOException {
        for (int time = 0; time < 2; time++) {
            String out = Call.good("demo", "--rows", 20_000, "--out", at.resolve("demo"))
                    .out();
            double constant = logloss(out, "always the click rate");
            double model = logloss(out, "the trained model");
            double truth = logloss(out, "the truth");
            assertTrue(truth < model && model < constant, out);
        }
        assertTrue(Files.size(at.resolve("demo/report.json")) > 1000);
        assertTrue(ImageIO.read(at.resolve("demo/curve.png").toFile()).getWidth() > 100);
        Call.good("inspect", "--model", at.resolve("demo/model"));
    }

    @Test
    void a_file_in_its_place_is_refused() throws IOException {
        Path file = Files.createFile(at.resolve("file"));
        assertTrue(Call.bad(2, "demo", "--out", file).contains("is a file"));
    }

    private static double logloss(String out, String name) {
        String line = out.lines().filter(l -> l.contains(name)).findFirst().orElseThrow();
        return Double.parseDouble(line.replaceAll(".* (\\d\\.\\d{4})  \\d\\.\\d{4}$", "$1"));
    }
}
