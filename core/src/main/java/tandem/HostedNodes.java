package tandem;

import java.io.IOException;
import tandem.cluster.Coordinator;
import tandem.cluster.Steward;
import tandem.link.LinkLimits;
import tandem.link.Shape;
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

    /// Has hosts started, trains, and ends them, whatever happens.
    void run(DistributedTraining training) throws IOException {
        try (Sockets ground = new Sockets(hosts.listen(), null, hosts.trust(), LinkLimits.DEFAULT, Shape.NONE)) {
            Coordinator coordinator = job.coordinator(ground);
            NodeProcess.Work work =
                    new NodeProcess.Work(job, null, ground.place().toString());
            HostKeeper keeper = new HostKeeper(hosts, job.terms().workers(), work, ground);
            Crew.Launch launch = (node, life) -> HostKeeper.child(node, life);
            Crew.Care care = new Crew.Care(job.terms().resumes(), MOST_LIVES, ClusterTerms.LOST_NANOS / 1_000_000);
            try (Crew crew = new Crew(ground, coordinator, job.terms().cast(), keeper, launch, care, watch::note)) {
                ground.turn(Address.COORDINATOR, (_, _) -> {
                    coordinator.obey(steward(keeper, crew));
                    return null;
                });
                training.nodes().forEach(crew::start);
                hosts.begin(ground.place(), keeper);
                training.train(ground, coordinator);
            }
        }
    }

    /// Hosts ask what to host; nobody else is listened to.
    private static Steward steward(HostKeeper keeper, Crew crew) {
        return new Steward() {
            @Override
            public boolean isEarly(String what) {
                return what.startsWith(Berth.ASK) || what.equals(Berth.MISSING);
            }

            @Override
            public Outcome manage(String what, int number, Outbox out) {
                if (what.equals(Berth.MISSING)) {
                    return Outcome.now(Boolean.toString(keeper.isMissing(number)));
                }
                return what.startsWith(Berth.ASK)
                        ? keeper.asked(number, Integer.parseInt(what.substring(Berth.ASK.length())))
                        : crew.manage(what, number, out);
            }
        };
    }
}
