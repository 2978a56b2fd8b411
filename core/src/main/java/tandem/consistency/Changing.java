package tandem.consistency;

/// A consistency that can be replaced while it is in use: reads that begin after [#become] follow the new
/// one, and those under way keep what they were asked with. Any thread may change it.
public final class Changing implements Consistency {

    private volatile Consistency now;

    public Changing(Consistency first) {
        now = first;
    }

    /// Follows `next` from now on.
    public void become(Consistency next) {
        if (next.byPass() != now.byPass() || next.isEager() != now.isEager()) {
            throw new IllegalArgumentException(
                    "what a clock is, and whether rows are kept, cannot change while running;"
                            + " change to a consistency of the same kind");
        }
        now = next;
    }

    @Override
    public After after(long clock, long sent) {
        return now.after(clock, sent);
    }

    @Override
    public int ahead() {
        return now.ahead();
    }

    @Override
    public boolean byPass() {
        return now.byPass();
    }

    @Override
    public boolean isEager() {
        return now.isEager();
    }
}
