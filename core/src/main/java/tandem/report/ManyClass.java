package tandem.report;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import tandem.problem.Link;

/// The tally of a classifier with a score for each of several classes, the largest of which it predicts.
public final class ManyClass implements Tally {

    private final Link link;
    private final double[] hits;
    private final double[] predicted;
    private final double[] actual;
    private long examples;
    private double weight;
    private double loss;

    public ManyClass(int classes, Link link) {
        this.link = link;
        hits = new double[classes];
        predicted = new double[classes];
        actual = new double[classes];
    }

    /// Adds an example with one score a class; `label` is the index of its class.
    public void add(double[] scores, int label, double weight) {
        int best = 0;
        for (int k = 0; k < hits.length; k++) {
            Tally.check(scores[k], weight);
            best = scores[k] > scores[best] ? k : best;
        }
        examples++;
        this.weight += weight;
        actual[label] += weight;
        predicted[best] += weight;
        hits[label] += best == label ? weight : 0;
        if (link == Link.LOGISTIC) {
            double p = share(scores, label, hits.length);
            loss -= weight * Math.log(Math.clamp(p, TwoClass.CLIP, 1 - TwoClass.CLIP));
        }
    }

    /// The probability of class `label` when each class has its own odds: its probability over their sum.
    static double share(double[] scores, int label, int classes) {
        double sum = 0;
        for (int k = 0; k < classes; k++) {
            sum += Link.LOGISTIC.mean(scores[k]);
        }
        return sum == 0 ? 1.0 / classes : Link.LOGISTIC.mean(scores[label]) / sum;
    }

    @Override
    public long examples() {
        return examples;
    }

    @Override
    public void merge(Tally other) {
        ManyClass tally = (ManyClass) other;
        examples += tally.examples;
        weight += tally.weight;
        loss += tally.loss;
        for (int k = 0; k < hits.length; k++) {
            hits[k] += tally.hits[k];
            predicted[k] += tally.predicted[k];
            actual[k] += tally.actual[k];
        }
    }

    @Override
    public void write(DataOutput to) throws IOException {
        to.writeLong(examples);
        to.writeDouble(weight);
        to.writeDouble(loss);
        for (int k = 0; k < hits.length; k++) {
            to.writeDouble(hits[k]);
            to.writeDouble(predicted[k]);
            to.writeDouble(actual[k]);
        }
    }

    @Override
    public void read(DataInput from) throws IOException {
        examples += from.readLong();
        weight += from.readDouble();
        loss += from.readDouble();
        for (int k = 0; k < hits.length; k++) {
            hits[k] += from.readDouble();
            predicted[k] += from.readDouble();
            actual[k] += from.readDouble();
        }
    }

    @Override
    public Metrics metrics() {
        double right = 0;
        double f1 = 0;
        int occurring = 0;
        for (int k = 0; k < hits.length; k++) {
            right += hits[k];
            if (predicted[k] + actual[k] > 0) {
                f1 += TwoClass.f1(hits[k], predicted[k], actual[k]);
                occurring++;
            }
        }
        double none = Double.NaN;
        double logloss = link == Link.LOGISTIC ? loss / weight : none;
        return new Metrics(
                examples,
                weight,
                none,
                none,
                none,
                none,
                logloss,
                right / weight,
                f1 / occurring,
                none,
                none,
                List.of());
    }
}
