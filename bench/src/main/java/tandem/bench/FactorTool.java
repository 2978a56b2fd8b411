package tandem.bench;

import java.nio.file.Path;
import java.util.List;

/// Tools for factorisation machines that run in a JVM of their own, with the settings that are tried for each.
enum FactorTool {
    /// Its rates are fixed, so they are small and passes many.
    JAVAFM("JavaFM", List.of(0.002, 0.005), List.of(0.01, 0.03), 30) {
        @Override
        List<Path> jars(Peers peers) {
            Path jar = peers.javaFm();
            return jar == null ? List.of() : List.of(jar, jar.resolveSibling(Peers.FASTUTIL.file()));
        }

        @Override
        FactorLearner learner(List<String> lines, int features, int dimension, FactorChoice choice)
                throws ReflectiveOperationException {
            return new JavaFm(lines, features, dimension, choice);
        }
    },

    VOWPAL("vowpal wabbit --lrq", List.of(0.5, 0.2), List.of(1e-5, 3e-5), 8) {
        @Override
        List<Path> jars(Peers peers) {
            return peers.vwLibrary() == null ? List.of() : List.of(peers.vwLibrary());
        }

        @Override
        FactorLearner learner(List<String> lines, int features, int dimension, FactorChoice choice)
                throws ReflectiveOperationException {
            return new VowpalFactors(lines, dimension, choice);
        }
    };

    private final String label;
    private final List<Double> rates;
    private final List<Double> penalties;
    private final int passes;

    FactorTool(String label, List<Double> rates, List<Double> penalties, int passes) {
        this.label = label;
        this.rates = rates;
        this.penalties = penalties;
        this.passes = passes;
    }

    String label() {
        return label;
    }

    /// What it needs on the class path; nothing if it is not installed.
    abstract List<Path> jars(Peers peers);

    abstract FactorLearner learner(List<String> lines, int features, int dimension, FactorChoice choice)
            throws ReflectiveOperationException;

    /// Each rate with each penalty, and as many passes as are worth while at most.
    List<FactorChoice> choices() {
        return rates.stream()
                .flatMap(rate -> penalties.stream().map(l2 -> new FactorChoice(rate, l2, passes)))
                .toList();
    }
}
