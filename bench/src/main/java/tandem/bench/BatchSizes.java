package tandem.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tandem.CacheUse;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.Where;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.report.Chart;
import tandem.simulate.Network;
import tandem.worker.Local;

/// Held-out loss against the rows of a batch, from 10² to 10⁵ or all there are, at equal time: EMSO beside minibatch
/// SGD and AdaGrad. Published (Li et al. 2014): EMSO hardly depends on the size of batches, SGD gets worse with it.
///
/// All have as much simulated time as the slowest of them needs for one pass over the data. Learning rates and γ are
/// chosen on other rows than those that are reported.
record BatchSizes(SolverSettings settings, Workspace work, Notes notes) implements Part {

    private static final String NAME = "emso: held-out logloss against rows a batch, equal time, 4 workers, simulated";
    private static final Network GIGABIT = new Network(100_000, 0, 1.25e8, 0, 0);
    private static final int WORKERS = 4;
    private static final long ROWS = 50_000;
    private static final int MOST_PASSES = 10;
    private static final double[] FACTORS = {0.04, 0.2, 1, 5, 25};
    private static final String LOSS = "logloss";

    /// What is compared, as it is with so many times its usual learning rate or γ.
    private enum Way {
        sgd,
        adagrad,
        emso_gd,
        emso_cd;

        Solver.Online solver(double factor, int batch) {
            return switch (this) {
                // Steps are by the summed gradient of a batch.
                case sgd -> Solver.Online.of(Solver.Rule.SGD).withAlpha(factor * 10 / batch);
                case adagrad -> Solver.Online.of(Solver.Rule.ADAGRAD).withAlpha(factor * 0.1);
                case emso_gd -> emso(Local.Emso.By.GRADIENT, factor);
                case emso_cd -> emso(Local.Emso.By.COORDINATE, factor);
            };
        }

        private static Solver.Online emso(Local.Emso.By by, double factor) {
            Local.Emso usual = Local.Emso.by(by);
            return Solver.Online.emso(by).withLocal(usual.withGamma(factor * usual.gamma()));
        }

        String label() {
            return name().replace('_', '-');
        }
    }

    /// A way with batches of one size, and how long a pass takes it.
    private record Cell(Way way, int batch, double passSeconds) {

        String label() {
            return "%s, %,d rows".formatted(way.label(), batch);
        }
    }

    /// Rows to learn from, to choose by, and to report.
    private record Rows(Data training, Data chosenBy, Data reported) {}

    @Override
    public Findings run() throws Exception {
        int[] sizes = IntStream.of(100, 1_000, 10_000, 100_000)
                .map(size -> (int) Math.min(size, settings.scaled(ROWS)))
                .distinct()
                .toArray();
        Rows first = rows(settings.seed);
        List<Cell> cells = new ArrayList<>();
        for (Way way : Way.values()) {
            for (int size : sizes) {
                JsonNode one = train(way.solver(1, size), first.training, null, size, 1, settings.seed);
                cells.add(new Cell(way, size, one.path("seconds").asDouble()));
            }
        }
        double seconds = cells.stream().mapToDouble(Cell::passSeconds).max().orElseThrow();
        List<SeedsRow> rows = new ArrayList<>();
        for (Cell cell : cells) {
            rows.add(row(cell, seconds, first));
        }
        draw(rows, sizes);
        return new Findings(rows, conclude(rows, sizes.length));
    }

    private SeedsRow row(Cell cell, double seconds, Rows first) throws Exception {
        int passes = (int) Math.clamp(Math.floor(seconds / cell.passSeconds), 1, MOST_PASSES);
        notes.progress("emso: %s, %d passes".formatted(cell.label(), passes));
        double best = 1;
        double least = Double.POSITIVE_INFINITY;
        for (double factor : FACTORS) {
            Solver.Online solver = cell.way.solver(factor, cell.batch);
            double loss = loss(train(solver, first.training, first.chosenBy, cell.batch, passes, settings.seed));
            if (loss < least) {
                least = loss;
                best = factor;
            }
        }
        List<Map<String, Double>> results = new ArrayList<>();
        for (long seed = settings.seed; seed < settings.seed + settings.rounds; seed++) {
            Rows own = rows(seed);
            Solver.Online solver = cell.way.solver(best, cell.batch);
            Map<String, Double> found = new LinkedHashMap<>();
            found.put(LOSS, loss(train(solver, own.training, own.reported, cell.batch, passes, seed)));
            found.put("passes", (double) passes);
            found.put("times the usual setting", best);
            results.add(found);
        }
        String published = cell.way == Way.sgd ? "worse with larger batches" : cell.way == Way.adagrad ? "" : "flat";
        return SeedsRow.of(NAME, cell.label(), published, results);
    }

    private Rows rows(long seed) throws Exception {
        Clicks clicks =
                Clicks.DEFAULT.withSeed(seed).withRows(settings.scaled(ROWS)).withFeatures(20_000);
        long tenth = clicks.rows() / 5;
        return new Rows(
                data("train-%d.svm".formatted(seed), clicks),
                data("chosen-%d.svm".formatted(seed), clicks.next(tenth)),
                data("reported-%d.svm".formatted(seed), clicks.next(tenth).next(tenth)));
    }

    private Data data(String name, Clicks clicks) throws Exception {
        Path file = work.clicks(name, clicks, notes);
        return Data.of(file.toString());
    }

    private JsonNode train(Solver.Online solver, Data data, Data held, int batch, int passes, long seed)
            throws Exception {
        Linear linear = Linear.DEFAULT
                .withSeed(seed)
                .withSolver(solver.withPasses(passes).withPatience(0));
        LinearTraining job = LinearTraining.of(linear, data)
                .withCache(new CacheUse.Auto(work.folder()))
                .withMeasured(false)
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(WORKERS, 2)
                        .withConsistency("bsp")
                        .withBatchRows(Math.max(1, batch / WORKERS))
                        .withWhere(new Where.Simulated(GIGABIT, 25, 0, 1)));
        return (held == null ? job : job.withValidation(held)).run().report().tree();
    }

    private static double loss(JsonNode report) {
        return report.at("/metrics/logloss").asDouble();
    }

    private static double least(List<SeedsRow> rows, int from, int count) {
        return rows.subList(from, from + count).stream()
                .mapToDouble(row -> row.median(LOSS))
                .min()
                .orElseThrow();
    }

    private List<Ratio> conclude(List<SeedsRow> rows, int sizes) {
        List<Ratio> ratios = new ArrayList<>();
        double[] losses = new double[Way.values().length];
        for (Way way : Way.values()) {
            int from = way.ordinal() * sizes;
            losses[way.ordinal()] = rows.get(from + sizes - 1).median(LOSS) - least(rows, from, sizes);
            ratios.add(Ratio.plain(NAME, way.label() + ": logloss lost by the largest batches", losses[way.ordinal()]));
        }
        double emso = losses[Way.emso_cd.ordinal()];
        double sgd = losses[Way.sgd.ordinal()];
        int largest = sizes - 1;
        double ahead = rows.get(Way.sgd.ordinal() * sizes + largest).median(LOSS)
                - rows.get(Way.emso_cd.ordinal() * sizes + largest).median(LOSS);
        notes.remark(
                "emso: %s: the largest batches cost emso-cd %s of logloss, sgd %s and adagrad %s; with them emso-cd"
                                .formatted(
                                        Verdict.of(emso < 0.02, sgd > 2 * emso, ahead > 0),
                                        Outcome.number(emso),
                                        Outcome.number(sgd),
                                        Outcome.number(losses[Way.adagrad.ordinal()]))
                        + " is %s %s than sgd (published: flat, worse)"
                                .formatted(Outcome.number(Math.abs(ahead)), ahead > 0 ? "better" : "worse"));
        return ratios;
    }

    private void draw(List<SeedsRow> rows, int[] sizes) throws Exception {
        List<Chart.Line> lines = new ArrayList<>();
        for (Way way : Way.values()) {
            lines.add(new Chart.Line(
                    way.label(),
                    IntStream.of(sizes).mapToDouble(Math::log10).toArray(),
                    IntStream.range(0, sizes.length)
                            .mapToDouble(s ->
                                    rows.get(way.ordinal() * sizes.length + s).median(LOSS))
                            .toArray()));
        }
        settings.draw(
                "solvers-emso",
                Chart.around("held-out loss at equal time", "rows a batch, powers of ten", "logloss", lines));
    }
}
