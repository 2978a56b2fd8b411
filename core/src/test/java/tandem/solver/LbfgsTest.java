package tandem.solver;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LbfgsTest {

    private static final int LENGTH = 30;

    private final SplittableRandom chance = new SplittableRandom(4);

    /// Slots of a memory of vectors, as servers have them.
    private final double[][] s = new double[20][LENGTH];

    private final double[][] y = new double[20][LENGTH];

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 10})
    void loops_over_products_give_what_loops_over_vectors_give(int room) {
        Lbfgs memory = new Lbfgs(room);
        List<double[]> steps = new ArrayList<>();
        List<double[]> changes = new ArrayList<>();
        for (int iteration = 0; iteration < 25; iteration++) {
            double[] v = random();
            double[] step = random();
            double[] change = random();
            for (int j = 0; j < LENGTH; j++) {
                change[j] = (1 + j) * step[j] + 0.1 * change[j];
            }
            Lbfgs.Products products = products(room, step, change, v);
            int into = memory.room(products);
            memory = memory.with(products);
            s[into] = step;
            y[into] = change;
            steps.add(step);
            changes.add(change);
            if (steps.size() > room) {
                steps.removeFirst();
                changes.removeFirst();
            }
            Lbfgs.Direction along = memory.direction(products, into);
            double[] expected = twoLoops(steps, changes, v);
            double scale = Math.sqrt(dot(expected, expected));
            assertArrayEquals(expected, combined(room, along, v), 1e-12 * scale);
            assertEquals(dot(expected, v), along.slope(), 1e-12 * scale * Math.sqrt(dot(v, v)));
            assertTrue(along.slope() < 0);
        }
    }

    @Test
    void a_pair_along_which_the_objective_does_not_bend_is_not_kept() {
        Lbfgs memory = new Lbfgs(3);
        double[] step = random();
        double[] back = random();
        for (int j = 0; j < LENGTH; j++) {
            back[j] = -step[j];
        }
        double[] v = random();
        Lbfgs.Products products = products(3, step, back, v);
        assertEquals(-1, memory.room(products));
        assertTrue(memory.with(products).slots().isEmpty());
        Lbfgs.Direction along = memory.direction(products, -1);
        assertEquals(-1, along.gradient());
        assertEquals(-dot(v, v), along.slope(), 1e-12);
    }

    @Test
    void a_line_search_doubles_then_halves() {
        LineSearch search = new LineSearch(1);
        search = search.longer();
        assertEquals(2, search.step());
        search = search.longer();
        assertEquals(4, search.step());
        search = search.shorter();
        assertEquals(3, search.step());
        search = search.longer();
        assertEquals(3.5, search.step());
        assertEquals(0.5, new LineSearch(1).shorter().step());
        assertFalse(search.isOver());
    }

    @Test
    void a_step_must_lower_the_objective_in_proportion_and_lead_to_a_flatter_place() {
        // f(x) = (x − 1)² from 0, along −f'(0) = 2: f is (2·step − 1)².
        assertFalse(LineSearch.isTooLong(1, -4 * 0.5, 0));
        assertFalse(LineSearch.isTooShort(-4, 0));
        assertTrue(LineSearch.isTooLong(1, -4, 1));
        assertTrue(LineSearch.isTooLong(1, -4, Double.NaN));
        assertTrue(LineSearch.isTooShort(-4, 4 * (2 * 0.01 - 1)));
    }

    /// Two numbers, from (−1.2, 1) along a curved valley to (1, 1), as the coordinator goes.
    @Test
    void the_minimum_of_rosenbrock_is_found() {
        Lbfgs memory = new Lbfgs(5);
        double[] w = {-1.2, 1};
        double[] g = slope(w);
        double[] step = new double[2];
        double[] change = new double[2];
        int iterations = 0;
        for (; dot(g, g) > 1e-16 && iterations < 100; iterations++) {
            Lbfgs.Products products = products(5, step, change, g);
            int into = memory.room(products);
            memory = memory.with(products);
            if (into >= 0) {
                s[into] = step;
                y[into] = change;
            }
            Lbfgs.Direction along = memory.direction(products, into);
            double[] d = new double[2];
            for (int j = 0; j < 2; j++) {
                d[j] = along.gradient() * g[j];
                for (int slot : memory.slots()) {
                    d[j] += along.steps()[slot] * s[slot][j] + along.changes()[slot] * y[slot][j];
                }
            }
            LineSearch search = new LineSearch(memory.slots().isEmpty() ? 1 / Math.sqrt(-along.slope()) : 1);
            double[] z = moved(w, d, search.step());
            while (!search.isOver()) {
                boolean tooLong = LineSearch.isTooLong(height(w), search.step() * along.slope(), height(z));
                if (!tooLong && !LineSearch.isTooShort(along.slope(), dot(slope(z), d))) {
                    break;
                }
                search = tooLong ? search.shorter() : search.longer();
                z = moved(w, d, search.step());
            }
            assertFalse(search.isOver());
            step = new double[] {z[0] - w[0], z[1] - w[1]};
            double[] there = slope(z);
            change = new double[] {there[0] - g[0], there[1] - g[1]};
            w = z;
            g = there;
        }
        assertArrayEquals(new double[] {1, 1}, w, 1e-7);
        assertTrue(iterations < 60, iterations + " iterations");
    }

    private static double[] moved(double[] w, double[] d, double step) {
        return new double[] {w[0] + step * d[0], w[1] + step * d[1]};
    }

    private static double height(double[] w) {
        double off = w[1] - w[0] * w[0];
        return 100 * off * off + (1 - w[0]) * (1 - w[0]);
    }

    private static double[] slope(double[] w) {
        double off = w[1] - w[0] * w[0];
        return new double[] {-400 * off * w[0] - 2 * (1 - w[0]), 200 * off};
    }

    @Test
    void the_pseudo_gradient_is_the_steepest_slope_of_the_penalised_loss() {
        assertEquals(3, LbfgsRows.pseudo(0.5, 2, 1));
        assertEquals(1, LbfgsRows.pseudo(-0.5, 2, 1));
        assertEquals(1, LbfgsRows.pseudo(0, 2, 1));
        assertEquals(-1, LbfgsRows.pseudo(0, -2, 1));
        assertEquals(0, LbfgsRows.pseudo(0, 0.9, 1));
    }

    /// Nocedal's two loops, as in the books.
    private static double[] twoLoops(List<double[]> steps, List<double[]> changes, double[] v) {
        double[] q = v.clone();
        double[] alpha = new double[steps.size()];
        for (int i = steps.size() - 1; i >= 0; i--) {
            alpha[i] = dot(steps.get(i), q) / dot(steps.get(i), changes.get(i));
            for (int j = 0; j < LENGTH; j++) {
                q[j] -= alpha[i] * changes.get(i)[j];
            }
        }
        double scale = dot(steps.getLast(), changes.getLast()) / dot(changes.getLast(), changes.getLast());
        for (int j = 0; j < LENGTH; j++) {
            q[j] *= scale;
        }
        for (int i = 0; i < steps.size(); i++) {
            double beta = dot(changes.get(i), q) / dot(steps.get(i), changes.get(i));
            for (int j = 0; j < LENGTH; j++) {
                q[j] += (alpha[i] - beta) * steps.get(i)[j];
            }
        }
        for (int j = 0; j < LENGTH; j++) {
            q[j] = -q[j];
        }
        return q;
    }

    private double[] combined(int room, Lbfgs.Direction along, double[] v) {
        double[] sum = new double[LENGTH];
        for (int j = 0; j < LENGTH; j++) {
            sum[j] = along.gradient() * v[j];
            for (int slot = 0; slot < room; slot++) {
                sum[j] += along.steps()[slot] * s[slot][j] + along.changes()[slot] * y[slot][j];
            }
        }
        return sum;
    }

    private Lbfgs.Products products(int room, double[] step, double[] change, double[] v) {
        double[][] by = new double[4][room];
        for (int slot = 0; slot < room; slot++) {
            by[0][slot] = dot(s[slot], change);
            by[1][slot] = dot(y[slot], change);
            by[2][slot] = dot(s[slot], v);
            by[3][slot] = dot(y[slot], v);
        }
        return new Lbfgs.Products(
                dot(step, change),
                dot(change, change),
                dot(step, v),
                dot(change, v),
                dot(v, v),
                by[0],
                by[1],
                by[2],
                by[3]);
    }

    private double[] random() {
        return chance.doubles(LENGTH, -1, 1).toArray();
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int j = 0; j < Math.min(a.length, b.length); j++) {
            sum += a[j] * b[j];
        }
        return sum;
    }
}
