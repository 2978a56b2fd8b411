package tandem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import tandem.cluster.Coordinator;
import tandem.cluster.Steward;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.model.ModelCard;
import tandem.report.Json;
import tandem.runtime.Processes;
import tandem.runtime.Sockets;
import tandem.wire.Address;
import tandem.wire.Outbox;

/// The servers and workers of a run, each a process on this machine; the coordinator is in this one. A worker whose
/// process ends is replaced by another that goes on where it left off; so is a server, if others have copies of what it
/// held.
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
        try (Sockets ground = new Sockets(listening(directory, Address.COORDINATOR), LinkLimits.DEFAULT);
                var _ = enter(ground, model)) {
            Path description = directory.resolve("job.json");
            Files.write(description, Json.bytes(new NodeProcess.Work(job, cache.toString())));
            Crew crew = new Crew(directory, ground, job.coordinator(ground), description);
            crew.coordinator.obey(crew::manage);
            try (Processes processes = new Processes(options(), watch::note, crew::ended)) {
                for (Address node : training.nodes()) {
                    crew.start(processes, node, 1);
                }
                training.train(ground, crew.coordinator);
            }
        } finally {
            remove(directory);
        }
    }

    /// The processes, by what they are called.
    private final class Crew {

        private final Path directory;
        private final Sockets ground;
        private final Coordinator coordinator;
        private final Path description;
        private final Map<String, Life> lives = new ConcurrentHashMap<>();
        private Processes processes;
        private int nextServer = job.terms().servers();
        private int nextWorker = job.terms().workers();
        private int replaced;

        private record Life(Address node, int number) {}

        Crew(Path directory, Sockets ground, Coordinator coordinator, Path description) {
            this.directory = directory;
            this.ground = ground;
            this.coordinator = coordinator;
            this.description = description;
        }

        void start(Processes among, Address node, int life) throws IOException {
            processes = among;
            lives.put(node.toString(), new Life(node, life));
            processes.start(
                    node.toString(),
                    NodeProcess.class,
                    node.role().name(),
                    Integer.toString(node.number()),
                    listening(directory, node, life).toString(),
                    ground.place().toString(),
                    description.toString(),
                    Integer.toString(life));
        }

        /// A process has ended. Whoever is done with its work ends with 0.
        void ended(Processes.Ended ended) {
            if (ended.code() == 0) {
                return;
            }
            try {
                replace(ended);
            } catch (IOException | RuntimeException e) {
                ground.fail(e);
            }
        }

        private synchronized void replace(Processes.Ended ended) throws IOException {
            Life life = lives.get(ended.name());
            boolean placed = isPlaced();
            boolean isServer = life.node.role() == Address.Role.SERVER;
            if (life.number >= MOST_LIVES || ++replaced > MOST_LIVES * lives.size()) {
                throw new Lost(ended);
            }
            if (placed && isServer) {
                replaceServer(ended, life.node);
            } else if (placed ? job.terms().resumes() : ended.isBySignal()) {
                watch.note(ended + "; another process goes on where it left off");
                start(processes, life.node, life.number + 1);
            } else {
                throw new Lost(ended);
            }
        }

        private void replaceServer(Processes.Ended ended, Address server) throws IOException {
            if (!ground.turn(Address.COORDINATOR, (now, out) -> coordinator.lose(server, now, out))) {
                throw new Lost(ended);
            }
            Address other = Address.server(nextServer++);
            watch.note(ended + "; nothing is lost, since others have copies, and " + other + " takes its place");
            start(processes, other, 1);
        }

        /// Does what operators want.
        Steward.Outcome manage(String what, int number, Outbox out) {
            return switch (what) {
                case "status" -> Steward.Outcome.now(Json.text(Json.tree(status())));
                case "add-server" -> add(Address.server(nextServer++));
                case "add-worker" -> add(Address.worker(nextWorker++));
                case "remove-server" -> remove(Address.server(number), out);
                case "remove-worker" -> remove(Address.worker(number), out);
                default -> throw new IllegalArgumentException("a job cannot " + what);
            };
        }

        private JobStatus status() {
            return JobStatus.of(where.job(), coordinator.layout().epoch(), coordinator.standings(System.nanoTime()));
        }

        private Steward.Outcome add(Address node) {
            checkElastic(node);
            try {
                start(processes, node, 1);
            } catch (IOException e) {
                throw new IllegalStateException(node + " could not be started: " + e.getMessage(), e);
            }
            return new Steward.Outcome(coordinator.joined(node), node + " takes part now");
        }

        private Steward.Outcome remove(Address node, Outbox out) {
            checkElastic(node);
            return new Steward.Outcome(coordinator.dismiss(node, out), node + " has gone; others have what it had");
        }

        private void checkElastic(Address node) {
            if (node.role() == Address.Role.WORKER && !job.terms().resumes()) {
                throw new IllegalArgumentException("workers cannot come or go with this consistency and these filters;"
                        + " they can with bsp, ssp:S, essp:S, bounded:T and async, without --steal, --push-budget,"
                        + " skip and significant");
            }
        }

        private boolean isPlaced() {
            return ground.turn(
                            Address.COORDINATOR, (_, _) -> coordinator.layout().epoch())
                    > 0;
        }
    }

    private JobDirectory.Entry enter(Sockets ground, ModelCard model) throws IOException {
        return where.job() == null
                ? null
                : JobDirectory.usual()
                        .enter(JobCard.here(where.job(), ground.place().toString(), job.intercept(), model));
    }

    private Place listening(Path directory, Address node) {
        return listening(directory, node, 1);
    }

    private Place listening(Path directory, Address node, int life) {
        return switch (where.transport()) {
            case TCP -> Place.loopback();
            case UNIX -> new Place.Unix(directory.resolve(node.role() + "-" + node.number() + "-" + life));
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
