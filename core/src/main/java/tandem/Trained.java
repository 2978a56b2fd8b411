package tandem;

import java.nio.file.Path;
import tandem.model.LinearModel;
import tandem.report.LearningCurve;
import tandem.report.Report;

/// What training gives.
///
/// @param model     null if training was interrupted, its checkpoint being where the run keeps it, and if servers have
///                  written it to a directory
/// @param directory where the model was written; null if it was not
public record Trained(LinearModel model, Path directory, Report report, LearningCurve curve) {

    public boolean finished() {
        return model != null || directory != null;
    }
}
