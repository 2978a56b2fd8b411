package tandem.app;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TrainSummaryTest {

    @Test
    void steps_that_are_guaranteed_are_told_with_what_is_proven() throws IOException {
        String steps = "'step': {'used': 0.0370, 'guaranteed': 0.1429, 'path': null}";
        String guaranteed = summary("{'settings': {'solver': 'dbpg', 'step': 'guaranteed'}, " + steps + "}");
        assertTrue(
                guaranteed.contains("steps         0.0370 long in the end; convergence is proven for 0.143 "),
                guaranteed);
        assertFalse(summary("{'settings': {'solver': 'dbpg', 'step': '1.0'}, " + steps + "}")
                .contains("long in the end"));
    }

    private static String summary(String report) throws IOException {
        var out = new ByteArrayOutputStream();
        var tree = new ObjectMapper().readTree(report.replace('\'', '"'));
        new TrainSummary(tree, null, null, null, false).print(new Console(out, System.err, false));
        return out.toString(StandardCharsets.UTF_8);
    }
}
