package tandem.solver;

import tandem.server.UpdateRule;

/// A row is what was pushed to it last: a number that one stream keeps where it is not lost with whoever works on it.
public record LastPushed() implements UpdateRule {

    @Override
    public int columns() {
        return 1;
    }

    @Override
    public void update(float[] entries, int at, float pushed) {
        entries[at] = pushed;
    }

    @Override
    public void update(double[] entries, int at, double pushed) {
        entries[at] = pushed;
    }
}
