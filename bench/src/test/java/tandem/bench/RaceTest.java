package tandem.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// What was published of large clusters, in small: all of it in simulated time, so that it comes out the same each
/// time.
class RaceTest {

    @Test
    void idle_time_falls_with_the_delay_and_so_does_the_time_to_an_objective() throws IOException {
        JsonNode rows = rows("delay");
        for (int r = 1; r < rows.size(); r++) {
            assertTrue(idle(rows, r) < idle(rows, r - 1), rows::toString);
        }
        assertTrue(idle(rows, 0) > 0.4 && idle(rows, 5) < 0.06, rows::toString);
        assertTrue(seconds(rows, 4) < seconds(rows, 0) / 1.6, rows::toString);
    }

    @Test
    void stale_reads_beat_waiting_when_workers_are_slow_now_and_then_but_not_when_one_always_is() throws IOException {
        JsonNode rows = rows("slow");
        assertTrue(seconds(rows, 1) < 0.75 * seconds(rows, 0), rows::toString);
        assertTrue(seconds(rows, 2) < 0.6 * seconds(rows, 0), rows::toString);
        assertTrue(seconds(rows, 5) > 0.9 * seconds(rows, 4), rows::toString);
        assertTrue(seconds(rows, 7) < 0.5 * seconds(rows, 4), rows::toString);
    }

    @Test
    void a_larger_variance_of_delay_hurts_asynchronous_runs_while_a_bound_holds() throws IOException {
        JsonNode rows = rows("variance");
        double ssp = objective(rows, 6) / objective(rows, 0);
        double async = objective(rows, 7) / objective(rows, 1);
        assertEquals(1, ssp, 0.03, rows::toString);
        assertTrue(async > 1.05, rows::toString);
    }

    @Test
    void eagerly_refreshed_rows_are_fresher_and_need_fewer_passes() throws IOException {
        JsonNode rows = rows("eager");
        for (int lazy : new int[] {2, 4}) {
            JsonNode eager = rows.path(lazy + 1);
            assertTrue(
                    eager.path("staleness").asDouble()
                            < 0.75 * rows.path(lazy).path("staleness").asDouble(),
                    rows::toString);
            assertTrue(
                    eager.path("stalenessVariance").asDouble()
                            < rows.path(lazy).path("stalenessVariance").asDouble(),
                    rows::toString);
            assertTrue(
                    eager.path("passes").asDouble()
                            < 0.75 * rows.path(lazy).path("passes").asDouble(),
                    rows::toString);
        }
    }

    private static double idle(JsonNode rows, int row) {
        return rows.path(row).path("idle").asDouble();
    }

    private static double seconds(JsonNode rows, int row) {
        return rows.path(row).path("seconds").asDouble();
    }

    private static double objective(JsonNode rows, int row) {
        return rows.path(row).path("objective").asDouble();
    }

    private static JsonNode rows(String part) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Bench.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                "consistency",
                "--json",
                "--rounds",
                "3",
                "--parts",
                part);
        assertEquals(0, code, () -> err.toString(StandardCharsets.UTF_8));
        return new ObjectMapper().readTree(out.toByteArray()).path("rows");
    }
}
