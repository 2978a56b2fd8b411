package tandem.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tandem.problem.Separable;
import tandem.report.Chart;
import tandem.server.UpdateRule;
import tandem.solver.AdaDelay;
import tandem.solver.AdaGrad;
import tandem.wire.Age;

/// AdaDelay beside AdaGrad and beside steps for the longest delay, where the delays of updates have a heavy tail: how
/// far above the least the expected logistic loss ends. Published (Sra et al. 2016): steps from the real delay
/// converge faster than both, the more the longer the delays.
///
/// Each rule has the best of six learning rates, chosen on other seeds than those that are reported.
record LateSteps(SolverSettings settings, Notes notes) implements Part {

    private static final int WEIGHTS = 20;
    private static final int EXAMPLES = 4;
    private static final int TESTED = 4_000;
    private static final int[] LONGEST = {20, 200, 1_000};
    private static final double[] RATES = {0.03, 0.1, 0.3, 1, 3, 10};
    private static final int TUNING_SEEDS = 3;
    private static final long TUNING_FROM = 1_000_000;
    private static final String EXCESS = "excess loss";

    /// The rule that makes update t, which is so late, with this learning rate.
    private interface Way {
        UpdateRule rule(double alpha, int t, int delay, int longest);
    }

    private enum Rule {
        ADADELAY(
                "adadelay",
                "least",
                (alpha, t, delay, _) -> new AdaDelay(alpha, 0, Separable.NONE).aged(new Age(t - delay, t))),
        ADAGRAD("adagrad", "more", (alpha, _, _, _) -> new AdaGrad(alpha, 0, Separable.NONE)),
        LONGEST(
                "steps for the longest delay",
                "more",
                (alpha, t, _, longest) -> new WorstCase(alpha, Math.sqrt((t + 1.0 + longest) / (t + 1))));

        private final String label;
        private final String published;
        private final Way way;

        Rule(String label, String published, Way way) {
            this.label = label;
            this.published = published;
            this.way = way;
        }
    }

    /// Steps α/(c·√(t + longest delay)), where c² is the mean of g² (Agarwal and Duchi 2011, one weight at a time).
    private record WorstCase(double alpha, double shorter) implements UpdateRule {

        @Override
        public int columns() {
            return 2;
        }

        @Override
        public void update(float[] e, int at, float g) {
            throw new UnsupportedOperationException("weights are doubles here");
        }

        @Override
        public void update(double[] e, int at, double g) {
            e[at + 1] += g * g;
            e[at] -= alpha / (shorter * Math.sqrt(e[at + 1])) * g;
        }
    }

    @Override
    public Findings run() throws Exception {
        List<SeedsRow> rows = new ArrayList<>();
        Map<Rule, double[]> medians = new LinkedHashMap<>();
        int updates = (int) settings.scaled(8_000);
        for (int l = 0; l < LONGEST.length; l++) {
            String part =
                    "adadelay: loss after %,d updates, delays of a heavy tail up to %,d".formatted(updates, LONGEST[l]);
            notes.progress(part);
            for (Rule rule : Rule.values()) {
                double rate = tuned(rule, LONGEST[l], updates);
                List<Map<String, Double>> results = new ArrayList<>();
                for (long seed = settings.seed; seed < settings.seed + settings.rounds; seed++) {
                    Map<String, Double> found = new LinkedHashMap<>();
                    found.put(EXCESS, new Drift(seed, rule.way, LONGEST[l], updates).excess(rate));
                    found.put("rate", rate);
                    results.add(found);
                }
                SeedsRow row = SeedsRow.of(part, rule.label, rule.published, results);
                rows.add(row);
                medians.computeIfAbsent(rule, _ -> new double[LONGEST.length])[l] = row.median(EXCESS);
            }
        }
        draw(medians);
        return new Findings(rows, conclude(medians));
    }

    private double tuned(Rule rule, int longest, int updates) {
        double best = RATES[0];
        double least = Double.POSITIVE_INFINITY;
        for (double rate : RATES) {
            double sum = 0;
            for (long seed = TUNING_FROM; seed < TUNING_FROM + TUNING_SEEDS; seed++) {
                sum += new Drift(seed, rule.way, longest, updates).excess(rate);
            }
            if (sum < least) {
                least = sum;
                best = rate;
            }
        }
        return best;
    }

    private List<Ratio> conclude(Map<Rule, double[]> medians) {
        int last = LONGEST.length - 1;
        double adaptive = medians.get(Rule.ADADELAY)[last];
        double plain = medians.get(Rule.ADAGRAD)[last] / adaptive;
        double worst = medians.get(Rule.LONGEST)[last] / adaptive;
        notes.remark("adadelay: %s: with delays up to %,d the excess loss is %s times AdaDelay's under AdaGrad and %s"
                        .formatted(
                                Verdict.of(plain > 1.05, worst > 1.05),
                                LONGEST[last],
                                Outcome.number(plain),
                                Outcome.number(worst))
                + " times under steps for the longest delay (published: both more)");
        String part = "adadelay: loss after %,d updates, delays of a heavy tail up to %,d"
                .formatted(settings.scaled(8_000), LONGEST[last]);
        return List.of(
                Ratio.plain(part, "excess loss of adagrad against adadelay", plain),
                Ratio.plain(part, "excess loss of steps for the longest delay against adadelay", worst));
    }

    private void draw(Map<Rule, double[]> medians) throws Exception {
        double[] longest = {LONGEST[0], LONGEST[1], LONGEST[2]};
        settings.draw(
                "solvers-adadelay",
                new Chart(
                        "excess loss against the longest delay",
                        "longest delay",
                        "excess loss",
                        medians.entrySet().stream()
                                .map(one -> new Chart.Line(one.getKey().label, longest, one.getValue()))
                                .toList()));
    }

    /// Updates of a logistic regression by four examples each, at the weights of some updates ago.
    private record Drift(long seed, Way way, int longest, int updates) {

        /// How far above that of the true weights the expected loss ends.
        double excess(double alpha) {
            Random chance = new Random(seed);
            double[] truth = chance.doubles(WEIGHTS, -1.5, 1.5).toArray();
            double[][] history = new double[longest + 1][WEIGHTS];
            double[][] entries = new double[WEIGHTS][2];
            for (int t = 0; t < updates; t++) {
                int delay = Math.min(t, (int) Math.min(longest, 3 / chance.nextDouble() - 3));
                double[] then = history[(t - delay) % history.length];
                double[] gradient = new double[WEIGHTS];
                for (int example = 0; example < EXAMPLES; example++) {
                    double[] x = example(chance);
                    double y = chance.nextDouble() < 1 / (1 + Math.exp(-dot(x, truth))) ? 1 : -1;
                    double slope = -y / (1 + Math.exp(y * dot(x, then)));
                    for (int j = 0; j < WEIGHTS; j++) {
                        gradient[j] += slope * x[j];
                    }
                }
                UpdateRule now = way.rule(alpha, t, delay, longest);
                for (int j = 0; j < WEIGHTS; j++) {
                    now.update(entries[j], 0, gradient[j]);
                    history[(t + 1) % history.length][j] = entries[j][0];
                }
            }
            return above(truth, history[updates % history.length]);
        }

        private static double above(double[] truth, double[] weights) {
            Random chance = new Random(99);
            double sum = 0;
            for (int example = 0; example < TESTED; example++) {
                double[] x = example(chance);
                double p = 1 / (1 + Math.exp(-dot(x, truth)));
                sum += expected(p, dot(x, weights)) - expected(p, dot(x, truth));
            }
            return sum / TESTED;
        }

        /// Half of the features are small.
        private static double[] example(Random chance) {
            double[] x = chance.doubles(WEIGHTS, -1.5, 1.5).toArray();
            for (int j = WEIGHTS / 2; j < WEIGHTS; j++) {
                x[j] *= 0.3;
            }
            return x;
        }

        private static double expected(double p, double score) {
            return p * Math.log1p(Math.exp(-score)) + (1 - p) * Math.log1p(Math.exp(score));
        }

        private static double dot(double[] a, double[] b) {
            double sum = 0;
            for (int j = 0; j < a.length; j++) {
                sum += a[j] * b[j];
            }
            return sum;
        }
    }
}
