package tandem.problem;

/// strength·Σ‖w_g‖₂ over groups g of columns, so that whole groups become 0 together.
///
/// `groups[j]` is the group of column `j`, counted from 0. A column marked [#ALONE] is a group of its
/// own, penalised as by L1. Groups count alike whatever their size (no factor √size).
public record GroupLasso(double strength, int[] groups) implements Regulariser {

    /// The mark of a column that belongs to no group.
    public static final int ALONE = -1;

    public GroupLasso {
        if (!(strength >= 0 && strength < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("group lasso strength is " + strength + "; a penalty is 0 or more");
        }
        for (int group : groups) {
            if (group < ALONE) {
                throw new IllegalArgumentException(
                        "group " + group + "; groups are counted from 0, and -1 means a group of its own");
            }
        }
        groups = groups.clone();
    }

    @Override
    public double value(double[] weights) {
        double sum = 0;
        for (double square : squares(weights)) {
            sum += Math.sqrt(square);
        }
        for (int j = 0; j < weights.length; j++) {
            if (groups[j] == ALONE) {
                sum += Math.abs(weights[j]);
            }
        }
        return strength * sum;
    }

    /// w_g · max(0, 1 − step·strength/‖w_g‖).
    @Override
    public void prox(double[] weights, double step) {
        double by = step * strength;
        double[] squares = squares(weights);
        for (int j = 0; j < weights.length; j++) {
            if (groups[j] == ALONE) {
                weights[j] = Separable.shrink(weights[j], by);
            } else {
                double norm = Math.sqrt(squares[groups[j]]);
                weights[j] = norm > by ? weights[j] * (1 - by / norm) : 0;
            }
        }
    }

    private double[] squares(double[] weights) {
        if (weights.length != groups.length) {
            throw new IllegalArgumentException(
                    "there are " + weights.length + " columns but groups for " + groups.length);
        }
        int count = 0;
        for (int group : groups) {
            count = Math.max(count, group + 1);
        }
        double[] squares = new double[count];
        for (int j = 0; j < weights.length; j++) {
            if (groups[j] != ALONE) {
                squares[groups[j]] += weights[j] * weights[j];
            }
        }
        return squares;
    }

    @Override
    public String describe() {
        return "group lasso " + strength;
    }
}
