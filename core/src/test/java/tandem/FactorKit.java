package tandem;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import tandem.data.Data;

/// What tests of factorisation machines share: rows whose pairs matter, and runs on servers and workers.
abstract class FactorKit {

    static final Solver.Factors PLAIN = Solver.Factors.PLAIN
            .withDimension(4)
            .withWeights(Solver.Factors.PLAIN.weights().withPasses(6).withPatience(0));

    static final ClusterPlan ALONE =
            ClusterPlan.DEFAULT.withNodes(1, 1).withConsistency("bsp").withBatchRows(64);

    @TempDir
    Path directory;

    private int models;

    static Linear settings(Solver solver) {
        return Linear.DEFAULT.withThreads(1).withSolver(solver);
    }

    static JsonNode held(LinearTraining job) throws IOException {
        return job.run().report().tree();
    }

    final LinearTraining job(Linear settings, Data data, ClusterPlan plan) {
        return LinearTraining.of(settings, data)
                .withCache(new CacheUse.Auto(directory.resolve("cache")))
                .withModel(directory.resolve("model-" + models++), false)
                .withCluster(plan);
    }

    /// Rows with a feature of each of four fields, thirty common ones and many rare ones a field; what a row is
    /// depends on how its features go together.
    final Data pairs(String name, int rows, boolean classes, long seed) throws IOException {
        Random truth = new Random(1);
        double[][] factors = new double[120][3];
        for (double[] of : factors) {
            Arrays.setAll(of, _ -> truth.nextGaussian());
        }
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < rows; row++) {
            StringBuilder features = new StringBuilder();
            double[] sums = new double[3];
            double squares = 0;
            for (int field = 0; field < 4; field++) {
                int id = 30 * field + random.nextInt(30);
                features.append(' ').append(1 + id).append(":1");
                for (int f = 0; f < 3; f++) {
                    sums[f] += factors[id][f];
                    squares += factors[id][f] * factors[id][f];
                }
            }
            features.append(' ').append(1_000 + random.nextInt(5_000)).append(":1");
            double score = 0.5 * (Arrays.stream(sums).map(s -> s * s).sum() - squares);
            double noise = random.nextGaussian();
            text.append(classes ? score + noise > 0 ? "1" : "-1" : Double.toString(score + 0.1 * noise))
                    .append(features)
                    .append('\n');
        }
        Path file = directory.resolve(name);
        Files.writeString(file, text);
        return Data.of(file.toString());
    }
}
