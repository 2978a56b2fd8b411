package tandem.solver;

import tandem.data.Columns;
import tandem.problem.Loss;
import tandem.problem.Regulariser;

/// All of a batch problem: minimise Σ_i c_i·loss(x_iᵀw + b, y_i) + h(w) over w and, if there is one, the
/// intercept b, which is never regularised.
///
/// @param data x, by columns
/// @param labels y, one a row, as the loss wants them
/// @param importances c, one a row
/// @param regulariser h
public record Problem(
        Columns data, double[] labels, float[] importances, Loss loss, Regulariser regulariser, boolean intercept) {

    public Problem {
        if (!loss.smooth()) {
            throw new IllegalArgumentException("the " + loss.name() + " loss has a kink, which a batch solver cannot "
                    + "pass; use an online solver such as ftrl, or another loss such as squared-hinge or huber");
        }
        for (int i = 0; i < labels.length; i++) {
            if (!loss.accepts(labels[i])) {
                throw new IllegalArgumentException("the label of row " + (i + 1) + " is " + labels[i] + "; the "
                        + loss.name() + " loss takes " + (loss.binary() ? "-1 and 1" : "numbers of 0 or more"));
            }
            if (!(importances[i] >= 0 && importances[i] < Float.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "the weight of row " + (i + 1) + " is " + importances[i] + "; an instance weight is 0 or more");
            }
        }
    }
}
