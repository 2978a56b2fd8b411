package tandem;

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

/// An order: to a worker, to work through a pass; to a server, to save the weights of a problem, to start from an
/// earlier model, or to say what it holds.
///
/// @param what   to workers `pass`, `averages`, `blocks`, `vectors`, `dual` or `clocks`; to servers `astray`, `save`,
///               `sums`, `start`, `memory`, or of checkpoints `copy`, `write` or `restore`
/// @param table  the problem
/// @param number the pass
/// @param rounds passes that came before, of all problems
/// @param until  the clock that workers stop at; for a checkpoint, its generation; to save, the epoch
/// @param consistency what reads of the pass wait for; null for servers
/// @param blocks      what a round over blocks is for; null for other orders
/// @param vectors     what is done with vectors; null for other orders
/// @param dual        what is done with slopes of examples; null for other orders
/// @param clocks      what a round of clocks is for; null for other orders
/// @param averages    who takes part in a pass of workers that average among themselves; null for other orders
/// @param astray      weights to save that are on other servers than their files; null for other orders
record Order(
        String what,
        int table,
        int number,
        long rounds,
        long until,
        String consistency,
        Blocks blocks,
        Vectors vectors,
        Dual dual,
        Clocks clocks,
        Averages averages,
        Astray astray) {

    Order(String what, int table, int number, long rounds, long until, String consistency) {
        this(what, table, number, rounds, until, consistency, null, null, null, null, null, null);
    }

    static Order pass(int problem, int number, long rounds, long until, String consistency) {
        return new Order("pass", problem, number, rounds, until, consistency);
    }

    static Order blocks(int problem, long rounds, String consistency, Blocks blocks) {
        return new Order(
                "blocks", problem, 0, rounds, Long.MAX_VALUE, consistency, blocks, null, null, null, null, null);
    }

    static Order vectors(int problem, long rounds, Vectors vectors) {
        return new Order("vectors", problem, 0, rounds, Long.MAX_VALUE, null, null, vectors, null, null, null, null);
    }

    static Order dual(int problem, long rounds, Dual dual) {
        return new Order("dual", problem, 0, rounds, Long.MAX_VALUE, null, null, null, dual, null, null, null);
    }

    static Order clocks(int problem, long rounds, String consistency, Clocks clocks) {
        return new Order(
                "clocks", problem, 0, rounds, clocks.until(), consistency, null, null, null, clocks, null, null);
    }

    static Order averages(int problem, int number, long rounds, Averages averages) {
        return new Order(
                "averages", problem, number, rounds, Long.MAX_VALUE, null, null, null, null, null, averages, null);
    }

    /// @param astray null if all weights are on the servers of their files
    static Order save(int problem, long epoch, Astray astray) {
        return new Order("save", problem, 0, 0, epoch, null, null, null, null, null, null, astray);
    }

    static Order of(String what, int problem) {
        return new Order(what, problem, 0, 0, 0, null);
    }

    static Order checkpoint(String what, long generation) {
        return new Order(what, 0, 0, 0, generation, null);
    }

    byte[] bytes() {
        return Json.bytes(this);
    }

    /// A pass of workers that average among themselves, or the end of it.
    ///
    /// @param generation rises with every order
    /// @param lives      by worker, the life in which it takes part
    /// @param writers    by worker, the part of the average that it tells servers; null for the pass itself
    record Averages(long generation, Map<Integer, Long> lives, Map<Integer, Integer> writers) {

        AveragingLoop.Round round(Order order, int self, Ticket enough) {
            return new AveragingLoop.Round(order.number, order.rounds, generation, self, lives.size(), enough);
        }
    }

    /// A round over blocks.
    ///
    /// @param what  `move` the weights, `measure` their gradient or that at the `origin`, where all are 0, or
    ///              `bound` the objective from below, for which nothing is sent
    /// @param scale for a bound: what slopes are multiplied by
    /// @param whole whether filters may lose nothing of what is pushed
    /// @param holding the number of the round among those in which weights move, from 1, if servers leave small
    ///                steps for later; 0 if they take all
    record Blocks(
            String what,
            double step,
            double momentum,
            double slack,
            double falls,
            double rises,
            double scale,
            boolean whole,
            int holding) {

        static Blocks move(double step, double momentum, double slack, int holding) {
            return new Blocks("move", step, momentum, slack, 1, 1, 1, false, holding);
        }

        /// @param what `measure` or `origin`
        static Blocks look(String what, double falls, double rises, int holding) {
            return new Blocks(what, 1, 0, Double.POSITIVE_INFINITY, falls, rises, 1, false, holding);
        }

        static Blocks bound(double falls, double rises, double scale) {
            return new Blocks("bound", 1, 0, 0, falls, rises, scale, false, 0);
        }

        Blocks asWhole() {
            return new Blocks(what, step, momentum, slack, falls, rises, scale, true, holding);
        }

        BlockLoop.Round round(long number, int delay, Ticket enough) {
            BlockLoop.Aim aim = switch (what) {
                case "measure" -> BlockLoop.Aim.MEASURE;
                case "origin" -> BlockLoop.Aim.MEASURE_ORIGIN;
                default -> BlockLoop.Aim.MOVE;
            };
            return new BlockLoop.Round(number, aim, step, momentum, slack, falls, rises, whole, holding, delay, enough);
        }
    }

    /// A round of clocks, the last of which measures (see [ProximalLoop.Round]).
    record Clocks(
            long until, int moves, double leap, boolean origin, double step, double falls, double rises, double scale) {

        /// One clock, that measures the gradient.
        static final Clocks MEASURE = new Clocks(0, 0, Double.NaN, false, 1, 1, 1, 1);

        /// The same at the origin, where all weights are 0.
        static final Clocks ORIGIN = new Clocks(0, 0, Double.NaN, true, 1, 1, 1, 1);

        /// @param far how far weights leap first; NaN if they do not
        static Clocks moves(int many, double far, double length) {
            return new Clocks(0, many, far, false, length, 1, 1, 1);
        }

        /// How many clocks it takes.
        int count() {
            return (Double.isNaN(leap) ? 0 : 1) + moves + 1;
        }

        Clocks until(long clock) {
            return new Clocks(clock, moves, leap, origin, step, falls, rises, scale);
        }

        Clocks balanced(Balance by) {
            return new Clocks(until, moves, leap, origin, step, by.falls(), by.rises(), scale);
        }

        Clocks scaled(double factor) {
            return new Clocks(until, moves, leap, origin, step, falls, rises, factor);
        }

        ProximalLoop.Round round(int delay, Ticket enough) {
            return new ProximalLoop.Round(until, moves, leap, origin, step, falls, rises, scale, delay, enough);
        }
    }

    /// What is done with vectors.
    ///
    /// @param what   servers `turn` or `slide`; workers `look` at the point, each at any batches or at those of
    ///               its `own` streams, `push` what they saw there, say by a `tick` that a round is over, what
    ///               the loss is `between` the point and its base, or bound it from below by its `dual`
    /// @param change what servers are told
    /// @param shares by stream, the portions whose gradient it pushes, if its worker may not know
    /// @param number how far between, what slopes are multiplied by, or of how many batches streams have their own
    record Vectors(
            String what,
            Figures change,
            GradientLoop.Point point,
            Map<Integer, List<GradientLoop.Portion>> shares,
            double number) {

        Vectors at(double other) {
            return new Vectors(what, change, point, shares, other);
        }

        Vectors sharing(Map<Integer, List<GradientLoop.Portion>> settled) {
            return new Vectors(what, change, point, settled, number);
        }
    }

    /// A round of dual coordinate ascent.
    ///
    /// @param falls what slopes below 0 are multiplied by, to balance them
    /// @param rises the same of those above
    record Dual(DualLoop.Aim aim, DualLoop.Intercept intercept, double falls, double rises) {

        DualLoop.Round round(long rounds, Ticket enough) {
            // Nothing is sent to look: the streams are where they should be.
            long number = aim == DualLoop.Aim.LOOK ? rounds - 1 : rounds;
            return new DualLoop.Round(number, aim, intercept, falls, rises, enough);
        }
    }
}
