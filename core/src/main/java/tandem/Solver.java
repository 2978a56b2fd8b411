package tandem;

import tandem.problem.Separable;
import tandem.server.UpdateRule;
import tandem.solver.AdaGrad;
import tandem.solver.Ftrl;
import tandem.solver.Sgd;

/// How a linear model is trained.
public sealed interface Solver {

    /// The name on the command line.
    String label();

    /// Example by example, in passes over data that need not fit in memory.
    ///
    /// @param alpha    the learning rate, which each rule lowers by itself as it learns
    /// @param beta     how much the first steps are damped
    /// @param rows     rows between two updates
    /// @param passes   how often the data is read, at most
    /// @param patience passes without a better validation loss before stopping early; 0 never stops
    record Online(Rule rule, double alpha, double beta, int rows, int passes, int patience) implements Solver {

        public Online {
            if (passes < 1) {
                throw new IllegalArgumentException("passes is " + passes + "; use 1 or more");
            }
            if (rows < 1) {
                throw new IllegalArgumentException("rows between updates is " + rows + "; use 1 or more");
            }
            if (patience < 0) {
                throw new IllegalArgumentException("patience is " + patience + "; use 0 to never stop early, or more");
            }
        }

        public static Online of(Rule rule) {
            return new Online(rule, rule.alpha, 1, 16, 1, 2);
        }

        public Online withAlpha(double alpha) {
            return new Online(rule, alpha, beta, rows, passes, patience);
        }

        public Online withBeta(double beta) {
            return new Online(rule, alpha, beta, rows, passes, patience);
        }

        public Online withRows(int rows) {
            return new Online(rule, alpha, beta, rows, passes, patience);
        }

        public Online withPasses(int passes) {
            return new Online(rule, alpha, beta, rows, passes, patience);
        }

        public Online withPatience(int patience) {
            return new Online(rule, alpha, beta, rows, passes, patience);
        }

        @Override
        public String label() {
            return rule.label;
        }
    }

    /// All examples at once, to the optimum, with a certificate.
    ///
    /// @param tolerance how large the optimality residual may stay, relative to that of zero weights
    record Batch(double tolerance, int maxIterations) implements Solver {

        public static final Batch DEFAULT = new Batch(1e-4, 1_000);

        public Batch {
            if (!(tolerance > 0)) {
                throw new IllegalArgumentException("tolerance is " + tolerance + "; use a number above 0, such as 1e-4");
            }
            if (maxIterations < 1) {
                throw new IllegalArgumentException("iterations is " + maxIterations + "; use 1 or more");
            }
        }

        @Override
        public String label() {
            return "batch";
        }
    }

    /// The update rules of online training.
    enum Rule {
        FTRL("ftrl", 0.1),
        ADAGRAD("adagrad", 0.1),
        SGD("sgd", 0.05);

        private final String label;
        private final double alpha;

        Rule(String label, double alpha) {
            this.label = label;
            this.alpha = alpha;
        }

        public String label() {
            return label;
        }

        /// The rule for one run. FTRL counts the penalty once whatever the number of pushes; the others meet
        /// it at every push, so each push gets only its `share` of it.
        UpdateRule of(Online settings, Separable penalty, double share) {
            Separable shared = penalty.withL1(share * penalty.l1()).withL2(share * penalty.l2());
            return switch (this) {
                case FTRL -> new Ftrl(settings.alpha(), settings.beta(), penalty);
                case ADAGRAD -> new AdaGrad(settings.alpha(), settings.beta(), shared);
                case SGD -> new Sgd(settings.alpha(), settings.beta(), shared);
            };
        }
    }
}
