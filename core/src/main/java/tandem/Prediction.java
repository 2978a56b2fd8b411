package tandem;

import java.io.IOException;
import java.util.List;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.data.Data;
import tandem.data.LabelRule;
import tandem.model.BatchScorer;
import tandem.model.Fit;
import tandem.model.ModelCard;
import tandem.problem.Link;

/// Writes what a model predicts, a line an example in the order of the data.
public final class Prediction {

    /// What a line says. With more than two classes probabilities and scores have one number a class,
    /// separated by blanks, in the order of the model's classes.
    public enum Kind {
        /// The predicted class, or the predicted number of a regression.
        LABELS,
        /// The probability of the positive class.
        PROBABILITIES,
        /// xᵀw plus the intercept.
        SCORES
    }

    private Prediction() {}

    /// Scores `data` row by row into `out` and returns how many rows there were.
    public static long write(BatchScorer scorer, Data data, Kind kind, Appendable out, Watch watch) throws IOException {
        ModelCard model = scorer.card();
        if (kind == Kind.PROBABILITIES && model.link() != Link.LOGISTIC) {
            throw new IllegalArgumentException("the model was trained with " + model.loss()
                    + " loss, which gives no probabilities; use --kind scores or labels");
        }
        long rows = 0;
        double[] scores = new double[0];
        int outputs = model.outputs();
        Fit fit = new Fit(scorer);
        try (Batches batches = ReadAs.like(model, data).withLabelRule(new LabelRule.Ignore()).stream()) {
            Batches.Pass pass = batches.pass(0, 0);
            Batch batch = new Batch();
            while (!watch.stopping() && pass.next(batch)) {
                if (scores.length < batch.rows() * outputs) {
                    scores = new double[batch.rows() * outputs];
                }
                fit.see(batch);
                scorer.scores(batch, scores);
                for (int row = 0; row < batch.rows(); row++) {
                    line(model, kind, scores, row * outputs, out);
                    out.append('\n');
                }
                rows += batch.rows();
                watch.progress("predicting", batches.progress(), rows, Double.NaN);
            }
        }
        fit.end();
        return rows;
    }

    private static void line(ModelCard model, Kind kind, double[] scores, int at, Appendable out) throws IOException {
        Link link = model.link();
        List<String> classes = model.classes();
        switch (kind) {
            case LABELS ->
                out.append(
                        classes.isEmpty()
                                ? Double.toString(model.predicted(scores[at]))
                                : classes.get(model.classOf(scores, at)));
            case PROBABILITIES -> {
                double sum = 0;
                for (int k = 0; k < model.outputs(); k++) {
                    sum += link.mean(scores[at + k]);
                }
                double scale = model.outputs() == 1 ? 1 : 1 / Math.max(sum, Double.MIN_NORMAL);
                for (int k = 0; k < model.outputs(); k++) {
                    separate(k, out).append(Double.toString(scale * link.mean(scores[at + k])));
                }
            }
            case SCORES -> {
                for (int k = 0; k < model.outputs(); k++) {
                    separate(k, out).append(Double.toString(scores[at + k]));
                }
            }
        }
    }

    private static Appendable separate(int k, Appendable out) throws IOException {
        return k == 0 ? out : out.append(' ');
    }
}
