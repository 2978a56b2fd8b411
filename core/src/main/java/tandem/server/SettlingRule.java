package tandem.server;

/// A rule that gathers what is pushed within a clock, and changes rows when the clock is over: [#settle] sees what all
/// streams say together. Its tables hold doubles.
public interface SettlingRule extends UpdateRule {

    @Override
    default boolean settles() {
        return true;
    }

    @Override
    default void update(float[] entries, int at, float pushed) {
        throw new IllegalArgumentException(
                getClass().getSimpleName() + " gathers what is pushed in doubles; make the table with doubles");
    }
}
