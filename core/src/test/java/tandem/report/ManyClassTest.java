package tandem.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import tandem.problem.Link;

class ManyClassTest {

    @Test
    void accuracy_and_macro_f1_worked_out_by_hand() {
        ManyClass tally = new ManyClass(4, Link.IDENTITY);
        tally.add(new double[] {3, 1, 0, 0}, 0, 1);
        tally.add(new double[] {3, 1, 0, 0}, 1, 1);
        tally.add(new double[] {0, 1, 0, 0}, 1, 1);
        tally.add(new double[] {0, 0, 5, 0}, 2, 1);
        Metrics metrics = tally.metrics();
        assertEquals(0.75, metrics.accuracy());
        // f1 is 2/3, 2/3 and 1; the fourth class occurs nowhere.
        assertEquals((2.0 / 3 + 2.0 / 3 + 1) / 3, metrics.f1(), 1e-15);
    }

    @Test
    void probabilities_are_each_class_against_the_rest_scaled_to_one() {
        ManyClass tally = new ManyClass(3, Link.LOGISTIC);
        tally.add(new double[] {0, 0, Math.log(3)}, 2, 1);
        // 0.75 over 0.5 + 0.5 + 0.75.
        assertEquals(-Math.log(0.75 / 1.75), tally.metrics().logloss(), 1e-12);
    }

    @Test
    void merged_tallies_equal_one() {
        ManyClass whole = new ManyClass(2, Link.LOGISTIC);
        ManyClass left = new ManyClass(2, Link.LOGISTIC);
        ManyClass right = new ManyClass(2, Link.LOGISTIC);
        whole.add(new double[] {1, 2}, 0, 2);
        left.add(new double[] {1, 2}, 0, 2);
        whole.add(new double[] {1, -2}, 0, 1);
        right.add(new double[] {1, -2}, 0, 1);
        left.merge(right);
        assertEquals(whole.metrics(), left.metrics());
        assertEquals(1.0 / 3, whole.metrics().accuracy(), 1e-15);
    }
}
