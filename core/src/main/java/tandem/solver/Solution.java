package tandem.solver;

import tandem.problem.Certificate;

/// What a batch solver found.
///
/// @param weights one for each column of the data
/// @param intercept 0 if the problem has none
/// @param objective on the sum scale, with the regulariser
/// @param converged whether the tolerance was reached; if not, iterations ran out or someone asked to stop
public record Solution(
        double[] weights,
        double intercept,
        double objective,
        Certificate certificate,
        int iterations,
        boolean converged) {

    public int nonZeros() {
        return NonZeros.count(weights);
    }
}
