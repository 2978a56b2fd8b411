package tandem.bench;

/// The mean logloss of probabilities.
final class Logloss {

    private static final double CLIP = 1e-15;

    private Logloss() {}

    /// @param labels above 0 for what happened
    static double of(double[] labels, double[] probabilities) {
        double sum = 0;
        for (int i = 0; i < labels.length; i++) {
            double p = Math.clamp(probabilities[i], CLIP, 1 - CLIP);
            sum -= labels[i] > 0 ? Math.log(p) : Math.log1p(-p);
        }
        return sum / labels.length;
    }
}
