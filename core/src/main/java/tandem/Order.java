package tandem;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import java.util.Map;
import tandem.client.Ticket;
import tandem.report.Json;
import tandem.solver.Balance;
import tandem.wire.Figures;
import tandem.worker.AveragingLoop;
import tandem.worker.BlockLoop;
import tandem.worker.DualLoop;
import tandem.worker.GradientLoop;
import tandem.worker.ProximalLoop;

/// What workers are told to do for a problem.
///
/// @param problem which
/// @param rounds  rounds or passes that came before, of all problems
/// @param consistency what reads wait for; null where nothing that others change is read
/// @param work    what it is
record Order(int problem, long rounds, String consistency, Work work) {

    byte[] bytes() {
        return Json.bytes(this);
    }

    /// The work of an order that only tells of such.
    <W extends Work> W work(Class<W> kind) {
        if (!kind.isInstance(work)) {
            throw new IllegalArgumentException("a worker was told to do " + work + ", which is not work of its solver");
        }
        return kind.cast(work);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Averages.class, name = "averages"),
        @JsonSubTypes.Type(value = Blocks.class, name = "blocks"),
        @JsonSubTypes.Type(value = Clocks.class, name = "clocks"),
        @JsonSubTypes.Type(value = Dual.class, name = "dual"),
        @JsonSubTypes.Type(value = Pass.class, name = "pass"),
        @JsonSubTypes.Type(value = Vectors.class, name = "vectors")
    })
    sealed interface Work {}

    /// A pass, batch after batch.
    ///
    /// @param number which, from 0
    /// @param until  the clock to stop at
    record Pass(int number, long until) implements Work {}

    /// A pass of workers that average among themselves, or the end of it.
    ///
    /// @param pass       which, from 0
    /// @param generation rises with every order
    /// @param lives      by worker, the life in which it takes part
    /// @param writers    by worker, the part of the average that it tells servers; null for the pass itself
    record Averages(int pass, long generation, Map<Integer, Long> lives, Map<Integer, Integer> writers)
            implements Work {

        AveragingLoop.Round round(long rounds, int self, Ticket enough) {
            return new AveragingLoop.Round(pass, rounds, generation, self, lives.size(), enough);
        }
    }

    /// A round over blocks.
    ///
    /// @param scale   for a bound: what slopes are multiplied by
    /// @param whole   whether filters may lose nothing of what is pushed
    /// @param holding the number of the round among those in which weights move, from 1, if servers leave small
    ///                steps for later; 0 if they take all
    record Blocks(
            Aim aim,
            double step,
            double momentum,
            double slack,
            Balance balance,
            double scale,
            boolean whole,
            int holding)
            implements Work {

        /// To move the weights, to measure their gradient or that at the origin, where all are 0, or to bound the
        /// objective from below, for which nothing is sent.
        enum Aim {
            MOVE,
            MEASURE,
            MEASURE_ORIGIN,
            BOUND
        }

        static Blocks move(double step, double momentum, double slack, int holding) {
            return new Blocks(Aim.MOVE, step, momentum, slack, Balance.NONE, 1, false, holding);
        }

        /// @param aim to measure, at the weights or at the origin
        static Blocks look(Aim aim, Balance balance, int holding) {
            return new Blocks(aim, 1, 0, Double.POSITIVE_INFINITY, balance, 1, false, holding);
        }

        static Blocks bound(Balance balance, double scale) {
            return new Blocks(Aim.BOUND, 1, 0, 0, balance, scale, false, 0);
        }

        Blocks asWhole() {
            return new Blocks(aim, step, momentum, slack, balance, scale, true, holding);
        }

        /// @param number how many rounds came before it, of all problems
        BlockLoop.Round round(long number, int delay, Ticket enough) {
            BlockLoop.Aim what = switch (aim) {
                case MEASURE -> BlockLoop.Aim.MEASURE;
                case MEASURE_ORIGIN -> BlockLoop.Aim.MEASURE_ORIGIN;
                case MOVE, BOUND -> BlockLoop.Aim.MOVE;
            };
            return new BlockLoop.Round(number, what, step, momentum, slack, balance, whole, holding, delay, enough);
        }
    }

    /// A round of clocks, the last of which measures (see [ProximalLoop.Round]).
    record Clocks(long until, int moves, double leap, boolean origin, double step, Balance balance, double scale)
            implements Work {

        /// One clock, that measures the gradient.
        static final Clocks MEASURE = new Clocks(0, 0, Double.NaN, false, 1, Balance.NONE, 1);

        /// The same at the origin, where all weights are 0.
        static final Clocks ORIGIN = new Clocks(0, 0, Double.NaN, true, 1, Balance.NONE, 1);

        /// @param far how far weights leap first; NaN if they do not
        static Clocks moves(int many, double far, double length) {
            return new Clocks(0, many, far, false, length, Balance.NONE, 1);
        }

        /// How many clocks it takes.
        int count() {
            return (Double.isNaN(leap) ? 0 : 1) + moves + 1;
        }

        Clocks until(long clock) {
            return new Clocks(clock, moves, leap, origin, step, balance, scale);
        }

        Clocks balanced(Balance by) {
            return new Clocks(until, moves, leap, origin, step, by, scale);
        }

        Clocks scaled(double factor) {
            return new Clocks(until, moves, leap, origin, step, balance, factor);
        }

        ProximalLoop.Round round(int delay, Ticket enough) {
            return new ProximalLoop.Round(until, moves, leap, origin, step, balance, scale, delay, enough);
        }
    }

    /// What is done with vectors.
    ///
    /// @param point where
    record Vectors(GradientLoop.Point point, Deed deed) implements Work {

        @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
        @JsonSubTypes({
            @JsonSubTypes.Type(value = Between.class, name = "between"),
            @JsonSubTypes.Type(value = Bound.class, name = "bound"),
            @JsonSubTypes.Type(value = Change.class, name = "change"),
            @JsonSubTypes.Type(value = Look.class, name = "look"),
            @JsonSubTypes.Type(value = LookAtOwn.class, name = "look at own"),
            @JsonSubTypes.Type(value = Push.class, name = "push"),
            @JsonSubTypes.Type(value = Tick.class, name = "tick")
        })
        sealed interface Deed {}

        /// Has servers do it.
        ///
        /// @param what `unit`, `turn` or `slide`
        record Change(String what, Figures with) implements Deed {}

        /// Finds the gradient of batches, whichever are left.
        record Look() implements Deed {}

        /// Finds that of the batches that belong to its streams.
        ///
        /// @param batches how many there are
        record LookAtOwn(long batches) implements Deed {}

        /// Pushes what it found.
        ///
        /// @param shares by stream, the portions whose gradient it pushes, if its worker may not know
        record Push(Map<Integer, List<GradientLoop.Portion>> shares) implements Deed {}

        /// Says that a round is over.
        record Tick() implements Deed {}

        /// Says what the loss is between the point and its base.
        ///
        /// @param at how far between
        record Between(double at) implements Deed {}

        /// Bounds the loss from below.
        ///
        /// @param scale what slopes are multiplied by
        record Bound(double scale) implements Deed {}
    }

    /// A round of dual coordinate ascent.
    record Dual(DualLoop.Aim aim, DualLoop.Intercept intercept, Balance balance) implements Work {

        DualLoop.Round round(long rounds, Ticket enough) {
            // Nothing is sent to look: the streams are where they should be.
            long number = aim == DualLoop.Aim.LOOK ? rounds - 1 : rounds;
            return new DualLoop.Round(number, aim, intercept, balance, enough);
        }
    }
}
