package tandem;

import java.time.Duration;
import tandem.consistency.Consistency;
import tandem.consistency.Timetable;
import tandem.filter.Filters;
import tandem.wire.Upkeep;

/// Where the nodes of a distributed run are, how many there are, and how they keep together.
///
/// @param consistency how far workers may run apart: `bsp`, `ssp:S`, `essp:S`, `bounded:T`, `async` or `fraction:F`; a
///                    bound may change from pass to pass, as in `bounded:8..2`
/// @param steal       whether workers that are through with their part of a pass take over from others
/// @param filters     what messages leave out or pack smaller: names in their order, such as `keycache,lz4`, or `none`
/// @param upkeep      which features get a weight, and how much memory servers have for them
/// @param batchRows   examples a task
/// @param silence     how long a node that is waited for may be silent before the run gives up
public record ClusterPlan(
        Where where,
        int workers,
        int servers,
        String consistency,
        boolean steal,
        String filters,
        Upkeep upkeep,
        int batchRows,
        Duration silence) {

    public static final ClusterPlan DEFAULT = new ClusterPlan(
            new Where.Embedded(), 2, 1, "ssp:3", false, "keycache", Upkeep.NONE, 512, Duration.ofSeconds(30));

    public ClusterPlan {
        if (workers < 1 || servers < 1) {
            throw new IllegalArgumentException(workers + " workers and " + servers + " servers; use 1 or more of each");
        }
        boolean byPass = Consistency.named(new Timetable(consistency).at(0, 1)).byPass();
        if (steal && !byPass) {
            throw new IllegalArgumentException("workers take over from others only where nobody waits within a pass;"
                    + " use it with a consistency such as fraction:0.75, not " + consistency);
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
        return new ClusterPlan(where, workers, servers, consistency, steal, filters, upkeep, batchRows, silence);
    }

    public ClusterPlan withNodes(int workers, int servers) {
        return new ClusterPlan(where, workers, servers, consistency, steal, filters, upkeep, batchRows, silence);
    }

    public ClusterPlan withConsistency(String consistency) {
        return new ClusterPlan(where, workers, servers, consistency, steal, filters, upkeep, batchRows, silence);
    }

    public ClusterPlan withSteal(boolean steal) {
        return new ClusterPlan(where, workers, servers, consistency, steal, filters, upkeep, batchRows, silence);
    }

    public ClusterPlan withFilters(String filters) {
        return new ClusterPlan(where, workers, servers, consistency, steal, filters, upkeep, batchRows, silence);
    }

    public ClusterPlan withUpkeep(Upkeep upkeep) {
        return new ClusterPlan(where, workers, servers, consistency, steal, filters, upkeep, batchRows, silence);
    }

    public ClusterPlan withBatchRows(int batchRows) {
        return new ClusterPlan(where, workers, servers, consistency, steal, filters, upkeep, batchRows, silence);
    }

    public ClusterPlan withSilence(Duration silence) {
        return new ClusterPlan(where, workers, servers, consistency, steal, filters, upkeep, batchRows, silence);
    }

    /// What its nodes agree on. There is a stream for each worker.
    ///
    /// @param seed of the run
    ClusterTerms terms(long seed) {
        return new ClusterTerms(
                servers, workers, workers, consistency, steal, filters, upkeep, seed, silence.toNanos());
    }
}
