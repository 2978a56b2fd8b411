import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tandem.Evaluation;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Trained;
import tandem.Watch;
import tandem.data.Data;
import tandem.model.ModelDirectory;
import tandem.model.Scorer;
import tandem.report.Metrics;

/// Predicts clicks on ads: makes data, trains on them, tests on rows not seen, keeps the model and uses it.
void main() throws IOException {
    Path at = Files.createTempDirectory("clicks");
    var clicks = tandem.data.Clicks.DEFAULT.withRows(50_000).withFeatures(100_000);
    clicks.write(at.resolve("train.svm"), 2, _ -> {});
    clicks.next(10_000).write(at.resolve("test.svm"), 2, _ -> {});

    Data train = Data.of(at.resolve("train.svm").toString());
    Data test = Data.of(at.resolve("test.svm").toString());
    Trained trained = LinearTraining.of(Linear.DEFAULT, train).run();
    ModelDirectory.save(trained.model(), at.resolve("model"), false);

    Scorer scorer = Scorer.load(at.resolve("model"));
    Metrics metrics = Evaluation.of(scorer, test, 2, Watch.SILENT).metrics();
    IO.println("AUC %.3f, logloss %.3f (always the click rate: %.3f)"
            .formatted(metrics.auc(), metrics.logloss(), metrics.baselineLogloss()));

    double p = scorer.probability(new long[] {3, 17, 4_711}, new float[] {0.5f, 1, 1});
    IO.println("an ad with the ids 3, 17 and 4711 is clicked with probability %.2f".formatted(p));

    if (!(metrics.auc() > 0.75) || !(p > 0 && p < 1)) {
        throw new AssertionError("AUC " + metrics.auc() + ", probability " + p);
    }
}
