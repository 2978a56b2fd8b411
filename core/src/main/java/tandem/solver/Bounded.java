package tandem.solver;

import tandem.server.UpdateRule;

/// Weights that workers add to, each its share of the way from what it knew, and that stay within bounds: what comes
/// late may lead out of them, though every worker keeps to them.
public record Bounded(double low, double high) implements UpdateRule {

    @Override
    public int columns() {
        return 1;
    }

    @Override
    public void update(float[] entries, int at, float pushed) {
        entries[at] = Math.clamp(entries[at] + pushed, -Step.downwards(-low), Step.downwards(high));
    }

    @Override
    public void update(double[] entries, int at, double pushed) {
        entries[at] = Math.clamp(entries[at] + pushed, low, high);
    }
}
