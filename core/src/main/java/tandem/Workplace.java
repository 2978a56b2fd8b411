package tandem;

import java.util.List;
import java.util.function.Supplier;
import tandem.client.Session;
import tandem.client.Ticket;
import tandem.cluster.Member;
import tandem.cluster.Traffic;
import tandem.data.Batches;
import tandem.worker.Learned;
import tandem.worker.MinibatchTask;

/// What a worker has at hand to do its duty.
///
/// @param life    which one of those that have worked under its number
/// @param traffic what it has sent and received so far
record Workplace(LinearJob job, Session session, Member member, Batches data, int life, Supplier<Traffic> traffic) {

    /// What there is to learn, problem after problem.
    List<MinibatchTask> tasks() {
        return job.tasks(data);
    }

    /// Done once the order in hand has been carried out by enough workers.
    Ticket enough() {
        return session.station().turn((_, _) -> member.enough());
    }

    /// Lets the coordinator hear how far the work is.
    void tell(Learned learned) {
        session.station().turn((_, _) -> {
            member.learned(learned.examples(), learned.byExample().loss());
            return null;
        });
    }

    /// @param over whether the order is carried out, not left in the middle
    WorkerReport report(Learned learned, boolean over) {
        return WorkerReport.of(life, learned, over, session, traffic.get());
    }
}
