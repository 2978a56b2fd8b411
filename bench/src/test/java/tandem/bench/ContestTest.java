package tandem.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class ContestTest {

    private final Notes notes = new Notes(System.err);

    @Test
    void systems_take_turns_and_the_fastest_run_counts_with_the_median_beside_it() throws Exception {
        List<String> order = new ArrayList<>();
        double[] seconds = {3, 1, 2};
        Map<String, Callable<Trial>> systems = new LinkedHashMap<>();
        int[] run = {0};
        systems.put("a", () -> {
            order.add("a");
            return Trial.of(seconds[run[0]++], 5);
        });
        systems.put("b", () -> {
            order.add("b");
            return Trial.of(4, 4);
        });
        List<Row> rows = new Contest("part", 100, 0, 3, 1000).run(systems, notes);
        assertEquals(List.of("a", "b", "a", "b", "a", "b"), order);
        Row a = Row.find(rows, "a");
        assertEquals(1, a.wallSeconds());
        assertEquals(2, a.medianSeconds());
        assertEquals(3, a.firstSeconds());
        assertEquals(100, a.examplesPerSecond());
        assertEquals(3, a.runs());
    }

    @Test
    void no_new_round_begins_after_the_budget_is_spent() throws Exception {
        List<Row> rows = new Contest("part", 0, 0, 5, -1).run(Map.of("a", () -> Trial.of(1, 1)), notes);
        assertEquals(1, rows.getFirst().runs());
    }

    @Test
    void points_on_a_line_are_at_no_distance_from_it() {
        Scaling.Line line = Scaling.Line.fit(new int[] {1, 2, 4, 8}, new double[] {3, 5, 9, 17});
        assertEquals(2, line.slope(), 1e-12);
        assertEquals(1, line.offset(), 1e-12);
        assertEquals(0, line.distance(), 1e-12);
    }
}
