package tandem.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class BenchTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void linear_prints_one_json_object_with_rows_and_ratios_and_leaves_no_files(@TempDir Path folder)
            throws IOException {
        assertEquals(
                0,
                run(
                        "linear",
                        "--rows",
                        "2000",
                        "--features",
                        "5000",
                        "--rounds",
                        "1",
                        "--no-peers",
                        "--json",
                        "--work",
                        folder.toString()),
                err::toString);
        JsonNode outcome = new ObjectMapper().readTree(out.toByteArray());
        assertEquals("linear", outcome.path("benchmark").asText());
        assertEquals(7, outcome.path("seed").asLong());
        assertTrue(outcome.path("machine").path("cores").asInt() > 0);
        assertTrue(outcome.path("skipped").size() > 0);
        assertTrue(outcome.path("ratios").size() > 0);
        boolean online = false;
        for (JsonNode row : outcome.path("rows")) {
            assertTrue(row.path("system").asText().startsWith("tandem"), row::toString);
            assertTrue(row.path("wallSeconds").asDouble() > 0, row::toString);
            assertTrue(row.path("cpuSeconds").isNumber(), row::toString);
            double logloss = row.path("logloss").asDouble();
            online |= row.path("examplesPerSecond").asDouble() > 0 && logloss > 0.3 && logloss < 0.8;
        }
        assertTrue(online, outcome::toString);
        assertTrue(isEmpty(folder));
    }

    @Test
    void faults_add_up_from_call_to_call(@TempDir Path folder) throws IOException {
        Path state = folder.resolve("faults.json");
        String[] words = {"faults", "--seconds", "0.2", "--threads", "1", "--state", state.toString(), "--json"};
        assertEquals(0, run(words), err::toString);
        JsonNode first = new ObjectMapper().readTree(out.toByteArray());
        out.reset();
        assertEquals(0, run(words), err::toString);
        JsonNode second = new ObjectMapper().readTree(out.toByteArray());
        assertEquals(0, second.path("violations").asLong());
        assertTrue(second.path("nodeFaultsPerSecond").asDouble() > 0, second::toString);
        assertEquals(
                first.path("nodeFaults").asLong() + second.path("nodeFaults").asLong(),
                second.path("all").path("tally").path("nodeFaults").asLong());
        assertEquals(
                first.path("seeds").asLong() + second.path("seeds").asLong(),
                second.path("all").path("tally").path("seeds").asLong());
        Files.writeString(state, "not a state");
        assertEquals(1, run(words));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("no state of bench faults"), err::toString);
    }

    /// The short version of the suite with real faults, between real processes.
    @Test
    @Timeout(120)
    void chaos_of_every_quick_kind_leaves_every_row_exact() throws IOException {
        String kinds = "kill-server,kill-worker,memory,pause,cut,loss,corruption,strangers,clock";
        assertEquals(0, run("chaos", "--kinds", kinds, "--rounds", "9", "--json"), err::toString);
        JsonNode outcome = new ObjectMapper().readTree(out.toByteArray());
        int rounds = 0;
        for (JsonNode row : outcome.path("rows")) {
            assertEquals(row.path("rounds").asInt(), row.path("exactRounds").asInt(), outcome::toString);
            rounds += row.path("rounds").asInt();
        }
        assertEquals(9, rounds + outcome.path("skipped").size(), outcome::toString);
    }

    @Test
    void chaos_of_an_unknown_kind_is_wrong_use() {
        assertEquals(2, run("chaos", "--kinds", "kill-server,flood"));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("--kinds has \"flood\"; there are kill-server, "));
    }

    @Test
    void parse_prints_a_table_with_megabytes_a_second(@TempDir Path folder) throws IOException {
        assertEquals(0, run("parse", "--rows", "2000", "--rounds", "2", "--no-peers", "--work", folder.toString()));
        String text = out.toString(StandardCharsets.UTF_8);
        assertTrue(text.contains("MB/s") && text.contains("plain Java"), text);
        assertTrue(isEmpty(folder));
    }

    @Test
    void kv_prints_one_json_object_with_a_row_for_each_way_and_kind_of_socket() throws IOException {
        assertEquals(
                0,
                run(
                        "kv",
                        "--parts",
                        "one,dense,keys",
                        "--scale",
                        "0.002",
                        "--keys",
                        "1000",
                        "--rounds",
                        "1",
                        "--no-peers",
                        "--json"),
                err::toString);
        JsonNode outcome = new ObjectMapper().readTree(out.toByteArray());
        assertEquals("kv", outcome.path("benchmark").asText());
        int one = 0;
        for (JsonNode row : outcome.path("rows")) {
            assertTrue(row.path("secondsPerRequest").asDouble() > 0, row::toString);
            one += row.path("part").asText().equals("one key") ? 1 : 0;
        }
        assertEquals(10, one, outcome::toString);
        assertTrue(outcome.path("ratios").size() > 0);
        assertTrue(outcome.path("skipped").toString().contains("Redis"), outcome::toString);
    }

    /// Whether the figures are good is for a quiet machine to say.
    @Test
    @Timeout(120)
    void tls_prints_each_kind_of_request_through_tls_and_without() throws IOException {
        assertTrue(run("tls", "--scale", "0.01", "--rounds", "1", "--json") <= 1, err::toString);
        JsonNode outcome = new ObjectMapper().readTree(out.toByteArray());
        int through = 0;
        for (JsonNode row : outcome.path("rows")) {
            assertTrue(row.path("secondsPerRequest").asDouble() > 0, row::toString);
            through += row.path("system").asText().equals("TLS") ? 1 : 0;
        }
        assertEquals(6, through, () -> outcome + err.toString(StandardCharsets.UTF_8));
        assertEquals(16, outcome.path("rows").size());
    }

    /// Whether what was published holds is for larger runs to say.
    @Test
    @Timeout(240)
    void solvers_answer_each_question_with_figures_a_verdict_and_a_picture(@TempDir Path folder) throws IOException {
        Path plots = folder.resolve("plots");
        Path work = Files.createDirectory(folder.resolve("work"));
        String[] words = {
            "solvers", "--rows", "500", "--scale", "0.02", "--rounds", "1", "--workers", "4", "--no-peers", "--json"
        };
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--plots", plots.toString(), "--work", work.toString()));
        assertEquals(0, run(all.toArray(String[]::new)), err::toString);
        JsonNode outcome = new ObjectMapper().readTree(out.toByteArray());
        for (String part : List.of("optimum", "factors: training", "factors: whole process")) {
            assertTrue(has(outcome.path("rows"), "part", part), part);
        }
        for (String part : List.of("tau", "filters", "emso", "systems", "difacto", "parsa", "adadelay", "averaging")) {
            assertTrue(has(outcome.path("rows"), "part", part), part);
            assertTrue(has(outcome.path("remarks"), "", part), () -> part + " in " + outcome.path("remarks"));
            assertTrue(Files.exists(plots.resolve("solvers-" + part + ".svg")), part);
        }
        for (JsonNode row : outcome.path("rows")) {
            for (JsonNode figure : row.path("figures")) {
                assertTrue(
                        figure.path("least").asDouble() <= figure.path("most").asDouble(), row::toString);
            }
        }
        assertTrue(isEmpty(work));
    }

    private static boolean has(JsonNode list, String key, String beginning) {
        for (JsonNode one : list) {
            if ((key.isEmpty() ? one : one.path(key)).asText().startsWith(beginning)) {
                return true;
            }
        }
        return false;
    }

    @Test
    void without_a_name_it_lists_the_benchmarks() {
        assertEquals(0, run());
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("linear"));
    }

    @Test
    void wrong_use_is_one_message_and_exit_code_2() {
        assertEquals(2, run("linear", "--rows", "3"));
        assertEquals(2, run("nothing"));
        assertEquals(2, err.toString(StandardCharsets.UTF_8).lines().count());
    }

    @Test
    void big_weighs_a_key_of_each_rule() throws IOException {
        double before = 0;
        for (String rule : new String[] {"sgd", "adagrad", "ftrl"}) {
            out.reset();
            assertEquals(0, run("big", "--keys", "1000000", "--rule", rule, "--json"), err::toString);
            JsonNode found = new ObjectMapper().readTree(out.toByteArray());
            assertEquals(1_000_000, found.get("keys").asLong());
            double rows = found.get("rowBytesPerKey").asDouble();
            assertTrue(rows >= before && rows < 20, found::toString);
            double all = found.get("bytesPerKey").asDouble();
            assertEquals(all, rows + found.get("indexBytesPerKey").asDouble(), 1e-9);
            before = rows;
        }
    }

    private int run(String... args) {
        return Bench.run(new PrintStream(out, true), new PrintStream(err, true), args);
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.findAny().isEmpty();
        }
    }
}
