package tandem;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.data.Data;
import tandem.model.BatchScorer;
import tandem.model.Fit;
import tandem.model.ModelCard;
import tandem.problem.Link;
import tandem.problem.Loss;
import tandem.problem.Span;
import tandem.report.ManyClass;
import tandem.report.Metrics;
import tandem.report.Numbers;
import tandem.report.Tally;
import tandem.report.TwoClass;
import tandem.worker.Target;
import tandem.worker.Threads;

/// Scores examples and sums up how good the scores were.
///
/// @param metrics weighted by instance weights
/// @param loss    the sum of the training loss over examples (and problems, one against the rest), with
///                positives weighted as in training
public record Evaluation(Metrics metrics, double loss) {

    /// Gives the rows of a batch their scores, row by row, those for all problems of a row together. One a thread.
    @FunctionalInterface
    interface RowScorer {
        void score(Batch batch, double[] scores) throws IOException;
    }

    /// How good a model is on data with labels.
    public static Evaluation of(BatchScorer scorer, Data data, int threads, Watch watch) throws IOException {
        ModelCard model = scorer.card();
        Fit fit = new Fit(scorer);
        try (Batches batches = ReadAs.like(model, data).withLabelRule(Classes.rule(model.classes())).stream();
                Threads crew = new Threads(threads)) {
            Batches.Pass pass = batches.pass(0, 0);
            LongAdder examples = new LongAdder();
            Batches.Pass told = into -> {
                boolean more = pass.next(into);
                if (more) {
                    fit.see(into);
                    examples.add(into.rows());
                }
                synchronized (batches) {
                    watch.progress("scoring", batches.progress(), examples.sum(), Double.NaN);
                }
                return more && !watch.stopping();
            };
            Evaluation evaluation = of(
                    told,
                    Loss.named(model.loss()),
                    Classes.of(model.classes()),
                    1,
                    model.span(),
                    () -> scorer.forThread()::scores,
                    crew);
            fit.end();
            return evaluation;
        }
    }

    /// Scores a pass on all threads, each with a scorer of its own.
    ///
    /// @param span where predicted numbers stay; the loss is that of scores, wherever they are
    static Evaluation of(
            Batches.Pass pass,
            Loss loss,
            Classes classes,
            double positiveWeight,
            Span span,
            Supplier<RowScorer> scorers,
            Threads threads)
            throws IOException {
        List<Share> shares = new ArrayList<>();
        for (int t = 0; t < threads.count(); t++) {
            shares.add(new Share(loss, classes, positiveWeight, span, scorers.get()));
        }
        try {
            threads.run(shares.size(), t -> shares.get(t).drain(pass));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        Share all = shares.getFirst();
        shares.subList(1, shares.size()).forEach(all::add);
        return all.evaluation();
    }

    /// What one thread scores.
    static final class Share {

        private final Loss loss;
        private final List<Target> problems;
        private final double positiveWeight;
        private final RowScorer scorer;
        private final Batch batch = new Batch();
        private double[] scores = new double[0];
        private final double[] row;
        private final Tally tally;
        private double lossSum;

        Share(Loss loss, Classes classes, double positiveWeight, Span span, RowScorer scorer) {
            this.loss = loss;
            this.problems = classes.problems();
            this.positiveWeight = positiveWeight;
            this.scorer = scorer;
            this.row = new double[problems.size()];
            Link link = Link.of(loss.name());
            this.tally = !loss.binary()
                    ? new Numbers(link, span)
                    : problems.size() == 1 ? new TwoClass(link) : new ManyClass(problems.size(), link);
        }

        /// Adds what another has scored.
        void add(Share other) {
            tally.merge(other.tally);
            lossSum += other.lossSum;
        }

        /// How good the scores were.
        Evaluation evaluation() throws IOException {
            if (tally.examples() == 0) {
                throw new IOException("there are no examples to score");
            }
            Metrics metrics = tally.metrics();
            if (!(metrics.weight() > 0)) {
                throw new IOException("every example has the weight 0; give those that count a weight above 0");
            }
            return new Evaluation(metrics.withLoss(lossSum / metrics.weight()), lossSum);
        }

        /// Writes what was scored, for another process.
        void write(DataOutput to) throws IOException {
            to.writeDouble(lossSum);
            tally.write(to);
        }

        /// Adds what another process has written.
        void read(DataInput from) throws IOException {
            lossSum += from.readDouble();
            tally.read(from);
        }

        void drain(Batches.Pass pass) {
            try {
                while (pass.next(batch)) {
                    if (scores.length < batch.rows() * row.length) {
                        scores = new double[batch.rows() * row.length];
                    }
                    scorer.score(batch, scores);
                    for (int r = 0; r < batch.rows(); r++) {
                        add(r, batch.labels()[r], batch.weights()[r]);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void add(int r, double label, double weight) {
            int which = 0;
            for (int k = 0; k < row.length; k++) {
                double target = problems.get(k).of(label);
                row[k] = scores[r * row.length + k];
                lossSum += weight * (target > 0 ? positiveWeight : 1) * loss.value(row[k], target);
                which = target > 0 ? k : which;
            }
            switch (tally) {
                case Numbers numbers -> numbers.add(row[0], label, weight);
                case TwoClass two -> two.add(row[0], problems.getFirst().of(label), weight);
                case ManyClass many -> many.add(row, which, weight);
            }
        }
    }
}
