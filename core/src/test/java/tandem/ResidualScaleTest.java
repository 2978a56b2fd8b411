package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import tandem.problem.Separable;

class ResidualScaleTest {

    @Test
    void it_is_the_largest_gradient_or_a_thousand_strengths_if_that_is_less() {
        assertEquals(50, ResidualScale.of(50, Separable.l1(1)));
        assertEquals(1_000, ResidualScale.of(1e6, Separable.l1(1)));
        assertEquals(1e6, ResidualScale.of(1e6, Separable.NONE));
        assertEquals(1, ResidualScale.of(0.1, Separable.NONE));
    }
}
