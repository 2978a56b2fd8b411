package tandem.bench.spark;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tandem.bench.Notes;
import tandem.bench.Ratio;

/// How long does a factorisation machine take to be as good on held-out rows as MLlib's after all of its iterations,
/// with as many factors a feature?
///
/// Tandem takes as few passes as that needs, which are found first and are not timed.
record FactorPart(Clicked clicks, double target, Notes notes) {

    private static final int FACTORS = 8;
    private static final int ITERATIONS = 100;

    /// The best of those tried: its own default of 1 ends at a logloss of 58 on 100,000 rows, 0.1 at 1.8, 0.02 at 0.79,
    /// 0.005 at 0.53 and 0.001 at 0.54, after 40 iterations; a constant has 0.56.
    private static final double STEP = 0.005;

    private static final int MOST_PASSES = 20;

    String title() {
        return "factorisation machine, %,d rows, %,d features, %d factors each"
                .formatted(clicks.settings().rows, clicks.features(), FACTORS);
    }

    Findings run() throws IOException {
        try (StageProcess theirs = clicks.factors(Play.System.MLLIB, FACTORS, STEP);
                StageProcess ours = clicks.factors(Play.System.TANDEM, FACTORS, STEP)) {
            List<Answer> mine = new ArrayList<>();
            List<Answer> others = new ArrayList<>();
            int[] passes = {0};
            Rounds.run(clicks.settings(), round -> {
                say("round %d of %d".formatted(round, clicks.settings().rounds));
                others.add(theirs.play(new Order(ITERATIONS, 0, false)));
                if (round == 1) {
                    passes[0] = passes(ours, others.getFirst().heldOut());
                }
                mine.add(ours.play(new Order(passes[0], 0, false)));
            });
            SparkRow own = SparkRow.of(title(), "tandem, passes: " + passes[0], mine, Double.NaN);
            SparkRow other =
                    SparkRow.of(title(), "FMClassifier, %d iterations".formatted(ITERATIONS), others, Double.NaN);
            return new Findings(List.of(own, other), ratios(own, other), null);
        } catch (StageProcess.Ended e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private int passes(StageProcess ours, double goal) throws IOException {
        say("finding how many passes Tandem needs");
        int passes = 1;
        while (passes < MOST_PASSES && ours.play(new Order(passes, 0, false)).heldOut() > goal) {
            passes++;
        }
        return passes;
    }

    private List<Ratio> ratios(SparkRow own, SparkRow other) {
        return List.of(
                Ratio.atLeast(
                        target,
                        title(),
                        "times as fast as FMClassifier, best of each",
                        other.wallSeconds() / own.wallSeconds()),
                Ratio.plain(title(), "CPU time of FMClassifier against ours", other.cpuSeconds() / own.cpuSeconds()),
                Ratio.atMost(
                        1, title(), "held-out logloss against that of FMClassifier", own.logloss() / other.logloss()),
                Ratio.atMost(
                        1,
                        title(),
                        "heap after collections against that of FMClassifier",
                        (double) own.heapBytes() / other.heapBytes()));
    }

    private void say(String what) {
        notes.progress(title() + ": " + what);
    }
}
