package tandem.bench;

/// A factorisation machine of another tool, with the rows that it learns from in memory.
interface FactorLearner {

    /// Learns from each row once.
    void pass() throws Exception;

    /// The log-odds of a row, a line of LIBSVM text.
    double score(String line) throws Exception;
}
