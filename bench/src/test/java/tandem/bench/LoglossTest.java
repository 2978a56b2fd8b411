package tandem.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LoglossTest {

    @Test
    void it_is_the_mean_surprise_at_what_happened() {
        double[] labels = {1, 0, -1, 1};
        double[] probabilities = {0.5, 0.25, 0.75, 0.25};
        assertEquals(-Math.log(0.5 * 0.75 * 0.25 * 0.25) / 4, Logloss.of(labels, probabilities), 1e-12);
    }

    @Test
    void to_be_certain_and_wrong_costs_much_but_not_everything() {
        double worst = Logloss.of(new double[] {1, 0}, new double[] {0, 1});
        assertTrue(worst > 30 && worst < 40, () -> "it is " + worst);
    }
}
