package tandem.report;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import tandem.problem.Link;
import tandem.problem.Span;

/// The tally of a regression: predicted numbers against those in the data.
public final class Numbers implements Tally {

    private final Link link;
    private final Span span;
    private long examples;
    private double weight;
    private double labels;

    /// Of labels around their mean.
    private double spread;

    private double squares;
    private double distances;

    /// @param span where predictions stay
    public Numbers(Link link, Span span) {
        this.link = link;
        this.span = span;
    }

    /// Adds an example; the prediction is the mean that `score` stands for, within the span.
    public void add(double score, double label, double weight) {
        Tally.check(score, weight);
        double error = span.clip(link.mean(score)) - label;
        examples++;
        count(weight, label, 0);
        squares += weight * error * error;
        distances += weight * Math.abs(error);
    }

    /// Counts labels that weigh so much, with their mean and the sum of squares around it.
    private void count(double more, double mean, double around) {
        if (more > 0) {
            double by = weight > 0 ? mean - labels / weight : 0;
            spread += around + by * by * (weight * more / (weight + more));
            weight += more;
            labels += more * mean;
        }
    }

    @Override
    public long examples() {
        return examples;
    }

    @Override
    public void merge(Tally other) {
        Numbers tally = (Numbers) other;
        examples += tally.examples;
        count(tally.weight, tally.labels / tally.weight, tally.spread);
        squares += tally.squares;
        distances += tally.distances;
    }

    @Override
    public void write(DataOutput to) throws IOException {
        to.writeLong(examples);
        to.writeDouble(weight);
        to.writeDouble(labels);
        to.writeDouble(spread);
        to.writeDouble(squares);
        to.writeDouble(distances);
    }

    @Override
    public void read(DataInput from) throws IOException {
        examples += from.readLong();
        double more = from.readDouble();
        count(more, from.readDouble() / more, from.readDouble());
        squares += from.readDouble();
        distances += from.readDouble();
    }

    @Override
    public Metrics metrics() {
        double none = Double.NaN;
        double rmse = Math.sqrt(squares / weight);
        return new Metrics(
                examples,
                weight,
                none,
                labels / weight,
                Math.sqrt(spread / weight),
                none,
                none,
                none,
                none,
                rmse,
                distances / weight,
                List.of());
    }
}
