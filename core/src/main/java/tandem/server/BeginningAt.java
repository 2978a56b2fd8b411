package tandem.server;

import tandem.wire.Age;

/// A rule whose entries begin as a weight other than 0.
record BeginningAt(UpdateRule rule, float weight) implements UpdateRule {

    @Override
    public int columns() {
        return rule.columns();
    }

    @Override
    public UpdateRule aged(Age age) {
        UpdateRule now = rule.aged(age);
        return now == rule ? this : new BeginningAt(now, weight);
    }

    @Override
    public boolean ages() {
        return rule.ages();
    }

    @Override
    public void update(float[] entries, int at, float gradient) {
        rule.update(entries, at, gradient);
    }

    @Override
    public void update(float[] entries, int at, float[] gradients, int from, int count) {
        rule.update(entries, at, gradients, from, count);
    }

    @Override
    public void update(double[] entries, int at, double gradient) {
        rule.update(entries, at, gradient);
    }

    @Override
    public void start(float[] entries, int at, float to) {
        rule.start(entries, at, to);
    }

    @Override
    public void begin(float[] entries, int at) {
        rule.start(entries, at, weight);
    }
}
