package tandem;

import java.io.IOException;
import tandem.cluster.Coordinator;
import tandem.cluster.Steward;
import tandem.link.LinkLimits;
import tandem.link.Shape;
import tandem.model.ModelCard;
import tandem.report.Json;
import tandem.runtime.Crew;
import tandem.runtime.Sockets;
import tandem.wire.Address;
import tandem.wire.Outbox;

/// The servers and workers of a run on [Hosts]; the coordinator is in this process.
final class HostedNodes {

    /// How often a node may end before that is no accident.
    private static final int MOST_LIVES = 100;

    private final LinearJob job;
    private final Hosts hosts;
    private final Watch watch;

    HostedNodes(LinearJob job, Hosts hosts, Watch watch) {
        this.job = job;
        this.hosts = hosts;
        this.watch = watch;
    }

    /// Has hosts started, trains, and ends them, whatever happens. A run with a name can be found under it meanwhile.
    void run(DistributedTraining training, ModelCard model) throws IOException {
        try (Sockets ground = new Sockets(hosts.listen(), null, hosts.trust(), LinkLimits.DEFAULT, Shape.NONE)) {
            Coordinator coordinator = job.coordinator(ground);
            NodeProcess.Work work =
                    new NodeProcess.Work(job, null, ground.place().toString());
            HostKeeper keeper = new HostKeeper(hosts, job.terms().workers(), work, ground);
            Crew.Launch launch = (node, life) -> HostKeeper.child(node, life);
            Crew.Care care = new Crew.Care(job.terms().resumes(), MOST_LIVES, patienceNanos() / 1_000_000);
            try (var _ = enter(ground, model);
                    Crew crew = new Crew(ground, coordinator, job.terms().cast(), keeper, launch, care, watch::note)) {
                ground.turn(Address.COORDINATOR, (_, _) -> {
                    coordinator.obey(steward(coordinator, keeper, crew));
                    return null;
                });
                training.nodes().forEach(crew::start);
                hosts.begin(ground.place(), keeper);
                training.train(ground, coordinator);
            }
        }
    }

    /// How long a node may be silent before its host is ended. With a worker its servers end too, so that where nobody
    /// has copies of what they hold, the run would be over.
    private long patienceNanos() {
        return job.terms().copies().replicas() > 0
                ? ClusterTerms.LOST_NANOS
                : Math.max(ClusterTerms.LOST_NANOS, job.terms().silenceNanos());
    }

    private JobDirectory.Entry enter(Sockets ground, ModelCard model) throws IOException {
        return hosts.job() == null
                ? null
                : JobDirectory.usual()
                        .enter(
                                JobCard.here(hosts.job(), ground.place().toString(), job.intercept(), model),
                                hosts.trust(),
                                JobDirectory.NOBODY);
    }

    /// Hosts ask what to host, and whoever knows the name of the run asks how it is, and has servers come and go.
    private Steward steward(Coordinator coordinator, HostKeeper keeper, Crew crew) {
        return new Steward() {
            @Override
            public boolean isEarly(String what) {
                return what.startsWith(Berth.ASK) || what.equals(Berth.MISSING);
            }

            @Override
            public Outcome manage(String what, int number, Outbox out) {
                if (what.startsWith(Berth.ASK)) {
                    return keeper.asked(number, Integer.parseInt(what.substring(Berth.ASK.length())));
                }
                if (what.startsWith(Berth.GONE)) {
                    keeper.gone(what.substring(Berth.GONE.length()));
                    return Outcome.now("");
                }
                return switch (what) {
                    case Berth.MISSING -> Outcome.now(Boolean.toString(keeper.isMissing(number)));
                    case "status" -> Outcome.now(Json.text(Json.tree(status(coordinator))));
                    case "add-server", "remove-server" -> crew.manage(what, number, out);
                    case "add-worker", "remove-worker" ->
                        throw new IllegalArgumentException("a worker is where its examples are, and nobody else has"
                                + " them, so that workers cannot come or go here; servers can (add-server,"
                                + " remove-server). For another number of workers, stop the run and begin anew");
                    default -> throw new IllegalArgumentException("a job on hosts cannot " + what);
                };
            }
        };
    }

    private JobStatus status(Coordinator coordinator) {
        return JobStatus.of(hosts.job(), coordinator.layout().epoch(), coordinator.standings(System.nanoTime()));
    }
}
