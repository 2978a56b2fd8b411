package tandem;

import tandem.solver.Ending;
import tandem.solver.Solution;

/// A problem that is done.
///
/// @param proof what the batch solver vouches for; null after online training
record Finished(Weights weights, Proof proof) {

    /// How good a solution is, as its solver left it.
    record Proof(double objective, double residual, double dualityGap, Ending ending) {

        static Proof of(Solution solution) {
            return new Proof(
                    solution.objective(),
                    solution.certificate().residual(),
                    solution.certificate().dualityGap(),
                    solution.ending());
        }
    }
}
