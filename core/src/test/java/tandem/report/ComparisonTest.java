package tandem.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    /// Reaches 1 % above 100 at its second moment, after 2 s, and never 0.1 %.
    private static final Traced ROUGH = new Traced(
            1,
            "rough",
            "solver=sgd",
            1,
            Traced.Status.DONE,
            null,
            List.of(new Moment(0, 0, 0, 0, 200), new Moment(1, 2, 300, 40, 101), new Moment(2, 4, 600, 80, 100.5)),
            new Report("t")
                    .objective(100.5)
                    .workers(List.of(new Report.Worker(3, 0.5, 0.5, 2), new Report.Worker(1, 2.5, 0.5, 2)))
                    .tree());

    private static final Traced EXACT = new Traced(
            2,
            "exact, slow",
            "solver=batch",
            1,
            Traced.Status.DONE,
            null,
            List.of(new Moment(0, 0, 0, 0, 200), new Moment(1, 30, 0, 0, 100)),
            new Report("t").objective(100).tree());

    private static final Traced FAILED =
            new Traced(3, "<bad>", "solver=x", 1, Traced.Status.FAILED, "it \"blew\" up, badly", List.of(), null);

    private static final Comparison ALL = new Comparison(List.of(ROUGH, EXACT, FAILED), Double.NaN);

    @Test
    void the_best_is_the_least_that_was_seen_unless_it_is_given() {
        assertEquals(100, ALL.best());
        assertEquals(0.005, ALL.relative(100.5), 1e-12);
        assertEquals(0, ALL.relative(99.5));
        assertEquals(99, new Comparison(List.of(EXACT), 99).best());
        assertTrue(Double.isNaN(new Comparison(List.of(FAILED), Double.NaN).best()));
    }

    @Test
    void a_run_is_near_the_best_from_the_first_moment_that_is() {
        assertEquals(2, ALL.reached(ROUGH, "1e-2").seconds());
        assertNull(ALL.reached(ROUGH, "1e-3"));
        assertEquals(30, ALL.reached(EXACT, "1e-4").seconds());
    }

    @Test
    void the_table_has_a_summary_and_the_points_of_each_run() {
        List<NamedCsvRecord> rows =
                CsvReader.builder().ofNamedCsvRecord(ALL.csv()).stream().toList();
        assertEquals(
                List.of("summary", "point", "point", "point", "summary", "point", "point", "summary"),
                rows.stream().map(row -> row.getField("row")).toList());
        NamedCsvRecord rough = rows.getFirst();
        assertEquals("100.5", rough.getField("objective"));
        assertEquals("4", rough.getField("seconds"));
        assertEquals("600", rough.getField("bytesSent"));
        assertEquals("2", rough.getField("secondsTo1e-2"));
        assertEquals("340", rough.getField("bytesTo1e-2"));
        assertEquals("1", rough.getField("passesTo1e-2"));
        assertEquals("", rough.getField("secondsTo1e-3"));
        assertEquals("3", rough.getField("waitSeconds"));
        assertEquals("1", rough.getField("communicationSeconds"));
        assertEquals("101", rows.get(2).getField("objective"));
        assertEquals("0.01", rows.get(2).getField("relative"));
        assertEquals("exact, slow", rows.get(4).getField("name"));
        assertEquals("it \"blew\" up, badly", rows.getLast().getField("message"));
        assertEquals("failed", rows.getLast().getField("status"));
        assertEquals("", rows.getLast().getField("objective"));
    }

    @Test
    void the_object_has_the_same() {
        JsonNode json = ALL.json();
        assertEquals(100, json.path("best").asDouble());
        assertFalse(json.path("optimumGiven").asBoolean());
        JsonNode rough = json.at("/runs/0");
        assertEquals(2, rough.at("/reached/1e-2/seconds").asDouble());
        assertTrue(rough.at("/reached/1e-3").isNull());
        assertEquals(3, rough.path("points").size());
        assertEquals(2.5, rough.at("/workers/1/waitSeconds").asDouble());
        assertEquals(100.5, rough.at("/report/objective").asDouble());
        assertEquals("failed", json.at("/runs/2/status").asText());
        assertTrue(json.at("/runs/2/report").isNull());
    }

    @Test
    void runs_are_called_by_the_options_that_not_all_have() {
        assertEquals(
                Map.of(1, "consistency=bsp", 2, "consistency=ssp:3", 3, "mine"),
                new Comparison(
                                List.of(
                                        named(1, "solver=dbpg,workers=2,consistency=bsp"),
                                        named(2, "solver=dbpg,consistency=ssp:3,workers=2"),
                                        new Traced(
                                                3,
                                                "mine",
                                                "name=mine,solver=batch",
                                                1,
                                                Traced.Status.DONE,
                                                null,
                                                List.of(),
                                                null)),
                                Double.NaN)
                        .labels());
        assertEquals(
                Map.of(1, "solver=ftrl", 2, "passes=2"),
                new Comparison(List.of(named(1, "solver=ftrl"), named(2, "solver=ftrl,passes=2")), Double.NaN).labels(),
                "one that has nothing else keeps its name");
        assertEquals(Map.of(1, "solver=ftrl"), new Comparison(List.of(named(1, "solver=ftrl")), Double.NaN).labels());
    }

    @Test
    void what_fewest_runs_have_comes_first() {
        Comparison all = new Comparison(
                List.of(
                        named(1, "solver=dbpg,workers=2,filters=lz4"),
                        named(2, "solver=dbpg,workers=2,filters=none"),
                        named(3, "solver=batch")),
                Double.NaN);
        assertEquals("filters=lz4,solver=dbpg,workers=2", all.labels().get(1));
        ComparisonPage page = new ComparisonPage(all, "t", List.of());
        for (String picture : List.of("objective-seconds", "workers")) {
            String svg = page.pictures().get(picture).svg();
            assertTrue(svg.contains(">filters=lz4,") && svg.contains(">filters=none,"), svg);
        }
        assertTrue(page.html().contains("<td>filters=lz4,solver=dbpg,workers=2: solver=dbpg,workers=2"), page.html());
    }

    @Test
    void runs_that_differ_only_where_a_picture_has_no_more_room_are_numbered() {
        String both = "filters=push=fixed:2+push=skip:0.1+";
        Comparison all = new Comparison(
                List.of(named(1, both + "lz4"), named(2, both + "keycache"), named(3, "solver=sgd")), Double.NaN);
        assertEquals("#1 " + both + "lz4", all.labels().get(1));
        assertEquals("#3 solver=sgd", all.labels().get(3));
        String workers = new ComparisonPage(all, "t", List.of())
                .pictures()
                .get("workers")
                .svg();
        assertTrue(workers.contains("#1 filters") && workers.contains("#2 filters"), workers);
    }

    private static Traced named(int number, String options) {
        List<Moment> moments = List.of(new Moment(0, 0, 0, 0, 200), new Moment(1, 2, 300, 40, 100 + number));
        return new Traced(number, options, options, 1, Traced.Status.DONE, null, moments, null);
    }

    @Test
    void there_are_pictures_of_what_there_is() {
        ComparisonPage page = new ComparisonPage(ALL, "a < b", List.of("made by \"x\""));
        assertEquals(
                List.of(
                        "relative-seconds",
                        "objective-seconds",
                        "relative-bytes",
                        "objective-bytes",
                        "relative-passes",
                        "objective-passes",
                        "workers"),
                List.copyOf(page.pictures().keySet()));
        String bytes = page.pictures().get("objective-bytes").svg();
        assertTrue(bytes.contains("rough") && !bytes.contains("exact"), "exact has sent nothing");
        String workers = page.pictures().get("workers").svg();
        assertTrue(workers.contains("1 of rough") && workers.contains("63 % waiting"), workers);
        assertTrue(workers.contains("exact, slow") && workers.contains(">0 % waiting"), workers);
        String html = page.html();
        assertEquals(7, html.split("<svg ", -1).length - 1);
        assertTrue(html.contains("<title>a &lt; b</title>") && html.contains("&lt;bad&gt;"), html);
        assertFalse(html.contains("src=") || html.contains("href="), "it needs no other file");
    }

    @Test
    void what_has_grown_beyond_all_bounds_is_off_the_chart() {
        Traced grown = new Traced(
                2,
                "grown",
                "",
                1,
                Traced.Status.DONE,
                null,
                List.of(new Moment(0, 0, 0, 0, 200), new Moment(1, 1, 0, 0, 1e30)),
                null);
        ComparisonPage page = new ComparisonPage(new Comparison(List.of(EXACT, grown), Double.NaN), "t", List.of());
        assertFalse(page.pictures().get("relative-passes").svg().contains(">1e28<"));
        assertTrue(page.pictures().get("relative-passes").svg().contains(">1e0<"));
    }

    @Test
    void nothing_to_draw_is_no_failure() {
        ComparisonPage page = new ComparisonPage(new Comparison(List.of(FAILED), Double.NaN), "none", List.of());
        assertTrue(page.pictures().isEmpty());
        assertTrue(page.html().contains("it \"blew\" up, badly"));
    }
}
