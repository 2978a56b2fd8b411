package tandem;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.DoubleConsumer;
import java.util.stream.Stream;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.model.StoredModel;

/// Deterministic runs on a cluster, by the bits of their models.
final class ClusterBits {

    static final ClusterPlan PLAN = ClusterPlan.DEFAULT
            .withRhythm(Rhythm.DEFAULT.withConsistency("bsp").withDeterminism())
            .withStreams(6)
            .withBatchRows(64);

    private final Path directory;
    private final Data train;
    private final Data held;
    private int models;

    ClusterBits(Path directory, int rows) throws IOException {
        this.directory = directory;
        Clicks clicks = Clicks.DEFAULT.withRows(rows).withFeatures(3_000).withSeed(3);
        train = made(clicks, "train.svm");
        held = made(clicks.next(1_000), "held.svm");
    }

    private Data made(Clicks clicks, String name) throws IOException {
        Path file = directory.resolve(name);
        clicks.write(file, 1, _ -> {});
        return Data.of(file.toString());
    }

    /// A job with a new place for its model.
    LinearTraining job(ClusterPlan plan, int threads, int passes) {
        return job(
                plan,
                Linear.DEFAULT
                        .withThreads(threads)
                        .withSolver(Solver.Online.of(Solver.Rule.FTRL).withPasses(passes)));
    }

    LinearTraining job(ClusterPlan plan, Linear settings) {
        return LinearTraining.of(settings, train)
                .withValidation(held)
                .withCache(new CacheUse.Auto(directory.resolve("cache")))
                .withModel(directory.resolve("model-" + models++), false)
                .withCluster(plan);
    }

    /// The SHA-256 of all weights and intercepts that a job learns.
    static String bits(LinearTraining job) throws IOException {
        Path model = job.run().directory();
        try (Stream<Path> files = Files.list(model)) {
            MessageDigest sum = MessageDigest.getInstance("SHA-256");
            List<Path> weights = files.filter(file -> file.toString().endsWith(".safetensors"))
                    .sorted()
                    .toList();
            for (Path file : weights) {
                sum.update(file.getFileName().toString().getBytes(StandardCharsets.UTF_8));
                sum.update(Files.readAllBytes(file));
            }
            sum.update(Arrays.toString(StoredModel.at(model).intercepts()).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sum.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /// Hears how far training is.
    static Watch watch(DoubleConsumer done) {
        return new Watch() {
            @Override
            public void progress(String stage, double share, long examples, double loss) {
                if (stage.startsWith("pass") || stage.startsWith("training")) {
                    done.accept(share);
                }
            }
        };
    }

    /// Ends one node's process as `kill -9` does, once training is so far; says afterwards whether it did.
    static final class Killer implements DoubleConsumer {

        private final String role;
        private final int number;
        private final double at;
        boolean killed;

        /// @param role `SERVER` or `WORKER`
        Killer(String role, int number, double at) {
            this.role = role;
            this.number = number;
            this.at = at;
        }

        @Override
        public void accept(double done) {
            if (done < at || killed) {
                return;
            }
            killed = ProcessHandle.current()
                    .descendants()
                    .filter(this::isMine)
                    .findFirst()
                    .map(ProcessHandle::destroyForcibly)
                    .orElse(false);
        }

        private boolean isMine(ProcessHandle process) {
            try {
                List<String> words = List.of(Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                        .split("\0"));
                int main = words.indexOf(NodeProcess.class.getName());
                return main >= 0
                        && words.get(main + 1).equals(role)
                        && words.get(main + 2).equals(Integer.toString(number));
            } catch (IOException e) {
                return false; // it has ended
            }
        }
    }
}
