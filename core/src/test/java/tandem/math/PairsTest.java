package tandem.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PairsTest {

    /// Half the steps of a difference: a value is a polynomial of degree two in each factor, so it has no error but
    /// that of rounding.
    private static final float STEP = 0x1p-6f;

    private float[] factors;
    private float[] values;

    private void draw(int features, int dimension) {
        Random random = new Random(31L * features + dimension);
        factors = new float[features * dimension];
        values = new float[features];
        for (int i = 0; i < factors.length; i++) {
            factors[i] = (float) random.nextGaussian();
        }
        for (int i = 0; i < features; i++) {
            values[i] = (float) random.nextGaussian();
        }
    }

    private Pairs pairs(int dimension) {
        Pairs pairs = new Pairs(dimension);
        pairs.add(new float[dimension], 0, 1);
        pairs.clear();
        for (int i = 0; i < values.length; i++) {
            pairs.add(factors, i * dimension, values[i]);
        }
        return pairs;
    }

    /// As it is defined: pair after pair.
    private double plain(int dimension) {
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            for (int j = i + 1; j < values.length; j++) {
                for (int f = 0; f < dimension; f++) {
                    sum += (double) factors[i * dimension + f] * factors[j * dimension + f] * values[i] * values[j];
                }
            }
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"0, 4", "1, 4", "2, 1", "7, 0", "7, 3", "40, 8", "100, 17"})
    void its_value_is_the_sum_over_pairs(int features, int dimension) {
        draw(features, dimension);
        double expected = plain(dimension);
        assertEquals(expected, pairs(dimension).value(), 1e-9 * (1 + Math.abs(expected)));
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "7, 3", "30, 8"})
    void its_gradient_is_the_slope_of_the_sum_over_pairs(int features, int dimension) {
        draw(features, dimension);
        float[] gradients = new float[factors.length];
        Pairs pairs = pairs(dimension);
        for (int i = 0; i < features; i++) {
            pairs.spread(factors, i * dimension, values[i], 0.5, gradients, i * dimension);
        }
        for (int v = 0; v < factors.length; v++) {
            float kept = factors[v];
            factors[v] = kept + STEP;
            double up = plain(dimension);
            double width = factors[v];
            factors[v] = kept - STEP;
            width -= factors[v];
            double slope = (up - plain(dimension)) / width;
            factors[v] = kept;
            assertEquals(0.5 * slope, gradients[v], 1e-6 * (1 + Math.abs(slope)));
        }
    }
}
