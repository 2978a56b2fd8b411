package tandem.bench;

/// The tolerances that a solver is tried with, for the loosest that comes near enough to the optimum.
public final class Ladder {

    private static final double[] RUNGS = {
        0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5, 1e-6
    };

    private Ladder() {}

    /// By how much the objective reached at a tolerance is above the optimum, as a share of that.
    @FunctionalInterface
    public interface Excess {
        double at(double tolerance) throws Exception;
    }

    /// The loosest rung that comes near enough. Goes from the loose end, whose runs are short: three rungs at a
    /// time while the excess is large, then one by one, and back over what the last three passed over.
    public static double loosest(double near, Excess excess) throws Exception {
        int rung = 2;
        int passed = 2;
        for (double now = excess.at(RUNGS[rung]); now > near && rung < RUNGS.length - 1; ) {
            int next = Math.min(rung + (now > 20 * near ? 3 : 1), RUNGS.length - 1);
            passed = next - rung - 1;
            rung = next;
            now = excess.at(RUNGS[rung]);
        }
        while (passed-- > 0 && excess.at(RUNGS[rung - 1]) <= near) {
            rung--;
        }
        return RUNGS[rung];
    }
}
