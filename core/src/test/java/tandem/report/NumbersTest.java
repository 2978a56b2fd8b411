package tandem.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import tandem.problem.Link;
import tandem.problem.Span;

class NumbersTest {

    @Test
    void errors_worked_out_by_hand() {
        Numbers tally = new Numbers(Link.IDENTITY, Span.ALL);
        tally.add(1, 2, 1);
        tally.add(5, 2, 1);
        Metrics metrics = tally.metrics();
        assertEquals(Math.sqrt(5), metrics.rmse(), 1e-15);
        assertEquals(2, metrics.mae());
        assertEquals(2, metrics.labelMean());
    }

    @Test
    void counts_are_compared_with_the_mean_that_the_score_stands_for() {
        Numbers tally = new Numbers(Link.EXPONENTIAL, Span.ALL);
        tally.add(Math.log(3), 5, 4);
        assertEquals(2, tally.metrics().rmse(), 1e-12);
    }

    @Test
    void predictions_stay_within_their_span() {
        Numbers tally = new Numbers(Link.IDENTITY, new Span(1, 5));
        tally.add(7, 4, 1);
        tally.add(-7, 4, 1);
        tally.add(4, 4, 1);
        assertEquals(4.0 / 3, tally.metrics().mae(), 1e-15);
    }

    @Test
    void always_predicting_the_mean_misses_by_the_deviation_of_labels() {
        Numbers tally = new Numbers(Link.IDENTITY, Span.ALL);
        Numbers other = new Numbers(Link.IDENTITY, Span.ALL);
        for (int k = 0; k < 4; k++) {
            (k < 2 ? tally : other).add(1e9 + 2.5, 1e9 + 1 + k, 1);
        }
        tally.add(0, 7, 0);
        tally.merge(other);
        tally.merge(new Numbers(Link.IDENTITY, Span.ALL));
        assertEquals(Math.sqrt(1.25), tally.metrics().labelDeviation(), 1e-9);
        assertEquals(Math.sqrt(1.25), tally.metrics().rmse(), 1e-9);
    }

    @Test
    void merged_tallies_equal_one() {
        Numbers left = new Numbers(Link.IDENTITY, Span.ALL);
        Numbers right = new Numbers(Link.IDENTITY, Span.ALL);
        left.add(1, 2, 1);
        right.add(5, 2, 1);
        left.merge(right);
        assertEquals(Math.sqrt(5), left.metrics().rmse(), 1e-15);
        assertEquals(2, left.examples());
    }
}
