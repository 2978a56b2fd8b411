package tandem.spark.ml;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.stream.DoubleStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import tandem.data.BadData;
import tandem.model.FactorModel;
import tandem.model.LinearModel;
import tandem.model.Precision;
import tandem.problem.Loss;
import tandem.report.Report;
import tandem.solver.QuasiNewton;
import tandem.solver.RowSlab;
import tandem.solver.Solution;
import tandem.worker.Threads;

/// Trains where driver and executors are one process: all rows are gathered in it, and threads go over them together,
/// without servers, by [QuasiNewton]. What it holds beside the rows grows with the features that they have, not with
/// the length of vectors.
///
/// @param vectors how long they are, if there are any
record Together(LinearParams params, Loss loss, IntSupplier vectors) {

    private static final int MANY = 6;

    /// @param rows label, weight and vector
    SharedModel train(Dataset<Row> rows) throws IOException {
        List<FrameRows> parts = RowsHere.of(rows);
        double weight = 0;
        long count = 0;
        for (FrameRows part : parts) {
            count += part.rows();
            for (int r = 0; r < part.rows(); r++) {
                weight += part.weights()[r];
            }
        }
        if (count == 0) {
            throw new BadData("there are no examples to learn from, or none that has a weight");
        }
        if (loss.binary()) {
            checkClasses(parts);
        }
        int length = vectors.getAsInt();
        DoubleStream.Builder history = DoubleStream.builder();
        double scale = 1 / weight;
        long start = System.nanoTime();
        try (Threads threads = new Threads(params.getNumWorkers())) {
            Busy busy = new Busy(threads);
            SeenFeatures seen = SeenFeatures.of(parts, length, busy);
            RowSlab[] slabs = new RowSlab[parts.size()];
            busy.run(slabs.length, p -> slabs[p] = slab(parts.get(p), seen));
            Solution found = QuasiNewton.DEFAULT
                    .withTolerance(params.getTol())
                    .withMaxIterations(params.getMaxIter())
                    .withProgress(params.getTol() / 2)
                    .minimise(
                            new QuasiNewton.Task(
                                    List.of(slabs),
                                    seen.count(),
                                    loss,
                                    LinearSettings.penalty(params, weight),
                                    params.getFitIntercept()),
                            params.getNumWorkers(),
                            busy,
                            at -> {
                                history.add(at.objective() * scale);
                                return true;
                            });
            Report report = report(found, count, seen.count(), (System.nanoTime() - start) / 1e9)
                    .workers(busy.workers(found.iterations()));
            return new SharedModel(
                    FactorModel.linear(model(seen.ids(), found)),
                    length,
                    TandemTrainingSummary.of(report, history.build().toArray()));
        }
    }

    private static void checkClasses(List<FrameRows> parts) {
        Set<Double> labels = new TreeSet<>();
        for (FrameRows part : parts) {
            for (int r = 0; r < part.rows() && labels.size() < MANY; r++) {
                labels.add(part.labels()[r]);
            }
        }
        Fitting.checkClasses(labels.stream()
                .map(label -> label == Math.rint(label) ? String.valueOf(label.longValue()) : label.toString())
                .toList());
    }

    private RowSlab slab(FrameRows part, SeenFeatures seen) {
        int[] columns = part.features();
        for (int e = 0; e < part.entries(); e++) {
            columns[e] = seen.place(columns[e]);
        }
        double[] labels = part.labels();
        if (loss.binary()) {
            for (int r = 0; r < part.rows(); r++) {
                labels[r] = labels[r] == 1 ? 1 : -1;
            }
        }
        return new RowSlab(part.rows(), part.starts(), columns, part.values(), labels, part.weights());
    }

    /// Without weights of 0.
    private LinearModel model(long[] ids, Solution found) {
        double[] weights = found.weights();
        int kept = 0;
        for (int j = 0; j < weights.length; j++) {
            if (weights[j] != 0) {
                ids[kept] = ids[j];
                weights[kept++] = weights[j];
            }
        }
        return new LinearModel(
                loss.name(),
                loss.binary() ? List.of("0", "1") : List.of(),
                Arrays.copyOf(ids, kept),
                new double[][] {Arrays.copyOf(weights, kept)},
                new double[] {found.intercept()},
                Precision.F64,
                null,
                null);
    }

    private Report report(Solution found, long rows, int seen, double seconds) {
        return new Report("fit")
                .seed(params.getSeed())
                .work(seconds, rows * Math.max(1, found.iterations()))
                .objective(found.objective())
                .iterations(found.iterations())
                .stopped(found.ending().name().toLowerCase(Locale.ROOT))
                .weights(found.nonZeros(), seen)
                .certificate(new Report.Certificate(found.certificate().residual(), Double.NaN));
    }
}
