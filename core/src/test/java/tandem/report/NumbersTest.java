package tandem.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import tandem.problem.Link;

class NumbersTest {

    @Test
    void errors_worked_out_by_hand() {
        Numbers tally = new Numbers(Link.IDENTITY);
        tally.add(1, 2, 1);
        tally.add(5, 2, 1);
        Metrics metrics = tally.metrics();
        assertEquals(Math.sqrt(5), metrics.rmse(), 1e-15);
        assertEquals(2, metrics.mae());
        assertEquals(2, metrics.labelMean());
    }

    @Test
    void counts_are_compared_with_the_mean_that_the_score_stands_for() {
        Numbers tally = new Numbers(Link.EXPONENTIAL);
        tally.add(Math.log(3), 5, 4);
        assertEquals(2, tally.metrics().rmse(), 1e-12);
    }

    @Test
    void merged_tallies_equal_one() {
        Numbers left = new Numbers(Link.IDENTITY);
        Numbers right = new Numbers(Link.IDENTITY);
        left.add(1, 2, 1);
        right.add(5, 2, 1);
        left.merge(right);
        assertEquals(Math.sqrt(5), left.metrics().rmse(), 1e-15);
        assertEquals(2, left.examples());
    }
}
