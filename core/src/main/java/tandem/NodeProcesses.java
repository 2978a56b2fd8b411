package tandem;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tandem.cluster.Coordinator;
import tandem.cluster.Decided;
import tandem.cluster.Steward;
import tandem.data.Batches;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.link.Shape;
import tandem.link.Trust;
import tandem.model.ModelCard;
import tandem.report.AtomicFile;
import tandem.report.Json;
import tandem.runtime.Crew;
import tandem.runtime.Keeper;
import tandem.runtime.Processes;
import tandem.runtime.RunDirectory;
import tandem.runtime.Sockets;
import tandem.wire.Address;

/// The servers and workers of a run, each a process on this machine; the coordinator is in this one. If it is not the
/// first, it takes over the nodes of the one before.
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

    /// The process that a run lasts as long as: this one, or the one above it.
    static ProcessHandle owner(Where.Processes where) {
        ProcessHandle here = ProcessHandle.current();
        return where.above() == null ? here : here.parent().orElse(here);
    }

    /// Where the coordinator of such a run writes down how it goes.
    static Logbook logbook(Where.Processes where) {
        return where.above() == null ? Logbook.NONE : new Logbook(where.above().directory());
    }

    /// Starts the nodes, trains, and ends them, whatever happens. A run with a name can be found under it meanwhile.
    void run(DistributedTraining training, ModelCard model) throws IOException {
        if (where.above() != null) {
            run(training, model, where.above().directory(), where.above());
            return;
        }
        try (RunDirectory directory = new RunDirectory()) {
            run(training, model, directory.path(), new Processes());
        }
    }

    private void run(DistributedTraining training, ModelCard model, Path directory, Keeper keeper) throws IOException {
        Logbook log = logbook(where);
        if (training.isOver()) {
            keeper.close();
            return;
        }
        Decided before = log.decided();
        if (before != null && before.layout().epoch() > 0 && !job.terms().resumes()) {
            throw new IOException("the coordinator died in the middle of a run that nobody else can go on with, because"
                    + " of --steal, --push-budget, fraction:F or the filters skip and significant. No model was"
                    + " written");
        }
        Place place = place(directory, log.work());
        try (Sockets ground = new Sockets(place, null, where.trust(), LinkLimits.DEFAULT, Shape.NONE)) {
            // At once: nodes that are there already wait to be let in.
            Coordinator coordinator = job.coordinator(ground, log, before);
            try (var _ = enter(ground, model);
                    Crew crew = crew(ground, coordinator, directory, keeper)) {
                String fingerprint = where.trust() == null ? "" : Batches.fingerprint(cache);
                Steward steward = (what, number, out) -> switch (what) {
                    case "status" -> Steward.Outcome.now(Json.text(Json.tree(status(coordinator))));
                    case "join-server" -> invite(crew.invite(Address.Role.SERVER), work(ground), fingerprint);
                    case "join-worker" -> invite(crew.invite(Address.Role.WORKER), work(ground), fingerprint);
                    default -> crew.manage(what, number, out);
                };
                ground.turn(Address.COORDINATOR, (_, _) -> {
                    coordinator.obey(steward);
                    return null;
                });
                if (where.listen() != null
                        && where.trust() != null
                        && ground.place() instanceof Place.Tcp(String host, int port)) {
                    watch.note("other machines join by: node --join " + host + ":" + port);
                }
                if (before == null || before.layout().epoch() == 0) {
                    training.nodes().forEach(crew::start);
                }
                training.train(ground, coordinator);
            }
        }
    }

    private Crew crew(Sockets ground, Coordinator coordinator, Path directory, Keeper keeper) throws IOException {
        Path description = Logbook.work(directory);
        NodeProcess.Work work = work(ground);
        AtomicFile.write(description, out -> out.write(Json.bytes(work)));
        Map<String, String> environment = Trust.environment(where.trust(), directory);
        List<String> options = options();
        Crew.Launch launch = (node, life) -> new Keeper.Child(
                node.toString(),
                life,
                options,
                environment,
                NodeProcess.class.getName(),
                List.of(
                        node.role().name(),
                        Integer.toString(node.number()),
                        listening(directory, node, life).toString(),
                        ground.place().toString(),
                        description.toString(),
                        Integer.toString(life)));
        Crew.Care care = new Crew.Care(job.terms().resumes(), MOST_LIVES, ClusterTerms.LOST_NANOS / 1_000_000);
        return new Crew(ground, coordinator, job.terms().cast(), keeper, launch, care, watch::note);
    }

    /// The nodes that there are know where the coordinator before this one was.
    private Place place(Path directory, NodeProcess.Work before) {
        return before == null ? listening(directory, Address.COORDINATOR) : Place.of(before.coordinator());
    }

    private NodeProcess.Work work(Sockets ground) {
        return new NodeProcess.Work(
                job, cache.toAbsolutePath().toString(), ground.place().toString());
    }

    /// Tells somebody who wants to be one of the nodes which one, and what there is to do.
    static Steward.Outcome invite(Address node, NodeProcess.Work work, String fingerprint) {
        // As bytes are, since a tree has no infinities, such as the bounds of weights that have none.
        byte[] invitation = Json.bytes(new Volunteer.Invitation(node.number(), work, fingerprint));
        return Steward.Outcome.now(new String(invitation, StandardCharsets.UTF_8));
    }

    private JobStatus status(Coordinator coordinator) {
        return JobStatus.of(where.job(), coordinator.layout().epoch(), coordinator.standings(System.nanoTime()));
    }

    private JobDirectory.Entry enter(Sockets ground, ModelCard model) throws IOException {
        return where.job() == null
                ? null
                : JobDirectory.usual()
                        .enter(
                                JobCard.of(
                                        owner(where),
                                        where.job(),
                                        ground.place().toString(),
                                        job.intercept(),
                                        model,
                                        job.files().places()),
                                where.trust(),
                                where.above() == null
                                        ? JobDirectory.NOBODY
                                        : owner(where).pid());
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

    private List<String> options() {
        long share = (long)
                (MEMORY * machineBytes() / (job.terms().servers() + job.terms().workers()));
        return List.of(
                "-Xmx" + Math.max(LEAST_HEAP_BYTES, share), "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED");
    }

    private static long machineBytes() {
        return Runtime.getRuntime().maxMemory() * 4 / 3;
    }
}
