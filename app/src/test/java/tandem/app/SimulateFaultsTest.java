package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class SimulateFaultsTest {

    @Test
    void json_has_the_counts_of_all_seeds() throws IOException {
        JsonNode report = new ObjectMapper()
                .readTree(Call.good("simulate", "faults", "--seeds", "20", "--first", "5", "--json")
                        .out());
        assertEquals(5, report.path("first").asLong());
        assertEquals(20, report.path("seeds").asLong());
        assertEquals(0, report.path("violations").asLong());
        assertTrue(report.path("nodeFaults").asLong() > 20, report::toString);
        assertTrue(report.path("kinds").path("COORDINATOR").asLong() > 0, report::toString);
        assertTrue(report.path("pushesPerFault").asDouble() > 20, report::toString);
        assertTrue(report.path("nodeFaultsPerSecond").asDouble() > 0, report::toString);
        assertTrue(report.path("found").isArray() && report.path("found").isEmpty(), report::toString);
    }

    @Test
    void one_seed_is_shown_with_its_faults() {
        String shown = Call.good("simulate", "faults", "--seed", "3").out();
        assertTrue(shown.startsWith("seed 3: 5 servers, 4 workers"), shown);
        assertTrue(shown.contains("1 seeds in"), shown);
        assertTrue(shown.contains("nothing was lost or counted twice"), shown);
    }

    @Test
    void no_seeds_are_refused() {
        assertTrue(Call.bad(2, "simulate", "faults", "--seeds", "0").startsWith("--seeds is 0"));
    }
}
