package tandem.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NearestTest {

    private static final List<String> OPTIONS = List.of("--data", "--l1", "--learning-rate", "--loss", "--model");

    @Test
    void a_slip_of_one_letter_is_understood() {
        assertEquals(Optional.of("--model"), Nearest.to("--modle", OPTIONS));
        assertEquals(Optional.of("--data"), Nearest.to("--dat", OPTIONS));
        assertEquals(Optional.of("--loss"), Nearest.to("--los", OPTIONS));
    }

    @Test
    void the_beginning_of_a_long_word_is_understood() {
        assertEquals(Optional.of("--learning-rate"), Nearest.to("--learning", OPTIONS));
    }

    @Test
    void a_word_with_nothing_in_common_has_no_neighbour() {
        assertEquals(Optional.empty(), Nearest.to("--quantum-flux", OPTIONS));
    }
}
