package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tandem.data.Clicks;
import tandem.report.Comparison;
import tandem.report.Moment;
import tandem.report.Traced;

class CompareTest {

    private static final int ROWS = 2_000;
    private static final String SERVERS =
            "name=servers,solver=ftrl,passes=4,patience=0,runtime=simulated,workers=2,update-rows=64,consistency=bounded:8,filters=keycache+lz4";

    @TempDir
    private Path at;

    private Path data;
    private Path out;

    @BeforeEach
    void makeClicks() throws IOException {
        data = at.resolve("clicks.svm");
        out = at.resolve("compared");
        Clicks.DEFAULT.withRows(ROWS).withFeatures(500).write(data, 1, _ -> {});
    }

    @Test
    void two_solvers_are_put_side_by_side() throws Exception {
        Call call = Call.good(words("--l1", 1, "--split", 0.2, "--run", "solver=batch", "--run", SERVERS));
        assertTrue(call.out().contains("solver=batch") && call.out().contains("servers"), call.out());

        JsonNode json = json();
        assertEquals(2, json.path("runs").size());
        JsonNode batch = json.at("/runs/0");
        JsonNode servers = json.at("/runs/1");
        assertEquals("done", batch.path("status").asText());
        assertEquals(json.path("best").asDouble(), batch.path("objective").asDouble(), 1e-6 * ROWS);
        assertTrue(batch.at("/reached/1e-4/seconds").asDouble()
                <= batch.path("seconds").asDouble());
        assertEquals(5, servers.path("points").size());
        assertEquals(4, servers.path("passes").asInt());
        assertTrue(servers.path("bytesSent").asLong() > 1000, servers.toString());
        assertTrue(servers.path("relative").asDouble() > 0, servers.toString());
        assertEquals(2, servers.path("workers").size());
        assertEquals("l1 1.0", servers.at("/report/settings/penalty").asText().substring(0, 6));
        assertTrue(servers.at("/report/bytes/byFilter").has("lz4"), servers.toString());
        assertTrue(servers.at("/report/metrics/auc").asDouble() > 0.6, "on held-out examples");

        List<String> csv = Files.readAllLines(out.resolve("compare.csv"));
        assertEquals(1 + 2 + batch.path("points").size() + 5, csv.size());
        assertTrue(
                csv.getFirst().startsWith("row,run,name,options,seed,status,passes,seconds,bytesSent"), csv::getFirst);
        assertTrue(csv.get(1).startsWith("summary,1,solver=batch,solver=batch,1,done,"), csv.get(1));
        assertTrue(csv.getLast().startsWith("point,2,servers,\"" + SERVERS + "\",1,done,4,"), csv.getLast());

        for (String across : List.of("seconds", "bytes", "passes")) {
            for (String up : List.of("relative", "objective")) {
                Path picture = out.resolve(up + "-" + across + ".svg");
                var svg = DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(picture.toFile());
                assertTrue(svg.getElementsByTagName("circle").getLength() >= 5, picture.toString());
            }
        }
        assertTrue(Files.readString(out.resolve("workers.svg")).contains("2 of servers"));
        String html = Files.readString(out.resolve("compare.html"));
        assertEquals(7, html.split("<svg ", -1).length - 1);
        assertTrue(html.contains("./tandem compare --data"), html);
        String auc = String.format(
                Locale.ROOT, "<td>%.4f</td>", servers.at("/report/metrics/auc").asDouble());
        assertTrue(html.contains("<th>auc</th>") && html.contains(auc), html);
        assertTrue(html.contains("<td>servers: " + SERVERS + "</td>"), html);
    }

    @Test
    void several_seeds_have_rows_and_lines_of_their_own_and_the_same_held_out_examples() throws IOException {
        Call.good(words(
                "--split",
                0.2,
                "--seeds",
                2,
                "--seed",
                5,
                "--pictures",
                "png",
                "--quiet",
                "--run",
                "solver=sgd,passes=2,threads=1"));
        JsonNode runs = json().path("runs");
        assertEquals(
                List.of(5, 6),
                List.of(runs.at("/0/seed").asInt(), runs.at("/1/seed").asInt()));
        assertEquals(
                runs.at("/0/report/metrics/labelMean").asDouble(),
                runs.at("/1/report/metrics/labelMean").asDouble());
        assertEquals(
                runs.at("/0/points/0/objective").asDouble(),
                runs.at("/1/points/0/objective").asDouble(),
                1e-6 * ROWS);
        assertTrue(runs.at("/0/objective").asDouble() != runs.at("/1/objective").asDouble(), "two orders");
        assertTrue(Files.exists(out.resolve("relative-passes.png")));
    }

    @Test
    void a_run_that_fails_costs_only_itself() throws IOException {
        Path three = Files.writeString(at.resolve("three.svm"), "1 1:1\n2 2:1\n3 3:1\n".repeat(10));
        Path model = at.resolve("m");
        Call.good("train", "linear", "--data", three, "--cache", at.resolve("cache"), "--model", model, "--quiet");
        String failing = "name=bad,solver=ftrl,warm-start=" + model;
        String message = Call.bad(1, words("--optimum", 1, "--run", failing, "--run", "solver=ftrl,passes=1"));
        assertTrue(message.startsWith("1 of 2 runs failed, the first of them 'bad': "), message);
        JsonNode json = json();
        assertEquals("failed", json.at("/runs/0/status").asText());
        assertTrue(message.endsWith(json.at("/runs/0/message").asText()), message);
        assertEquals("done", json.at("/runs/1/status").asText());
        assertEquals(2, json.at("/runs/1/points").size());
        assertEquals(1, json.path("best").asDouble());
        assertTrue(json.path("optimumGiven").asBoolean());
    }

    @Test
    void it_takes_the_place_of_an_earlier_comparison_and_of_nothing_else() throws IOException {
        Call.good(words("--run", "solver=batch", "--run", SERVERS));
        assertTrue(Files.exists(out.resolve("objective-bytes.svg")));
        Call.good(words("--run", "solver=batch"));
        assertFalse(Files.exists(out.resolve("objective-bytes.svg")), "a picture of runs that are not in the table");
        assertTrue(Files.exists(out.resolve("objective-seconds.svg")));
        Path full = Files.createDirectory(at.resolve("full"));
        Files.writeString(full.resolve("mine.txt"), "mine");
        String message = Call.bad(2, "compare", "--data", data, "--run", "solver=batch", "--out", full);
        assertTrue(message.contains("has other files than a comparison's"), message);
    }

    @Test
    void of_several_seeds_the_table_has_the_median() throws IOException {
        List<Traced> runs = new ArrayList<>();
        for (int seed = 1; seed <= 4; seed++) {
            List<Moment> moments = List.of(new Moment(0, 0, 0, 0, 200), new Moment(1, seed, 10 * seed, 0, 99 + seed));
            runs.add(new Traced(1, "a", "", seed, Traced.Status.DONE, null, moments, null));
        }
        runs.add(new Traced(2, "b", "", 1, Traced.Status.FAILED, "no", List.of(), null));
        var out = new ByteArrayOutputStream();
        new CompareTable(new Comparison(runs, Double.NaN)).print(new Console(out, System.err, false));
        List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertEquals(
                List.of("a", "101.500", "1.5e-02", "2.50", "-", "-", "-", "1", "25"),
                List.of(lines.get(1).split(" +")));
        assertEquals(
                List.of("b", "-", "-", "-", "-", "-", "-", "-", "-"),
                List.of(lines.get(2).split(" +")));
        assertEquals(3, lines.size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "slover=ftrl | train linear has no option slover; did you mean solver?",
                "zzzzzzzzzzzz=1 | train linear has no option zzzzzzzzzzzz; see ./tandem train linear --help",
                "solver=ftrl,l1=2 | l1 is the same for all runs, or they could not be compared; give --l1 once",
                "seed=2 | give --seed once, outside of --run",
                "model=m | model is of no use here",
                "solver=nonsense | --solver is 'nonsense'; it takes auto, batch, dbpg, lbfgs, sdca, ftrl",
                "solver | solver needs a value, as in solver=NAME",
                "passes=,solver=ftrl | passes needs a value",
                "passes=0 | --passes is 0; use 1 or more",
                "solver=batch,passes=2 | --passes is for --solver ftrl, adagrad, adadelay, averaging, downpour,"
                        + " emso-cd, emso-gd and sgd",
                "solver=batch,workers=2 | the batch solver works in one process",
                "solver=ftrl,solver=sgd | solver is there twice",
                "solver=ftrl,,passes=2 | there is an option without a name",
                "name=,solver=ftrl | the name is empty"
            })
    void a_run_that_cannot_be_is_refused_before_any_begins(String run, String expected) {
        String message = Call.bad(2, words("--run", "solver=ftrl", "--run", run));
        assertTrue(message.startsWith("--run '" + run + "': ") && message.contains(expected), message);
        assertFalse(Files.exists(out));
    }

    @Test
    void what_all_runs_need_is_asked_for() {
        assertTrue(Call.bad(2, "compare", "--data", data, "--out", out).contains("--run is missing"));
        assertTrue(
                Call.bad(2, "compare", "--data", data, "--run", "solver=batch").contains("--out is missing"));
        assertTrue(Call.bad(2, "compare", "--data", "-", "--out", out, "--run", "solver=batch")
                .contains("only once"));
        assertTrue(Call.bad(2, words("--run", "solver=ftrl", "--run", "solver=ftrl"))
                .contains("run 1 has the same name"));
    }

    @Test
    void options_without_a_value_and_plus_signs_are_what_train_takes() {
        var train = picocli.CommandLine.Model.CommandSpec.forAnnotatedObject(
                new TrainLinear(new Console(System.out, System.err, false), new String[0]));
        var compare = picocli.CommandLine.Model.CommandSpec.forAnnotatedObject(
                new Compare(new Console(System.out, System.err, false), new String[0]));
        RunOption option = RunOption.of(3, "deterministic, filters=push=fp16+lz4 ,name=my run", train, compare);
        assertEquals(List.of("--deterministic", "--filters=push=fp16,lz4"), option.words());
        assertEquals("my run", option.name());
    }

    private Object[] words(Object... more) {
        List<Object> words = new ArrayList<>(List.of("compare", "--data", data, "--out", out));
        words.addAll(List.of("--cache", at.resolve("cache")));
        return Stream.concat(words.stream(), Stream.of(more)).toArray();
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(out.resolve("compare.json").toFile());
    }
}
