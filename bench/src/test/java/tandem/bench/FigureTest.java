package tandem.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FigureTest {

    @Test
    void a_figure_is_the_median_with_least_and_most() {
        assertEquals(
                "2.00 (1.00 to 30.0)", Figure.of("s", List.of(30.0, 1.0, 2.0)).text());
        assertEquals("0.4321", Figure.of("loss", List.of(0.43211, 0.43209)).text());
    }

    @Test
    void what_a_run_never_reached_is_more_than_any_number() {
        assertEquals(
                "5.00 (4.00 to never)",
                Figure.of("s", List.of(Double.NaN, 4.0, 5.0)).text());
        assertEquals("never", Figure.of("s", List.of(Double.NaN)).text());
    }

    @Test
    void a_row_has_the_figures_of_all_seeds_by_name() {
        SeedsRow row = SeedsRow.of("part", "system", "", List.of(Map.of("s", 1.0), Map.of("s", 3.0), Map.of("s", 2.0)));
        assertEquals(2, row.median("s"));
        assertEquals(3, row.runs());
    }

    @Test
    void a_verdict_counts_the_claims_that_hold() {
        assertEquals("reproduced", Verdict.of(true, true));
        assertEquals("reproduced in part", Verdict.of(false, true));
        assertEquals("not reproduced", Verdict.of(false, false));
    }
}
