package tandem.report;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tandem.math.Exp;
import tandem.problem.Link;

/// The tally of a classifier with a negative and a positive class.
///
/// It keeps every score (8 bytes an example, 12 with instance weights), because an exact AUC needs them.
/// All sums are taken in the order of the scores, so neither the order of adding nor the number of
/// threads changes the result.
public final class TwoClass implements Tally {

    /// A probability is never taken to be nearer than this to 0 or 1.
    public static final double CLIP = 1e-15;

    private static final double WORST = -Math.log(CLIP);
    private static final int PARTS = 10;

    private final Link link;
    private final Scores positives = new Scores();
    private final Scores negatives = new Scores();

    /// With [Link#LOGISTIC] scores are log-odds and give probabilities; otherwise only their sign and
    /// order count.
    public TwoClass(Link link) {
        this.link = link;
    }

    /// Adds an example; a label above 0 is positive, a score above 0 predicts it.
    public void add(double score, double label, double weight) {
        Tally.check(score, weight);
        (label > 0 ? positives : negatives).add(score, weight);
    }

    @Override
    public long examples() {
        return (long) positives.count() + negatives.count();
    }

    @Override
    public void merge(Tally other) {
        TwoClass tally = (TwoClass) other;
        positives.addAll(tally.positives);
        negatives.addAll(tally.negatives);
    }

    @Override
    public void write(DataOutput to) throws IOException {
        positives.write(to);
        negatives.write(to);
    }

    @Override
    public void read(DataInput from) throws IOException {
        positives.read(from);
        negatives.read(from);
    }

    @Override
    public Metrics metrics() {
        Sums sums = new Sums(positives.ranked(), negatives.ranked());
        sums.walk(link == Link.LOGISTIC);
        boolean probabilities = link == Link.LOGISTIC;
        return new Metrics(
                examples(),
                sums.total,
                Double.NaN,
                sums.positive / sums.total,
                Double.NaN,
                sums.auc / (sums.positive * sums.negative),
                probabilities ? sums.loss / sums.total : Double.NaN,
                sums.right / sums.total,
                f1(sums.hits, sums.predicted, sums.positive),
                Double.NaN,
                Double.NaN,
                probabilities ? sums.deciles() : List.of());
    }

    /// −log of the probability that `score` gives to its label, clipped; `margin` is the score times ±1.
    static double logloss(double margin) {
        return Math.min(Exp.log1pExp(-margin), WORST);
    }

    /// The harmonic mean of precision and recall; 0 where nothing was hit, NaN where there is nothing to hit.
    static double f1(double hits, double predicted, double actual) {
        return 2 * hits / (predicted + actual);
    }

    /// One walk over both classes in ascending order of score, equal scores together.
    private static final class Sums {
        final Scores.Ranked up;
        final Scores.Ranked down;
        final double positive;
        final double negative;
        final double total;
        final double[] partWeight = new double[PARTS];
        final double[] partPredicted = new double[PARTS];
        final double[] partObserved = new double[PARTS];
        double auc;
        double loss;
        double right;
        double hits;
        double predicted;

        Sums(Scores.Ranked up, Scores.Ranked down) {
            this.up = up;
            this.down = down;
            positive = total(up);
            negative = total(down);
            total = positive + negative;
        }

        void walk(boolean probabilities) {
            double positiveBelow = 0;
            double negativeBelow = 0;
            int p = 0;
            int n = 0;
            while (p < up.count() || n < down.count()) {
                double score = n == down.count() || (p < up.count() && up.scores()[p] <= down.scores()[n])
                        ? up.scores()[p]
                        : down.scores()[n];
                double wp = 0;
                double wn = 0;
                while (p < up.count() && up.scores()[p] == score) {
                    wp += up.weight(p++);
                }
                while (n < down.count() && down.scores()[n] == score) {
                    wn += down.weight(n++);
                }
                auc += wp * (negativeBelow + wn / 2);
                decide(score, wp, wn);
                if (probabilities) {
                    loss += wp * logloss(score) + wn * logloss(-score);
                    place(score, wp, wn, positiveBelow + negativeBelow);
                }
                positiveBelow += wp;
                negativeBelow += wn;
            }
        }

        private void decide(double score, double wp, double wn) {
            if (score > 0) {
                hits += wp;
                right += wp;
                predicted += wp + wn;
            } else {
                right += wn;
            }
        }

        /// Examples with one score stay in one part: that in which their middle falls.
        private void place(double score, double wp, double wn, double below) {
            double middle = (below + (wp + wn) / 2) / total;
            int part = Math.min(PARTS - 1, (int) (PARTS * middle));
            partWeight[part] += wp + wn;
            partPredicted[part] += (wp + wn) * Link.LOGISTIC.mean(score);
            partObserved[part] += wp;
        }

        List<Metrics.Decile> deciles() {
            List<Metrics.Decile> deciles = new ArrayList<>();
            for (int part = 0; part < PARTS; part++) {
                double weight = partWeight[part];
                if (weight > 0) {
                    deciles.add(new Metrics.Decile(partPredicted[part] / weight, partObserved[part] / weight, weight));
                }
            }
            return deciles;
        }

        private static double total(Scores.Ranked ranked) {
            double sum = 0;
            for (int i = 0; i < ranked.count(); i++) {
                sum += ranked.weight(i);
            }
            return sum;
        }
    }
}
