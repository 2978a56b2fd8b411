package tandem;

import tandem.model.LinearModel;
import tandem.report.LearningCurve;
import tandem.report.Report;

/// What training gives.
///
/// @param model null if training was interrupted; its checkpoint is then where the run keeps it
public record Trained(LinearModel model, Report report, LearningCurve curve) {

    public boolean finished() {
        return model != null;
    }
}
