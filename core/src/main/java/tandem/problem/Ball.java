package tandem.problem;

/// Weights of length at most `radius`: ‖w‖₂ ≤ radius.
public record Ball(double radius) implements Regulariser {

    private static final double ROUNDING = 1e-9;

    public Ball {
        if (!(radius > 0 && radius < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("the ball's radius is " + radius + "; use a number above 0");
        }
    }

    @Override
    public double value(double[] weights) {
        return norm(weights) <= radius * (1 + ROUNDING) ? 0 : Double.POSITIVE_INFINITY;
    }

    @Override
    public void prox(double[] weights, double step) {
        double norm = norm(weights);
        if (norm > radius) {
            double scale = radius / norm;
            for (int j = 0; j < weights.length; j++) {
                weights[j] *= scale;
            }
        }
    }

    private static double norm(double[] weights) {
        double sum = 0;
        for (double w : weights) {
            sum += w * w;
        }
        return Math.sqrt(sum);
    }

    @Override
    public String describe() {
        return "weights of length " + radius + " or less";
    }
}
