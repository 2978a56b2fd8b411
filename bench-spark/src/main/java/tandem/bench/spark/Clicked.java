package tandem.bench.spark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import tandem.bench.Notes;
import tandem.bench.Workspace;
import tandem.data.Clicks;

/// Generated rows to train on, others that are held out, and the sessions that have them as data frames.
record Clicked(SparkSettings settings, Workspace work, Path training, Path heldOut, int features) {

    private static final int HELD_OUT = 5;

    static Clicked of(SparkSettings settings, Workspace work, int features, Notes notes) throws IOException {
        Clicks clicks =
                Clicks.DEFAULT.withSeed(settings.seed).withRows(settings.rows).withFeatures(features);
        Path training = work.clicks("clicks-" + features + ".svm", clicks, notes);
        Path heldOut = work.clicks("clicks-" + features + "-test.svm", clicks.next(settings.rows / HELD_OUT), notes);
        return new Clicked(settings, work, training, heldOut, features);
    }

    /// A session in which `system` has not trained yet.
    StageProcess logistic(Play.System system, double strength, double l1Share) throws IOException {
        return open(system, Play.Model.LOGISTIC, strength, l1Share, 0, 0);
    }

    /// The same for a factorisation machine.
    StageProcess factors(Play.System system, int factors, double stepSize) throws IOException {
        return open(system, Play.Model.FACTORS, 0, 0, factors, stepSize);
    }

    private StageProcess open(
            Play.System system, Play.Model model, double strength, double l1Share, int factors, double stepSize)
            throws IOException {
        String name = "%s-%s-%d-%s".formatted(system, model, features, l1Share).toLowerCase(Locale.ROOT);
        Play play = new Play(
                system,
                model,
                training.toString(),
                heldOut.toString(),
                features,
                strength,
                l1Share,
                settings.solver,
                factors,
                stepSize,
                work.file(name).toString());
        return new StageProcess(play, settings.heap);
    }
}
