package tandem.solver;

import tandem.server.SettlingRule;

/// Numbers that are the sum of what workers pushed within the last clock that is over and in which something was
/// pushed: each says its whole part anew every time. So nothing drifts, and what goes wrong with one clock, such as
/// when one worker takes over from another in the middle of it, is right with the next.
public final class ClockSum implements SettlingRule {

    private static final int SUM = 1;
    private static final int PUSHED = 2;

    @Override
    public int columns() {
        return 3;
    }

    @Override
    public void update(double[] entries, int at, double part) {
        entries[at + SUM] += part;
        entries[at + PUSHED] = 1;
    }

    @Override
    public void settle(double[] e, int at, int width) {
        for (int entry = 0; entry < width; entry++, at += columns()) {
            if (e[at + PUSHED] != 0) {
                e[at] = e[at + SUM];
                e[at + SUM] = 0;
                e[at + PUSHED] = 0;
            }
        }
    }
}
