package tandem.worker;

import tandem.problem.Separable;
import tandem.server.UpdateRule;
import tandem.solver.AdaGrad;
import tandem.solver.Sgd;

/// What a worker makes of a batch whose weights it has pulled, before it pushes anything.
public sealed interface Local {

    Gradient GRADIENT = new Gradient();

    /// How many times as long as for its gradient a worker computes over an entry of a batch, for simulated time. As
    /// measured on click rows: a pass over coordinates finds derivatives of the loss for every entry and turns rows
    /// into columns first, and a gradient step scores all rows once more.
    default int effort() {
        return switch (this) {
            case Gradient _, Downpour _, Averaging _ -> 1;
            case Emso how ->
                switch (how.by) {
                    case COORDINATE -> 10 * how.inner;
                    case GRADIENT -> 1 + 2 * how.inner;
                };
        };
    }

    /// The gradient of its loss at those weights.
    record Gradient() implements Local {}

    /// Downpour: steps on parts of the batch, on weights of the worker's own, and the sum of their gradients.
    ///
    /// @param fetch  after how many steps weights are pulled anew
    /// @param push   steps a batch; a multiple of those between pulls
    /// @param rate   how far the worker's own weights move, of the gradient of a step; [#AUTOMATIC] to take it from
    ///               the data
    /// @param warmUp batches that one stream learns before the others begin
    record Downpour(int fetch, int push, double rate, int warmUp) implements Local {

        public static final int AUTOMATIC = 0;

        public static final Downpour DEFAULT = new Downpour(4, 4, AUTOMATIC, 0);

        public Downpour {
            if (fetch < 1 || push < 1 || push % fetch != 0) {
                throw new IllegalArgumentException("weights are fetched after every " + fetch
                        + " steps and gradients pushed after every " + push
                        + "; use 1 or more, and a multiple of the first for the second");
            }
            if (!(rate >= 0) || Double.isInfinite(rate)) {
                throw new IllegalArgumentException(
                        "the local learning rate is " + rate + "; use a number above 0, such as 0.01");
            }
            if (warmUp < 0) {
                throw new IllegalArgumentException("a warm-up of " + warmUp + " batches; use 0 for none, or more");
            }
        }

        public Downpour withRate(double rate) {
            return new Downpour(fetch, push, rate, warmUp);
        }

        public Downpour withWarmUp(int warmUp) {
            return new Downpour(fetch, push, rate, warmUp);
        }
    }

    /// EMSO: weights that do well on the whole batch without going far, of which servers take the mean.
    ///
    /// @param by      how they are found
    /// @param inner   steps or passes to find them, at most
    /// @param enough  no more of them once the gradient of the subproblem is this part of what it was; 0 for all
    /// @param gamma   what it costs to go far, times the root of the rows that a worker has seen
    /// @param penalty the share of a batch
    record Emso(By by, int inner, double enough, double gamma, Separable penalty) implements Local {

        /// Steps of gradient descent, or passes over the coordinates.
        public enum By {
            GRADIENT,
            COORDINATE
        }

        public Emso {
            if (inner < 1) {
                throw new IllegalArgumentException(inner + " inner steps; use 1 or more");
            }
            if (!(enough >= 0 && enough < 1)) {
                throw new IllegalArgumentException(
                        "steps end at " + enough + " of the first gradient; use 0 for never, or less than 1");
            }
            if (!(gamma > 0) || Double.isInfinite(gamma)) {
                throw new IllegalArgumentException("gamma is " + gamma + "; use a number above 0, such as 1");
            }
        }

        public static Emso by(By by) {
            return new Emso(by, by == By.GRADIENT ? 5 : 1, 0.1, 0.5, Separable.NONE);
        }

        public Emso withGamma(double gamma) {
            return new Emso(by, inner, enough, gamma, penalty);
        }

        public Emso withInner(int inner) {
            return new Emso(by, inner, enough, gamma, penalty);
        }

        public Emso withEnough(double enough) {
            return new Emso(by, inner, enough, gamma, penalty);
        }

        public Emso withPenalty(Separable penalty) {
            return new Emso(by, inner, enough, gamma, penalty);
        }
    }

    /// Model averaging: every worker goes `every` steps of its own from the same weights, which then become the mean
    /// of what all got to.
    ///
    /// @param every    steps between two averages, τ; a batch of the data has the rows of all of them
    /// @param exchange the way that the mean is taken
    /// @param steps    how a worker moves its own weights
    record Averaging(int every, Exchange exchange, Steps steps) implements Local {

        public static final Averaging DEFAULT = new Averaging(10, Exchange.SERVER, Steps.DEFAULT);

        /// Through whom workers hear of each other's weights.
        public enum Exchange {
            /// Servers, which add up the share of each: only what a worker has touched travels.
            SERVER,
            /// Each to the next, all weights.
            RING,
            /// Everyone to everyone, all weights.
            DIRECT,
            /// A job of Spark's for every round.
            SPARK
        }

        public Averaging {
            if (every < 1) {
                throw new IllegalArgumentException(
                        "weights are averaged after every " + every + " steps; use 1 or more, such as 10");
            }
        }

        public Averaging withEvery(int every) {
            return new Averaging(every, exchange, steps);
        }

        public Averaging withExchange(Exchange exchange) {
            return new Averaging(every, exchange, steps);
        }

        public Averaging withSteps(Steps steps) {
            return new Averaging(every, exchange, steps);
        }
    }

    /// Steps of a worker on weights of its own.
    ///
    /// @param rows    rows of a step
    /// @param penalty what each step meets
    /// @param first   what the intercept is before the first of them
    record Steps(Rule rule, int rows, double alpha, double beta, Separable penalty, float first) {

        public static final Steps DEFAULT = new Steps(Rule.ADAGRAD, 64, 0.1, 1, Separable.NONE, 0);

        /// Rules that remember one number beside each weight, so that a mean can be taken of both.
        public enum Rule {
            SGD,
            ADAGRAD
        }

        public Steps withFirst(float first) {
            return new Steps(rule, rows, alpha, beta, penalty, first);
        }

        UpdateRule ofWeights() {
            return made(penalty);
        }

        UpdateRule ofIntercept() {
            return made(Separable.NONE);
        }

        private UpdateRule made(Separable met) {
            return switch (rule) {
                case SGD -> new Sgd(alpha, beta, met);
                case ADAGRAD -> new AdaGrad(alpha, beta, met);
            };
        }
    }
}
