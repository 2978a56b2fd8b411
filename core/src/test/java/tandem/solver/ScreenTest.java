package tandem.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tandem.math.Parallel;
import tandem.problem.Logistic;
import tandem.problem.Separable;

class ScreenTest {

    /// The slope of an example is between −1 and 0 if its label is 1, else between 0 and 1. So the first column has a
    /// gradient of −3 to 0, the second one of 0 to 3, and the third, which labels pull both ways, of −2 to 2.
    @ParameterizedTest
    @CsvSource({"1.9, '0,1,2'", "2, '0,1'", "2.9, '0,1'", "3, ''"})
    void columns_are_left_out_whose_gradient_can_never_be_beyond_the_strength(double l1, String alive) {
        Made made = Made.of(new double[][] {{1, 0, 1}, {1, 0, 1}, {1, -1, 0}, {0, 1, 1}, {0, 1, 1}}, 1, 1, 1, -1, -1);
        Separable penalty = Separable.l1(l1);
        Problem problem =
                new Problem(made.columns(), made.labels(), made.importances(), new Logistic(), penalty, false);
        Screen screen = new Screen(problem, penalty, new ColumnWork(made.columns(), Parallel.SEQUENTIAL));
        int[] expected = alive.isEmpty()
                ? new int[0]
                : Arrays.stream(alive.split(",")).mapToInt(Integer::parseInt).toArray();
        assertArrayEquals(expected, screen.alive());
    }
}
