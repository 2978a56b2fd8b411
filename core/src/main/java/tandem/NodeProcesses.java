package tandem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.model.ModelCard;
import tandem.report.Json;
import tandem.runtime.Processes;
import tandem.runtime.Sockets;
import tandem.wire.Address;

/// The servers and workers of a run, each a process on this machine; the coordinator is in this one.
final class NodeProcesses {

    /// The share of the machine's memory that all nodes together may use.
    private static final double MEMORY = 0.7;

    private static final long LEAST_HEAP_BYTES = 256L << 20;

    private final LinearJob job;
    private final Path cache;
    private final Where.Processes where;
    private final Watch watch;

    NodeProcesses(LinearJob job, Path cache, Where.Processes where, Watch watch) {
        this.job = job;
        this.cache = cache;
        this.where = where;
        this.watch = watch;
    }

    /// Starts the nodes, trains, and ends them, whatever happens. A run with a name can be found under it meanwhile.
    void run(DistributedTraining training, ModelCard model) throws IOException {
        Path directory = Files.createTempDirectory("tandem-");
        try (Sockets ground = new Sockets(listening(directory, Address.COORDINATOR), LinkLimits.DEFAULT);
                Processes processes = new Processes(options(), watch::note, ended -> ground.fail(new Lost(ended)));
                var _ = enter(ground, model)) {
            Path description = directory.resolve("job.json");
            Files.write(description, Json.bytes(new NodeProcess.Work(job, cache.toString())));
            var coordinator = job.coordinator(ground);
            for (Address node : training.nodes()) {
                processes.start(
                        node.toString(),
                        NodeProcess.class,
                        node.role().name(),
                        Integer.toString(node.number()),
                        listening(directory, node).toString(),
                        ground.place().toString(),
                        description.toString());
            }
            training.train(ground, coordinator);
        } finally {
            remove(directory);
        }
    }

    private JobDirectory.Entry enter(Sockets ground, ModelCard model) throws IOException {
        return where.job() == null
                ? null
                : JobDirectory.usual()
                        .enter(JobCard.here(where.job(), ground.place().toString(), job.intercept(), model));
    }

    private Place listening(Path directory, Address node) {
        return switch (where.transport()) {
            case TCP -> Place.loopback();
            case UNIX -> new Place.Unix(directory.resolve(node.role() + "-" + node.number()));
        };
    }

    private List<String> options() {
        long share = (long)
                (MEMORY * machineBytes() / (job.terms().servers() + job.terms().workers()));
        return List.of(
                "-Xmx" + Math.max(LEAST_HEAP_BYTES, share), "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED");
    }

    private static long machineBytes() {
        return Runtime.getRuntime().maxMemory() * 4 / 3;
    }

    /// Deletes a directory and all that is in it.
    static void remove(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    /// A node's process ended in the middle of a run.
    static final class Lost extends RuntimeException {

        private static final long serialVersionUID = 1;

        Lost(Processes.Ended ended) {
            super(ended + " in the middle of training; what it said, if anything, is above. No model was written");
        }
    }
}
