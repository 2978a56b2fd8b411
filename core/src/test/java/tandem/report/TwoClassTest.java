package tandem.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import tandem.problem.Diverged;
import tandem.problem.Link;

class TwoClassTest {

    @Test
    void a_small_example_worked_out_by_hand() {
        TwoClass tally = new TwoClass(Link.LOGISTIC);
        tally.add(2, 1, 1);
        tally.add(1, -1, 1);
        tally.add(-1, 1, 1);
        tally.add(-2, -1, 1);
        Metrics metrics = tally.metrics();
        // Of the pairs (2,1) (2,-2) (-1,1) (-1,-2) all but (-1,1) are in order.
        assertEquals(0.75, metrics.auc());
        assertEquals(0.5, metrics.accuracy());
        // One hit, two predicted, two actual.
        assertEquals(0.5, metrics.f1());
        double expected = (Math.log1p(Math.exp(-2)) + Math.log1p(Math.exp(1))) / 2;
        assertEquals(expected, metrics.logloss(), 1e-15);
        assertEquals(0.5, metrics.labelMean());
        assertEquals(Math.log(2), metrics.baselineLogloss(), 1e-15);
        assertEquals(4, metrics.examples());
        assertTrue(Double.isNaN(metrics.rmse()));
    }

    @Test
    void auc_equals_counting_all_pairs_with_ties_and_weights() {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            int rows = 1 + random.nextInt(120);
            int levels = 1 + random.nextInt(seed % 2 == 0 ? 8 : 1_000);
            boolean weighted = seed % 3 == 0;
            double[] scores = new double[rows];
            double[] labels = new double[rows];
            double[] weights = new double[rows];
            TwoClass tally = new TwoClass(Link.IDENTITY);
            for (int r = 0; r < rows; r++) {
                scores[r] = (random.nextInt(levels) - levels / 2) * 0.5 * (random.nextBoolean() ? 1 : -1);
                labels[r] = random.nextBoolean() ? 1 : -1;
                weights[r] = weighted ? random.nextInt(5) : 1;
                tally.add(scores[r], labels[r], weights[r]);
            }
            assertEquals(pairs(scores, labels, weights), tally.metrics().auc(), 1e-12, "seed " + seed);
        }
    }

    private static double pairs(double[] scores, double[] labels, double[] weights) {
        double ordered = 0;
        double all = 0;
        for (int p = 0; p < scores.length; p++) {
            for (int n = 0; n < scores.length; n++) {
                if (labels[p] > 0 && labels[n] < 0) {
                    double weight = weights[p] * weights[n];
                    all += weight;
                    ordered += weight * (scores[p] > scores[n] ? 1 : scores[p] == scores[n] ? 0.5 : 0);
                }
            }
        }
        return ordered / all;
    }

    @Test
    void merged_tallies_give_the_bits_of_one() {
        Random random = new Random(5);
        TwoClass whole = new TwoClass(Link.LOGISTIC);
        TwoClass[] parts = {new TwoClass(Link.LOGISTIC), new TwoClass(Link.LOGISTIC), new TwoClass(Link.LOGISTIC)};
        for (int r = 0; r < 5_000; r++) {
            double score = random.nextGaussian();
            double label = random.nextGaussian() < score ? 1 : -1;
            whole.add(score, label, 1);
            parts[random.nextInt(3)].add(score, label, 1);
        }
        parts[2].merge(parts[0]);
        parts[2].merge(parts[1]);
        assertEquals(whole.metrics(), parts[2].metrics());
    }

    @Test
    void a_weight_of_two_counts_as_the_example_twice() {
        Random random = new Random(6);
        TwoClass weighted = new TwoClass(Link.LOGISTIC);
        TwoClass repeated = new TwoClass(Link.LOGISTIC);
        for (int r = 0; r < 300; r++) {
            double score = random.nextInt(20) - 10;
            double label = random.nextBoolean() ? 1 : -1;
            int weight = r < 100 ? 1 : 2;
            weighted.add(score, label, weight);
            for (int copy = 0; copy < weight; copy++) {
                repeated.add(score, label, 1);
            }
        }
        Metrics a = weighted.metrics();
        Metrics b = repeated.metrics();
        assertEquals(b.auc(), a.auc(), 1e-12);
        assertEquals(b.logloss(), a.logloss(), 1e-12);
        assertEquals(b.f1(), a.f1(), 1e-12);
        assertEquals(b.accuracy(), a.accuracy(), 1e-12);
        assertEquals(b.calibration(), a.calibration());
        assertEquals(b.weight(), a.weight());
    }

    @Test
    void logloss_is_clipped_where_a_sure_prediction_is_wrong() {
        TwoClass tally = new TwoClass(Link.LOGISTIC);
        tally.add(1e6, -1, 1);
        assertEquals(-Math.log(1e-15), tally.metrics().logloss(), 1e-12);
    }

    @Test
    void calibration_has_ten_equal_parts_and_a_sure_model_is_on_the_diagonal() {
        Random random = new Random(7);
        TwoClass tally = new TwoClass(Link.LOGISTIC);
        for (int r = 0; r < 50_000; r++) {
            double score = random.nextGaussian() * 2;
            tally.add(score, random.nextDouble() < Link.LOGISTIC.mean(score) ? 1 : -1, 1);
        }
        Metrics metrics = tally.metrics();
        assertEquals(10, metrics.calibration().size());
        for (Metrics.Decile decile : metrics.calibration()) {
            assertEquals(5_000, decile.weight(), 1);
            assertEquals(decile.predicted(), decile.observed(), 0.025);
        }
    }

    @Test
    void equal_predictions_stay_in_one_part() {
        TwoClass tally = new TwoClass(Link.LOGISTIC);
        for (int r = 0; r < 10; r++) {
            tally.add(0, r < 3 ? 1 : -1, 1);
        }
        Metrics metrics = tally.metrics();
        assertEquals(1, metrics.calibration().size());
        assertEquals(0.3, metrics.calibration().getFirst().observed(), 1e-12);
        assertEquals(0.5, metrics.auc());
    }

    @Test
    void one_class_has_no_auc_and_nothing_at_all_has_no_numbers() {
        TwoClass tally = new TwoClass(Link.LOGISTIC);
        assertTrue(Double.isNaN(tally.metrics().logloss()));
        tally.add(1, 1, 1);
        assertTrue(Double.isNaN(tally.metrics().auc()));
        assertEquals(1, tally.metrics().accuracy());
    }

    @Test
    void a_score_that_is_not_a_number_is_refused_with_advice() {
        TwoClass tally = new TwoClass(Link.LOGISTIC);
        var error = assertThrows(Diverged.class, () -> tally.add(Double.NaN, 1, 1));
        assertTrue(error.getMessage().contains("by a constant, or train with a smaller learning rate"));
        assertThrows(IllegalArgumentException.class, () -> tally.add(0, 1, -1));
    }
}
