package tandem;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tandem.cluster.Standing;

/// A job that runs, and its nodes.
///
/// @param epoch how often the layout has changed
public record JobStatus(String job, long epoch, List<Node> nodes) {

    /// A node.
    ///
    /// @param role         `coordinator`, `server` or `worker`
    /// @param heardMillis  how long ago the coordinator heard of it
    /// @param seats        of a server: the sets of shards that it has a copy of
    /// @param leads        those of them that it answers for
    /// @param streams      of a worker: the streams of data that it works on
    /// @param examples     of a worker: the examples it has learned from
    public record Node(
            String role,
            int id,
            long pid,
            long epoch,
            long heardMillis,
            boolean leaving,
            List<Integer> seats,
            List<Integer> leads,
            List<Integer> streams,
            long examples) {}

    static JobStatus of(String job, long epoch, List<Standing> standings) {
        List<Node> nodes = new ArrayList<>();
        nodes.add(new Node(
                "coordinator", 0, ProcessHandle.current().pid(), epoch, 0, false, List.of(), List.of(), List.of(), 0));
        for (Standing standing : standings) {
            nodes.add(new Node(
                    standing.node().role().name().toLowerCase(Locale.ROOT),
                    standing.node().number(),
                    standing.pid(),
                    standing.epoch(),
                    standing.heardMillis(),
                    standing.leaving(),
                    standing.seats(),
                    standing.leads(),
                    standing.streams(),
                    standing.examples()));
        }
        return new JobStatus(job, epoch, nodes);
    }
}
