package tandem.solver;

import tandem.problem.Certificate;

/// What a batch solver found.
///
/// @param weights one for each column of the data
/// @param intercept 0 if the problem has none
/// @param objective on the sum scale, with the regulariser
public record Solution(
        double[] weights, double intercept, double objective, Certificate certificate, int iterations, Ending ending) {

    /// Whether the tolerance was reached.
    public boolean converged() {
        return ending == Ending.CONVERGED;
    }

    public int nonZeros() {
        return NonZeros.count(weights);
    }
}
