package tandem;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.problem.Loss;
import tandem.problem.Separable;

/// What tests of solvers that go to the optimum on servers and workers share: data, runs, and the optimum.
abstract class TrainingKit {

    private static final long INTERCEPT = -1;

    @TempDir
    Path directory;

    final Data clicks(int rows, int features) throws IOException {
        Path file = directory.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(rows).withFeatures(features).withSeed(3).write(file, 1, _ -> {});
        return Data.of(file.toString());
    }

    /// Twenty features with values, some of which matter; each row also goes to `rows`, with its label first.
    final Data few(List<double[]> rows) throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(8);
        for (int row = 0; row < 300; row++) {
            double score = 0;
            double[] x = new double[21];
            StringBuilder line = new StringBuilder();
            for (int id = 1; id <= 20; id++) {
                if (random.nextInt(3) == 0) {
                    String value = String.format("%.4f", random.nextGaussian());
                    x[id] = Float.parseFloat(value);
                    score += id <= 6 ? x[id] * (id - 3) : 0;
                    line.append(' ').append(id).append(':').append(value);
                }
            }
            x[0] = score + random.nextGaussian() > 0 ? 1 : -1;
            text.append((int) x[0]).append(line).append('\n');
            rows.add(x);
        }
        return Data.of(Files.writeString(directory.resolve("few.svm"), text).toString());
    }

    /// Counts that three features with values have to do with.
    final Data numbers(int rows) throws IOException {
        StringBuilder text = new StringBuilder();
        Random random = new Random(5);
        for (int row = 0; row < rows; row++) {
            double x = random.nextGaussian();
            double y = random.nextGaussian();
            double label = Math.round(Math.exp(0.5 * x - 0.3 * y) + random.nextDouble());
            text.append(String.format("%.0f 1:%.6f 7:%.6f 9:%.6f%n", label, x, y, random.nextGaussian()));
        }
        return Data.of(Files.writeString(directory.resolve("numbers.svm"), text).toString());
    }

    /// The least objective, by the batch solver.
    final double optimum(Linear settings, Data data) throws IOException {
        return LinearTraining.of(settings.withSolver(new Solver.Batch(1e-10, 10_000)), data)
                .withCache(new CacheUse.Auto(directory.resolve("cache")))
                .run()
                .report()
                .tree()
                .get("objective")
                .asDouble();
    }

    final JsonNode report(Linear settings, Data data, ClusterPlan plan) throws IOException {
        return job(settings, data, plan).run().report().tree();
    }

    final LinearTraining job(Linear settings, Data data, ClusterPlan plan) {
        return LinearTraining.of(settings, data)
                .withCache(new CacheUse.Auto(directory.resolve("cache")))
                .withCluster(plan);
    }

    /// How far the weight that is furthest from it is from where it is best by itself: by how much the derivative of
    /// the loss there, found from the rows as they are written, is beyond what the penalty holds, as a part of the
    /// largest derivative at zero weights.
    static double residual(Path rows, Trained trained, Loss loss, Separable penalty, boolean intercept)
            throws IOException {
        Map<Long, Double> weights = new TreeMap<>();
        for (int k = 0; k < trained.model().ids().length; k++) {
            weights.put(trained.model().ids()[k], trained.model().weights()[0][k]);
        }
        double largest = 0;
        for (double g : gradient(rows, Map.of(), 0, loss, intercept).values()) {
            largest = Math.max(largest, Math.abs(g));
        }
        double most = 0;
        var gradient = gradient(rows, weights, trained.model().intercepts()[0], loss, intercept);
        for (Map.Entry<Long, Double> one : gradient.entrySet()) {
            double w = weights.getOrDefault(one.getKey(), 0.0);
            double l1 = one.getKey() == INTERCEPT ? 0 : penalty.l1();
            double g = one.getValue() + (one.getKey() == INTERCEPT ? 0 : penalty.l2() * w);
            most = Math.max(most, w == 0 ? Math.abs(g) - l1 : Math.abs(g + l1 * Math.signum(w)));
        }
        return most / largest;
    }

    /// By feature.
    private static Map<Long, Double> gradient(
            Path rows, Map<Long, Double> weights, double constant, Loss loss, boolean intercept) throws IOException {
        Map<Long, Double> gradient = new TreeMap<>();
        for (String line : Files.readAllLines(rows)) {
            String[] fields = line.split(" ");
            double score = constant;
            for (int f = 1; f < fields.length; f++) {
                score += weights.getOrDefault(id(fields[f]), 0.0) * value(fields[f]);
            }
            double label = Double.parseDouble(fields[0]);
            double slope = loss.derivative(score, loss.binary() && label <= 0 ? -1 : label);
            for (int f = 1; f < fields.length; f++) {
                gradient.merge(id(fields[f]), slope * value(fields[f]), Double::sum);
            }
            if (intercept) {
                gradient.merge(INTERCEPT, slope, Double::sum);
            }
        }
        return gradient;
    }

    private static long id(String field) {
        return Long.parseLong(field.substring(0, field.indexOf(':')));
    }

    /// As the data keep it.
    private static double value(String field) {
        return Float.parseFloat(field.substring(field.indexOf(':') + 1));
    }

    /// The duality gap of a report, which must have one: what is infinite or no number it has as null.
    static double gap(JsonNode report) {
        JsonNode gap = report.at("/certificate/dualityGap");
        assertTrue(gap.isNumber(), "the gap is " + gap);
        return gap.doubleValue();
    }

    static void assertRefused(String why, Executable what) {
        String message = assertThrows(IllegalArgumentException.class, what).getMessage();
        assertTrue(message.contains(why), message);
    }
}
