package tandem.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class FactorPeerDriverTest {

    private static final List<String> HELD_OUT = List.of("1 1:1", "0 2:1");

    /// Is surer of the right answer with each pass up to one, then ever less.
    private static final class Peaked implements FactorLearner {

        private final int peak;
        private int passes;

        Peaked(int peak) {
            this.peak = peak;
        }

        @Override
        public void pass() {
            passes++;
        }

        @Override
        public double score(String line) {
            double sure = 2.0 - Math.abs(peak - passes) / 10.0;
            return line.startsWith("1") ? sure : -sure;
        }
    }

    @Test
    void the_best_number_of_passes_is_found_a_few_passes_later() throws Exception {
        Peaked learner = new Peaked(5);
        FactorPeerDriver.Best best = FactorPeerDriver.tryPasses(learner, 30, HELD_OUT);
        assertEquals(5, best.passes());
        assertEquals(Math.log1p(Math.exp(-2)), best.logloss(), 1e-12);
        assertEquals(8, learner.passes);
    }

    @Test
    void no_more_passes_are_tried_than_allowed() throws Exception {
        Peaked learner = new Peaked(5);
        assertEquals(4, FactorPeerDriver.tryPasses(learner, 4, HELD_OUT).passes());
        assertEquals(4, learner.passes);
    }
}
