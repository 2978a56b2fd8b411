package tandem.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tandem.problem.Separable;
import tandem.server.UpdateRule;
import tandem.wire.Age;

class OverdueTest {

    /// Keeps how many times the penalty was met.
    private record Noting(List<Double> times) implements PerPush {

        @Override
        public Separable penalty() {
            return Separable.l1(1);
        }

        @Override
        public int columns() {
            return 1;
        }

        @Override
        public void update(float[] entries, int at, float gradient, float count) {
            times.add((double) count);
        }

        @Override
        public void update(double[] entries, int at, double gradient, double count) {
            times.add(count);
        }
    }

    @Test
    void a_weight_meets_the_penalty_of_all_pushes_since_its_last() {
        List<Double> floats = new ArrayList<>();
        List<Double> doubles = new ArrayList<>();
        UpdateRule inFloats = Overdue.of(new Noting(floats));
        UpdateRule inDoubles = Overdue.of(new Noting(doubles));
        float[] entry = new float[2];
        double[] wide = new double[2];
        for (long before : new long[] {20, 23, 23, 22, 29}) {
            inFloats.aged(new Age(before, before)).update(entry, 0, 1f);
            inDoubles.aged(new Age(before, before)).update(wide, 0, 1.0);
        }
        // What comes later than others that were made after it has been met with them.
        assertEquals(List.of(1.0, 3.0, 0.0, 0.0, 6.0), floats);
        assertEquals(floats, doubles);
    }

    @Test
    void where_pushes_are_not_numbered_each_stands_for_itself() {
        AdaGrad plain = new AdaGrad(0.1, 1, Separable.l1(0.5));
        UpdateRule overdue = Overdue.of(plain);
        float[] expected = new float[2];
        float[] entry = new float[3];
        for (float g : new float[] {1, -2, 3}) {
            plain.update(expected, 0, g);
            overdue.update(entry, 0, g);
            overdue.aged(Age.UNKNOWN).update(entry, 0, g);
            plain.update(expected, 0, g);
        }
        assertArrayEquals(new float[] {expected[0], expected[1], 0}, entry);
    }

    @Test
    void several_pushes_at_one_are_one_push_under_as_many_times_the_penalty() {
        Separable share = new Separable(0.25, 0.5, -10, 10);
        for (UpdateRule overdue : new UpdateRule[] {
            Overdue.of(new Sgd(0.3, 1, share)),
            Overdue.of(new AdaGrad(0.3, 1, share)),
            Overdue.of(new AdaDelay(0.3, 1, share))
        }) {
            float[] entry = {2, 3, 1};
            overdue.aged(new Age(8, 8)).update(entry, 0, -1f);
            PerPush eight = switch (((Overdue) overdue).rule()) {
                case Sgd _ -> new Sgd(0.3, 1, new Separable(2, 4, -10, 10));
                default -> new AdaGrad(0.3, 1, new Separable(2, 4, -10, 10));
            };
            float[] expected = {2, 3};
            eight.update(expected, 0, -1f);
            assertArrayEquals(new float[] {expected[0], expected[1], 9}, entry);
            double[] wide = {2, 3, 1};
            overdue.aged(new Age(8, 8)).update(wide, 0, -1.0);
            double[] expectedWide = {2, 3};
            eight.update(expectedWide, 0, -1.0);
            assertArrayEquals(new double[] {expectedWide[0], expectedWide[1], 9}, wide, 1e-15);
        }
    }

    @Test
    void without_a_penalty_nothing_is_kept() {
        AdaGrad plain = new AdaGrad(0.1, 1, Separable.NONE);
        assertSame(plain, Overdue.of(plain));
    }
}
