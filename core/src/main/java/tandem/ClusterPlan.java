package tandem;

import java.time.Duration;
import tandem.filter.Filters;
import tandem.wire.Upkeep;

/// Where the nodes of a distributed run are, how many there are, and how they keep together.
///
/// @param rhythm      how they keep together
/// @param filters     what messages leave out or pack smaller: names in their order, such as `keycache,lz4`, or `none`
/// @param upkeep      which features get a weight, and how much memory servers have for them
/// @param batchRows   examples a task
/// @param silence     how long a node that is waited for may be silent before the run gives up
/// @param replicas    how many servers hold a copy of each weight besides the first, so that as many can be lost
public record ClusterPlan(
        Where where,
        int workers,
        int servers,
        Rhythm rhythm,
        String filters,
        Upkeep upkeep,
        int batchRows,
        Duration silence,
        int replicas) {

    public static final ClusterPlan DEFAULT = new ClusterPlan(
            new Where.Embedded(), 2, 1, Rhythm.DEFAULT, "keycache", Upkeep.NONE, 512, Duration.ofSeconds(30), 0);

    public ClusterPlan {
        if (workers < 1 || servers < 1) {
            throw new IllegalArgumentException(workers + " workers and " + servers + " servers; use 1 or more of each");
        }
        if (Math.max(workers, servers) > where.mostNodes()) {
            throw new IllegalArgumentException(workers + " workers and " + servers + " servers; on this machine use at"
                    + " most " + where.mostNodes() + " of each, or simulate more with --runtime simulated");
        }
        if (replicas < 0 || replicas >= servers) {
            throw new IllegalArgumentException(replicas + " replicas on " + servers
                    + (servers == 1 ? " server" : " servers") + "; each copy is on a server of its own, so use more"
                    + " servers (--servers " + (replicas + 1) + ") or fewer replicas");
        }
        new Filters().parse(filters);
        if (batchRows < 1) {
            throw new IllegalArgumentException("tasks of " + batchRows + " rows; use 1 or more");
        }
        if (silence.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a silence of " + silence + "; use 1 s or more");
        }
    }

    public ClusterPlan withWhere(Where where) {
        return new ClusterPlan(where, workers, servers, rhythm, filters, upkeep, batchRows, silence, replicas);
    }

    public ClusterPlan withNodes(int workers, int servers) {
        return new ClusterPlan(where, workers, servers, rhythm, filters, upkeep, batchRows, silence, replicas);
    }

    public ClusterPlan withRhythm(Rhythm rhythm) {
        return new ClusterPlan(where, workers, servers, rhythm, filters, upkeep, batchRows, silence, replicas);
    }

    /// The same rhythm with another consistency, such as `ssp:3`.
    public ClusterPlan withConsistency(String consistency) {
        return withRhythm(rhythm.withConsistency(consistency));
    }

    public ClusterPlan withFilters(String filters) {
        return new ClusterPlan(where, workers, servers, rhythm, filters, upkeep, batchRows, silence, replicas);
    }

    public ClusterPlan withUpkeep(Upkeep upkeep) {
        return new ClusterPlan(where, workers, servers, rhythm, filters, upkeep, batchRows, silence, replicas);
    }

    public ClusterPlan withBatchRows(int batchRows) {
        return new ClusterPlan(where, workers, servers, rhythm, filters, upkeep, batchRows, silence, replicas);
    }

    public ClusterPlan withSilence(Duration silence) {
        return new ClusterPlan(where, workers, servers, rhythm, filters, upkeep, batchRows, silence, replicas);
    }

    public ClusterPlan withReplicas(int replicas) {
        return new ClusterPlan(where, workers, servers, rhythm, filters, upkeep, batchRows, silence, replicas);
    }

    /// What its nodes agree on. There is a stream for each worker.
    ///
    /// @param seed of the run
    ClusterTerms terms(long seed) {
        return new ClusterTerms(servers, workers, workers, rhythm, filters, upkeep, seed, silence.toNanos(), replicas);
    }
}
