package tandem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tandem.cluster.Coordinator;
import tandem.cluster.Steward;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.link.Secret;
import tandem.link.Shape;
import tandem.model.ModelCard;
import tandem.report.Json;
import tandem.runtime.Crew;
import tandem.runtime.Sockets;
import tandem.wire.Address;

/// The servers and workers of a run, each a process on this machine; the coordinator is in this one.
final class NodeProcesses {

    /// The share of the machine's memory that all nodes together may use.
    private static final double MEMORY = 0.7;

    private static final long LEAST_HEAP_BYTES = 256L << 20;

    /// How often a node may end before that is no accident.
    private static final int MOST_LIVES = 5;

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
        try (Sockets ground = new Sockets(
                        listening(directory, Address.COORDINATOR),
                        null,
                        where.secret(),
                        LinkLimits.DEFAULT,
                        Shape.NONE);
                var _ = enter(ground, model)) {
            Path description = directory.resolve("job.json");
            Files.write(description, Json.bytes(new NodeProcess.Work(job, cache.toString())));
            Map<String, String> environment = environment(directory);
            Coordinator coordinator = job.coordinator(ground);
            Crew.Launch launch = (among, node, life) -> among.start(
                    node.toString(),
                    environment,
                    NodeProcess.class,
                    node.role().name(),
                    Integer.toString(node.number()),
                    listening(directory, node, life).toString(),
                    ground.place().toString(),
                    description.toString(),
                    Integer.toString(life));
            Crew.Care care = new Crew.Care(job.terms().resumes(), MOST_LIVES, ClusterTerms.LOST_NANOS / 1_000_000);
            try (Crew crew = new Crew(ground, coordinator, job.terms().cast(), options(), launch, care, watch::note)) {
                coordinator.obey((what, number, out) -> what.equals("status")
                        ? Steward.Outcome.now(Json.text(Json.tree(status(coordinator))))
                        : crew.manage(what, number, out));
                for (Address node : training.nodes()) {
                    crew.start(node);
                }
                training.train(ground, coordinator);
            }
        } finally {
            remove(directory);
        }
    }

    private JobStatus status(Coordinator coordinator) {
        return JobStatus.of(where.job(), coordinator.layout().epoch(), coordinator.standings(System.nanoTime()));
    }

    private JobDirectory.Entry enter(Sockets ground, ModelCard model) throws IOException {
        return where.job() == null
                ? null
                : JobDirectory.usual()
                        .enter(
                                JobCard.here(where.job(), ground.place().toString(), job.intercept(), model),
                                where.secret());
    }

    private Place listening(Path directory, Address node) {
        return listening(directory, node, 1);
    }

    private Place listening(Path directory, Address node, int life) {
        return switch (where.transport()) {
            case TCP -> {
                if (where.listen() == null) {
                    yield Place.loopback();
                }
                yield node.equals(Address.COORDINATOR)
                        ? where.listen()
                        : where.listen().anyPort();
            }
            case UNIX -> new Place.Unix(directory.resolve(node.role() + "-" + node.number() + "-" + life));
        };
    }

    /// Tells the nodes where the secret is, if there is one: in a file, because who can see a process can often see
    /// what it was started with.
    private Map<String, String> environment(Path directory) throws IOException {
        Path file = directory.resolve("secret");
        if (where.secret() != null) {
            where.secret().write(file);
        }
        return Map.of(Secret.FILE_VARIABLE, where.secret() == null ? "" : file.toString(), Secret.VARIABLE, "");
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
}
