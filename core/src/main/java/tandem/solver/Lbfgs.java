package tandem.solver;

import java.util.ArrayList;
import java.util.List;

/// The direction of L-BFGS (Nocedal 1980) without vectors (Chen, Wang and Zhou, NIPS 2014): the two
/// loops only ever add up the kept steps s, changes of the gradient y and the gradient v, so whoever
/// knows their inner products can do the loops on coefficients, and vectors stay where they are.
///
/// Of the (2m + 1)² products the loops use sᵢ·yⱼ where sᵢ is not newer than yⱼ, yᵢ·yⱼ, and those with v:
/// at each iteration 4m + 1 are new. Pairs are kept in `memory` slots, the oldest making room for the
/// newest.
///
/// Products of y and v with each other may be weighted: then v and y stand for themselves times the weights in what a
/// [Direction] adds up, as if the problem were posed in other units.
///
/// @param slots which slots are in use, the oldest first
/// @param sy    sᵢ·yⱼ by slots
/// @param yy    yᵢ·yⱼ by slots
public record Lbfgs(int memory, List<Integer> slots, double[][] sy, double[][] yy) {

    /// A pair is kept only if s·y is at least this times ‖y‖², as it is where the objective bends at all
    /// (the cautious update of Li and Fukushima 2001 for those that are not convex).
    private static final double BENDS = 1e-10;

    public Lbfgs(int memory) {
        this(memory, List.of(), new double[memory][memory], new double[memory][memory]);
    }

    /// The products of a new pair and a new gradient with what is kept; arrays are by slot.
    ///
    /// @param stepChange   s·y of the new pair
    /// @param changeChange y·y
    /// @param stepGradient s·v
    /// @param changeGradient y·v
    /// @param gradient     v·v
    /// @param s            each sᵢ·y
    /// @param y            each yᵢ·y
    /// @param stepsBy      each sᵢ·v
    /// @param changesBy    each yᵢ·v
    public record Products(
            double stepChange,
            double changeChange,
            double stepGradient,
            double changeGradient,
            double gradient,
            double[] s,
            double[] y,
            double[] stepsBy,
            double[] changesBy) {}

    /// What a direction is made of.
    ///
    /// @param gradient how often v is taken
    /// @param steps    how often each s, by slot
    /// @param changes  how often each y, by slot
    /// @param slope    the direction's product with v, below 0 if it leads down
    public record Direction(double gradient, double[] steps, double[] changes, double slope) {}

    /// Where the new pair goes; −1 if it is not worth keeping.
    public int room(Products by) {
        if (!(by.stepChange > BENDS * by.changeChange)) {
            return -1;
        }
        return slots.size() < memory ? slots.size() : slots.getFirst();
    }

    /// The same with the new pair in the slot that it has room in, if any.
    public Lbfgs with(Products by) {
        int slot = room(by);
        if (slot < 0) {
            return this;
        }
        List<Integer> kept = new ArrayList<>(slots);
        kept.remove((Integer) slot);
        kept.add(slot);
        double[][] steps = copy(sy);
        double[][] changes = copy(yy);
        for (int other : kept) {
            steps[other][slot] = other == slot ? by.stepChange : by.s[other];
            changes[other][slot] = other == slot ? by.changeChange : by.y[other];
            changes[slot][other] = changes[other][slot];
        }
        return new Lbfgs(memory, List.copyOf(kept), steps, changes);
    }

    /// The same without what it has kept.
    public Lbfgs forgetful() {
        return new Lbfgs(memory);
    }

    /// −H·v by the two loops.
    ///
    /// @param newest the slot that the new pair has gone to; −1 if it was not kept
    public Direction direction(Products by, int newest) {
        double[] sv = by.stepsBy.clone();
        double[] yv = by.changesBy.clone();
        if (newest >= 0) {
            sv[newest] = by.stepGradient;
            yv[newest] = by.changeGradient;
        }
        double[] s = new double[memory];
        double[] y = new double[memory];
        double[] alpha = new double[memory];
        double v = 1;
        for (int k = slots.size() - 1; k >= 0; k--) {
            int i = slots.get(k);
            double product = v * sv[i];
            for (int j : slots.subList(k + 1, slots.size())) {
                product += y[j] * sy[i][j];
            }
            alpha[i] = product / sy[i][i];
            y[i] -= alpha[i];
        }
        if (!slots.isEmpty()) {
            int last = slots.getLast();
            double scale = sy[last][last] / yy[last][last];
            v *= scale;
            for (int j : slots) {
                y[j] *= scale;
            }
        }
        for (int k = 0; k < slots.size(); k++) {
            int i = slots.get(k);
            double product = v * yv[i];
            for (int j : slots) {
                product += y[j] * yy[i][j];
            }
            for (int j : slots.subList(0, k)) {
                product += s[j] * sy[j][i];
            }
            s[i] = alpha[i] - product / sy[i][i];
        }
        double slope = -v * by.gradient;
        for (int i : slots) {
            s[i] = -s[i];
            y[i] = -y[i];
            slope += s[i] * sv[i] + y[i] * yv[i];
        }
        return new Direction(-v, s, y, slope);
    }

    private static double[][] copy(double[][] of) {
        double[][] copy = new double[of.length][];
        for (int i = 0; i < of.length; i++) {
            copy[i] = of[i].clone();
        }
        return copy;
    }
}
