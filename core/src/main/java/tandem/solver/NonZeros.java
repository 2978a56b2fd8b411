package tandem.solver;

/// Counts weights that are not 0.
final class NonZeros {

    private NonZeros() {}

    static int count(double[] weights) {
        int count = 0;
        for (double w : weights) {
            count += w != 0 ? 1 : 0;
        }
        return count;
    }
}
