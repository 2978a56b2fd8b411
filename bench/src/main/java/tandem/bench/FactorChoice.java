package tandem.bench;

/// How another tool's factorisation machine learns.
record FactorChoice(double rate, double l2, int passes) {

    @Override
    public String toString() {
        return "rate %s, l2 %s, passes %d".formatted(Outcome.number(rate), Outcome.number(l2), passes);
    }
}
