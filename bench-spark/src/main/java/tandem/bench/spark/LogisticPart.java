package tandem.bench.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tandem.CacheUse;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.bench.Ladder;
import tandem.bench.Notes;
import tandem.bench.Outcome;
import tandem.bench.Ratio;
import tandem.data.Data;
import tandem.problem.Separable;

/// How long does logistic regression take to come within 1e-3 of the optimum?
///
/// MLlib takes as few iterations as come so near, and Tandem the loosest tolerance; both are found first, and are not
/// timed. What is timed is `fit` on a data frame in memory, everything in it.
///
/// @param l1Share how much of the penalty is L1
/// @param target  how many times as fast Tandem should be; NaN if there is none
record LogisticPart(Clicked clicks, double l1Share, double target, Notes notes) {

    private static final double NEAR = 1e-3;
    private static final double REFERENCE = 1e-6;
    private static final double STRENGTH = 1e-5;
    private static final int FIRST_ITERATIONS = 16;
    private static final int MOST_ITERATIONS = 256;
    private static final int MOST_PASSES = 1_000;

    String title() {
        return "%s logistic regression to 1e-3, %,d rows, %,d features"
                .formatted(l1Share == 1 ? "L1" : "L2", clicks.settings().rows, clicks.features());
    }

    Findings run() throws IOException {
        say("finding the optimum");
        double optimum = optimum();
        try (StageProcess theirs = clicks.logistic(Play.System.MLLIB, STRENGTH, l1Share)) {
            say("finding how many iterations MLlib needs");
            return beside(theirs, iterations(theirs, optimum), optimum);
        } catch (StageProcess.Ended e) {
            say("MLlib alone has failed");
            return alone(e, optimum);
        }
    }

    private Findings beside(StageProcess theirs, int iterations, double optimum) throws IOException {
        try (StageProcess ours = clicks.logistic(Play.System.TANDEM, STRENGTH, l1Share)) {
            say("finding the tolerance of Tandem");
            double tolerance = tolerance(ours, optimum);
            List<Answer> mine = new ArrayList<>();
            List<Answer> others = new ArrayList<>();
            Rounds.run(clicks.settings(), round -> {
                say("round %d of %d".formatted(round, clicks.settings().rounds));
                others.add(theirs.play(new Order(iterations, 0, true)));
                mine.add(ours.play(new Order(MOST_PASSES, tolerance, true)));
            });
            SparkRow own = SparkRow.of(title(), name(tolerance), mine, optimum);
            SparkRow other = SparkRow.of(title(), "MLlib, %d iterations".formatted(iterations), others, optimum);
            return new Findings(List.of(own, other), ratios(own, other), null);
        } catch (StageProcess.Ended e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private Findings alone(StageProcess.Ended why, double optimum) throws IOException {
        String missing = "MLlib with %,d features in a heap of %s: %s"
                .formatted(clicks.features(), clicks.settings().heap, why.getMessage());
        try (StageProcess ours = clicks.logistic(Play.System.TANDEM, STRENGTH, l1Share)) {
            double tolerance = tolerance(ours, optimum);
            List<Answer> mine = new ArrayList<>();
            Rounds.run(clicks.settings(), _ -> mine.add(ours.play(new Order(MOST_PASSES, tolerance, true))));
            return new Findings(List.of(SparkRow.of(title(), name(tolerance), mine, optimum)), List.of(), missing);
        }
    }

    private void say(String what) {
        notes.progress(title() + ": " + what);
    }

    private static String name(double tolerance) {
        return "tandem, tolerance " + Outcome.number(tolerance);
    }

    private List<Ratio> ratios(SparkRow own, SparkRow other) {
        return List.of(
                faster("times as fast as MLlib, best of each", other.wallSeconds() / own.wallSeconds()),
                faster("times as fast as MLlib, medians", other.medianSeconds() / own.medianSeconds()),
                Ratio.plain(title(), "CPU time of MLlib against ours", other.cpuSeconds() / own.cpuSeconds()),
                Ratio.atMost(NEAR, title(), "objective above the optimum, the worst of ours", own.above()),
                Ratio.atMost(
                        1 + NEAR, title(), "held-out logloss against that of MLlib", own.logloss() / other.logloss()),
                Ratio.atMost(
                        1,
                        title(),
                        "heap after collections against that of MLlib",
                        (double) own.heapBytes() / other.heapBytes()));
    }

    private Ratio faster(String what, double value) {
        return Double.isNaN(target) ? Ratio.plain(title(), what, value) : Ratio.atLeast(target, title(), what, value);
    }

    /// The least mean loss and penalty, by a solver of its own, in this process.
    private double optimum() throws IOException {
        double sum = STRENGTH * clicks.settings().rows;
        Linear linear = Linear.DEFAULT
                .withPenalty(Separable.NONE.withL1(sum * l1Share).withL2(sum * (1 - l1Share)))
                .withIntercept(true)
                .withThreads(2)
                .withSolver(new Solver.Batch(REFERENCE, 10_000));
        return LinearTraining.of(linear, Data.of(clicks.training().toString()))
                        .withCache(new CacheUse.Auto(clicks.work().folder()))
                        .run()
                        .report()
                        .tree()
                        .path("objective")
                        .asDouble()
                / clicks.settings().rows;
    }

    /// Iterations do not depend on how many more there may be.
    private static int iterations(StageProcess stage, double optimum) throws IOException {
        for (int most = FIRST_ITERATIONS; ; most *= 2) {
            double[] history = stage.play(new Order(most, 0, false)).history();
            for (int k = 1; k < history.length; k++) {
                if (history[k] <= optimum * (1 + NEAR)) {
                    return k;
                }
            }
            if (most >= MOST_ITERATIONS) {
                return most;
            }
        }
    }

    private static double tolerance(StageProcess stage, double optimum) throws IOException {
        Map<Double, Double> excess = new HashMap<>();
        try {
            return Ladder.loosest(NEAR, tolerance -> {
                if (!excess.containsKey(tolerance)) {
                    Answer answer = stage.play(new Order(MOST_PASSES, tolerance, true));
                    excess.put(tolerance, answer.objective() / optimum - 1);
                }
                return excess.get(tolerance);
            });
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
