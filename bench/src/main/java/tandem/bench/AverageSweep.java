package tandem.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tandem.CacheUse;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.Trained;
import tandem.Where;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.report.Chart;
import tandem.report.LearningCurve;
import tandem.simulate.Network;
import tandem.worker.Local;
import tandem.worker.Local.Averaging.Exchange;

/// How long does averaging take to a held-out loss, and how many bytes, when workers take τ steps of their own between
/// two averages, beside the parameter server on the same machines? Published (Moritz et al. 2016): the faster it is
/// than synchronous SGD (τ = 1) the dearer communication is, up to 3 times and more; τ of 50 to 100 is good where
/// bandwidth is low, and a τ too large hurts.
///
/// Learning rates are chosen on other rows than those that are reported. What a look at held-out rows takes is no part
/// of the time; between two looks, at the ends of passes, losses are taken to fall evenly.
record AverageSweep(SolverSettings settings, Workspace work, Notes notes) implements Part {

    private static final String NAME =
            "averaging: time to 1 % above adagrad's best held-out loss, 4 workers, 2 servers, simulated";
    private static final int[] EVERY = {1, 5, 10, 20, 50, 100, 400};
    private static final Network GIGABIT = new Network(100_000, 0, 1.25e8, 0, 0);
    private static final Network SLOW = new Network(100_000, 0, 1.25e7, 0, 0);
    private static final int WORKERS = 4;
    private static final int STEP = 16;
    private static final long ROWS = 25_600;
    private static final int PASSES = 8;
    private static final double NEAR = 1.01;
    private static final double[] RATES = {0.03, 0.1, 0.3, 1, 3};
    private static final double LEAST_SCALE = 0.1;
    private static final double NOT_REACHED = 1e9;
    private static final String SECONDS = "virtual s";
    private static final String BYTES = "MB";

    /// What is compared, as it is with a learning rate.
    ///
    /// @param exchange null for the parameter server
    /// @param every    steps of a worker between two exchanges; 0 where it takes none
    /// @param rule     of servers; null where workers take steps
    private record Way(String label, Exchange exchange, int every, Solver.Rule rule, String consistency, int rows) {

        static Way averaging(Exchange exchange, int every) {
            return new Way(
                    "%s, every %d".formatted(exchange.name().toLowerCase(Locale.ROOT), every),
                    exchange,
                    every,
                    null,
                    "bsp",
                    STEP);
        }

        static Way server(Solver.Rule rule, String consistency, int rows) {
            return new Way(
                    "%s %s, %d rows".formatted(rule.label(), consistency, rows), null, 0, rule, consistency, rows);
        }

        /// The parameter server with so many steps of a worker between two exchanges.
        static Way downpour(int steps) {
            return new Way("downpour async, %d steps".formatted(steps), null, steps, null, "async", steps * STEP);
        }

        Solver.Online solver(double rate) {
            if (exchange == null && rule == null) {
                return Solver.Online.downpour()
                        .withAlpha(rate)
                        .withLocal(new Local.Downpour(every, every, Local.Downpour.AUTOMATIC, 0));
            }
            return exchange == null
                    ? Solver.Online.of(rule).withAlpha(rate)
                    : Solver.Online.averaging(Solver.Rule.ADAGRAD)
                            .withRows(rows)
                            .withAlpha(rate)
                            .withLocal(Local.Averaging.DEFAULT.withEvery(every).withExchange(exchange));
        }
    }

    private static final Way BASE = Way.server(Solver.Rule.ADAGRAD, "async", 64);

    /// Rows to learn from, to choose by, and to report.
    private record Rows(Data training, Data chosenBy, Data reported) {}

    /// How a training went.
    ///
    /// @param seconds of training alone, at the end of each pass
    /// @param losses  on held-out rows, likewise
    private record Trail(List<Double> seconds, List<Double> losses, double bytesAPass) {

        double best() {
            return losses.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        }

        /// After how many passes the loss is so low; NaN for never.
        double passes(Goal goal) {
            double last = goal.before;
            for (int k = 0; k < losses.size(); k++) {
                if (losses.get(k) <= goal.loss) {
                    return k + (last - goal.loss) / (last - losses.get(k));
                }
                last = losses.get(k);
            }
            return Double.NaN;
        }

        double secondsAfter(double passes) {
            if (Double.isNaN(passes)) {
                return Double.NaN;
            }
            int whole = Math.min((int) passes, seconds.size() - 1);
            double start = whole == 0 ? 0 : seconds.get(whole - 1);
            return start + (passes - whole) * (seconds.get(whole) - start);
        }
    }

    @Override
    public Findings run() throws Exception {
        List<Way> ways = Stream.of(
                        Stream.of(
                                BASE,
                                Way.server(Solver.Rule.ADAGRAD, "async", 512),
                                Way.server(Solver.Rule.ADAGRAD, "ssp:3", 64),
                                Way.server(Solver.Rule.FTRL, "async", 64),
                                Way.server(Solver.Rule.FTRL, "ssp:3", 64),
                                Way.downpour(10),
                                Way.downpour(50)),
                        IntStream.of(EVERY).mapToObj(every -> Way.averaging(Exchange.SERVER, every)),
                        IntStream.of(EVERY).mapToObj(every -> Way.averaging(Exchange.RING, every)))
                .flatMap(some -> some)
                .toList();
        Map<Way, Double> rates = new LinkedHashMap<>();
        Rows first = rows(settings.seed);
        double lowest = lowest(first);
        Goal tuning = goal(lowest, first.training, first.chosenBy, settings.seed);
        for (Way way : ways) {
            rates.put(way, chosen(way, first, tuning));
            notes.progress("averaging: %s takes the rate %s".formatted(way.label, rates.get(way)));
        }
        Map<String, List<Map<String, Double>>> results = new LinkedHashMap<>();
        for (long seed = settings.seed; seed < settings.seed + settings.rounds; seed++) {
            notes.progress("averaging: seed %d".formatted(seed));
            Rows own = rows(seed);
            Goal goal = goal(lowest, own.training, own.reported, seed);
            for (Way way : ways) {
                Trail trail = train(way, rates.get(way), own.training, own.reported, GIGABIT, seed);
                results.computeIfAbsent(way.label, _ -> new ArrayList<>()).add(figures(trail, goal, rates.get(way)));
                if (way.exchange == Exchange.RING) {
                    Trail slow = train(way, rates.get(way), own.training, own.reported, SLOW, seed);
                    results.computeIfAbsent(way.label + ", 100 Mbit/s", _ -> new ArrayList<>())
                            .add(figures(slow, goal, rates.get(way)));
                }
            }
        }
        List<SeedsRow> rows = results.entrySet().stream()
                .map(one -> SeedsRow.of(NAME, one.getKey(), "", one.getValue()))
                .toList();
        draw(rows);
        return new Findings(rows, conclude(rows));
    }

    /// A loss to reach.
    ///
    /// @param before that of a constant, with which training begins
    private record Goal(double loss, double before) {}

    private Goal goal(double rate, Data training, Data held, long seed) throws Exception {
        double best = train(BASE, rate, training, held, GIGABIT, seed).best();
        return new Goal(NEAR * best, entropy(Path.of(held.paths().getFirst())));
    }

    /// The logloss of the share of clicks.
    private static double entropy(Path file) throws Exception {
        try (Stream<String> lines = Files.lines(file)) {
            double share = lines.mapToInt(line -> line.startsWith("1") ? 1 : 0)
                    .average()
                    .orElseThrow();
            return -share * Math.log(share) - (1 - share) * Math.log(1 - share);
        }
    }

    private static Map<String, Double> figures(Trail trail, Goal goal, double rate) {
        double passes = trail.passes(goal);
        Map<String, Double> found = new LinkedHashMap<>();
        found.put(SECONDS, trail.secondsAfter(passes));
        found.put(BYTES, passes * trail.bytesAPass / 1e6);
        found.put("passes", passes);
        found.put("s a pass", trail.seconds.getLast() / trail.seconds.size());
        found.put("best logloss", trail.best());
        found.put("rate", rate);
        return found;
    }

    /// Of few rows there is nothing to choose by.
    private double[] rates() {
        return settings.scale < LEAST_SCALE ? new double[] {RATES[1]} : RATES;
    }

    /// The rate with which the parameter server comes lowest.
    private double lowest(Rows rows) throws Exception {
        double best = rates()[0];
        double least = Double.POSITIVE_INFINITY;
        for (double rate : rates()) {
            double loss = train(BASE, rate, rows.training, rows.chosenBy, GIGABIT, settings.seed)
                    .best();
            best = loss < least ? rate : best;
            least = Math.min(loss, least);
        }
        return best;
    }

    /// The rate that gets there first; where none does, that which comes lowest.
    private double chosen(Way way, Rows rows, Goal goal) throws Exception {
        double best = rates()[0];
        double least = Double.POSITIVE_INFINITY;
        for (double rate : rates()) {
            Trail trail = train(way, rate, rows.training, rows.chosenBy, GIGABIT, settings.seed);
            double seconds = trail.secondsAfter(trail.passes(goal));
            double measure = Double.isNaN(seconds) ? NOT_REACHED + trail.best() : seconds;
            best = measure < least ? rate : best;
            least = Math.min(measure, least);
        }
        return best;
    }

    private Rows rows(long seed) throws Exception {
        Clicks clicks =
                Clicks.DEFAULT.withSeed(seed).withRows(settings.scaled(ROWS)).withFeatures(20_000);
        long fifth = clicks.rows() / 5;
        return new Rows(
                data("average-%d.svm".formatted(seed), clicks),
                data("average-chosen-%d.svm".formatted(seed), clicks.next(fifth)),
                data(
                        "average-reported-%d.svm".formatted(seed),
                        clicks.next(fifth).next(fifth)));
    }

    private Data data(String name, Clicks clicks) throws Exception {
        return Data.of(work.clicks(name, clicks, notes).toString());
    }

    private Trail train(Way way, double rate, Data data, Data held, Network network, long seed) throws Exception {
        Linear linear = Linear.DEFAULT
                .withSeed(seed)
                .withSolver(way.solver(rate).withPasses(PASSES).withPatience(0));
        Trained trained = LinearTraining.of(linear, data)
                .withCache(new CacheUse.Auto(work.folder()))
                .withMeasured(false)
                .withValidation(held)
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(WORKERS, 2)
                        .withConsistency(way.consistency)
                        .withBatchRows(way.rows)
                        .withWhere(new Where.Simulated(network, 25, 0, 1).withNoise(0.3)))
                .run();
        List<Double> seconds = new ArrayList<>();
        List<Double> losses = new ArrayList<>();
        double trainedFor = 0;
        double began = 0;
        for (LearningCurve.Point point : trained.curve().points()) {
            if (Double.isNaN(point.validationLoss())) {
                trainedFor += point.seconds() - began;
                began = point.seconds();
            } else {
                seconds.add(trainedFor);
                losses.add(point.validationLoss());
                began = point.seconds();
            }
        }
        JsonNode bytes = trained.report().tree().path("bytes");
        return new Trail(seconds, losses, bytes.path("sent").asDouble() / PASSES);
    }

    private static double[] medians(List<SeedsRow> rows, String way, String after) {
        return IntStream.of(EVERY)
                .mapToDouble(every ->
                        row(rows, "%s, every %d%s".formatted(way, every, after)).median(SECONDS))
                .toArray();
    }

    private static SeedsRow row(List<SeedsRow> rows, String system) {
        return rows.stream()
                .filter(row -> row.system().equals(system))
                .findFirst()
                .orElseThrow();
    }

    /// The place of the least number; NaN is none.
    private static int least(double[] numbers) {
        int best = 0;
        for (int n = 1; n < numbers.length; n++) {
            best = Double.isNaN(numbers[best]) || numbers[n] < numbers[best] ? n : best;
        }
        return best;
    }

    private List<Ratio> conclude(List<SeedsRow> rows) {
        List<Ratio> ratios = new ArrayList<>();
        double[] ring = medians(rows, "ring", "");
        double[] slow = medians(rows, "ring", ", 100 Mbit/s");
        double[] server = medians(rows, "server", "");
        double base = row(rows, BASE.label).median(SECONDS);
        double faster = ring[0] / ring[least(ring)];
        double fasterSlow = slow[0] / slow[least(slow)];
        ratios.add(Ratio.plain(NAME, "ring: times faster with the best τ than with 1", faster));
        ratios.add(Ratio.plain(NAME, "ring at 100 Mbit/s: times faster with the best τ than with 1", fasterSlow));
        ratios.add(Ratio.plain(
                NAME, "servers: times faster with the best τ than with 1", server[0] / server[least(server)]));
        ratios.add(Ratio.plain(
                NAME,
                "parameter server (adagrad async): times faster than the best averaging",
                Math.min(ring[least(ring)], server[least(server)]) / base));
        notes.remark("averaging: %s: the best τ of the ring is %d at 1 Gbit/s, %s times faster than 1, and %d at 100"
                        .formatted(
                                Verdict.of(faster > 1.5, fasterSlow > faster, least(ring) < EVERY.length - 1),
                                EVERY[least(ring)],
                                Outcome.number(faster),
                                EVERY[least(slow)])
                + " Mbit/s, %s times (published: faster the dearer communication is; too large a τ hurts)"
                        .formatted(Outcome.number(fasterSlow)));
        return ratios;
    }

    private void draw(List<SeedsRow> rows) throws Exception {
        double[] every = IntStream.of(EVERY).mapToDouble(one -> one).toArray();
        double base = row(rows, BASE.label).median(SECONDS);
        settings.draw(
                "solvers-averaging",
                Chart.powers(
                        "time to the same held-out loss",
                        "steps between two averages",
                        "virtual seconds",
                        List.of(
                                reached("ring", every, medians(rows, "ring", "")),
                                reached("ring, 100 Mbit/s", every, medians(rows, "ring", ", 100 Mbit/s")),
                                reached("servers", every, medians(rows, "server", "")),
                                new Chart.Line(
                                        BASE.label, new double[] {1, EVERY[EVERY.length - 1]}, new double[] {base, base
                                        }))));
    }

    /// The line of those that got there.
    private static Chart.Line reached(String name, double[] x, double[] y) {
        int[] there =
                IntStream.range(0, y.length).filter(k -> !Double.isNaN(y[k])).toArray();
        return new Chart.Line(
                name,
                IntStream.of(there).mapToDouble(k -> x[k]).toArray(),
                IntStream.of(there).mapToDouble(k -> y[k]).toArray());
    }
}
