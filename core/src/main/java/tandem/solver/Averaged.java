package tandem.solver;

import tandem.server.UpdateRule;

/// Rows that workers move themselves and take the mean of: the weight, and what they remember of it. Servers add up
/// what each worker has to say of the mean, or are told the mean.
public record Averaged(boolean adds) implements UpdateRule {

    @Override
    public int columns() {
        return 1;
    }

    @Override
    public void update(float[] entries, int at, float pushed) {
        entries[at] = adds ? entries[at] + pushed : pushed;
    }

    /// Nothing is remembered of an earlier model.
    @Override
    public void startRow(float[] entries, int at, int width, float weight) {
        entries[at] = weight;
    }
}
