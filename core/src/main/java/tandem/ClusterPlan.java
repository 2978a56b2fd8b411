package tandem;

import java.time.Duration;
import tandem.data.Partition;
import tandem.wire.Reached;
import tandem.wire.Upkeep;

/// Where the nodes of a distributed run are, how many there are, and how they keep together.
///
/// @param rhythm      how they keep together
/// @param filters     what messages leave out or pack smaller: names in their order, such as `keycache,lz4`, or `none`
/// @param upkeep      which features get a weight, and how much memory servers have for them
/// @param batchRows   examples a task
/// @param silence     how long a node that is waited for may be silent before the run gives up
/// @param copies      what servers hold besides the first copy of each weight, so that servers can be lost
/// @param streams     how many streams the data is cut into, each worked on by one worker at a time; [#USUAL] for one a
///                    worker, or [#DETERMINISTIC_STREAMS] where the model must not depend on the number of workers
/// @param placement   which examples go to which stream, and which features to the server beside its worker
public record ClusterPlan(
        Where where,
        int workers,
        int servers,
        Rhythm rhythm,
        String filters,
        Upkeep upkeep,
        int batchRows,
        Duration silence,
        Copies copies,
        int streams,
        Placement placement) {

    public static final int USUAL = 0;

    public static final int DETERMINISTIC_STREAMS = 8;

    /// Shards a server, when the run starts: more move better when servers come and go.
    private static final int SHARDS_A_SERVER = 8;

    /// Shards where the files of the model must not depend on the number of servers.
    private static final int DETERMINISTIC_SHARDS = 32;

    /// Seats a server, in the beginning, where servers can come and go.
    private static final int SEATS = 2;

    public static final ClusterPlan DEFAULT = new ClusterPlan(
            new Where.Embedded(),
            2,
            1,
            Rhythm.DEFAULT,
            "keycache",
            Upkeep.NONE,
            512,
            Duration.ofSeconds(30),
            Copies.NONE,
            USUAL,
            Placement.ANY);

    public ClusterPlan {
        if (workers < 1 || servers < 1) {
            throw new IllegalArgumentException(workers + " workers and " + servers + " servers; use 1 or more of each");
        }
        if (Math.max(workers, servers) > where.mostNodes()) {
            throw new IllegalArgumentException(workers + " workers and " + servers + " servers; on this machine use at"
                    + " most " + where.mostNodes() + " of each, or simulate more with --runtime simulated");
        }
        if (copies.replicas() >= servers) {
            throw new IllegalArgumentException(copies.replicas() + " replicas on " + servers
                    + (servers == 1 ? " server" : " servers") + "; each copy is on a server of its own, so use more"
                    + " servers (--servers " + (copies.replicas() + 1) + ") or fewer replicas");
        }
        FilterNames names = new FilterNames(filters);
        names.sent(); // refuses names that there are not
        if (rhythm.deterministic()) {
            checkExact(names, upkeep);
        }
        if (streams < 0) {
            throw new IllegalArgumentException(streams + " streams; use 1 or more");
        }
        if (streamsOf(streams, workers, rhythm) < workers) {
            int few = streamsOf(streams, workers, rhythm);
            throw new IllegalArgumentException(few + (few == 1 ? " stream for " : " streams for ") + workers
                    + " workers; each needs one, so use more streams (--streams " + workers + ") or fewer workers");
        }
        if (placement != Placement.ANY && rhythm.steal()) {
            throw new IllegalArgumentException("with --steal workers take any batches; leave it out, or --placement");
        }
        if (placement != Placement.ANY && streamsOf(streams, workers, rhythm) > Partition.MOST_PARTS) {
            throw new IllegalArgumentException("examples are cut into a part for each of "
                    + streamsOf(streams, workers, rhythm) + " streams; there can be " + Partition.MOST_PARTS
                    + " parts, so use fewer streams or leave out --placement");
        }
        if (batchRows < 1) {
            throw new IllegalArgumentException("tasks of " + batchRows + " rows; use 1 or more");
        }
        if (silence.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a silence of " + silence + "; use 1 s or more");
        }
    }

    public ClusterPlan withWhere(Where where) {
        return new ClusterPlan(
                where, workers, servers, rhythm, filters, upkeep, batchRows, silence, copies, streams, placement);
    }

    public ClusterPlan withNodes(int workers, int servers) {
        return new ClusterPlan(
                where, workers, servers, rhythm, filters, upkeep, batchRows, silence, copies, streams, placement);
    }

    public ClusterPlan withRhythm(Rhythm rhythm) {
        return new ClusterPlan(
                where, workers, servers, rhythm, filters, upkeep, batchRows, silence, copies, streams, placement);
    }

    /// The same rhythm with another consistency, such as `ssp:3`.
    public ClusterPlan withConsistency(String consistency) {
        return withRhythm(rhythm.withConsistency(consistency));
    }

    public ClusterPlan withFilters(String filters) {
        return new ClusterPlan(
                where, workers, servers, rhythm, filters, upkeep, batchRows, silence, copies, streams, placement);
    }

    public ClusterPlan withUpkeep(Upkeep upkeep) {
        return new ClusterPlan(
                where, workers, servers, rhythm, filters, upkeep, batchRows, silence, copies, streams, placement);
    }

    public ClusterPlan withBatchRows(int batchRows) {
        return new ClusterPlan(
                where, workers, servers, rhythm, filters, upkeep, batchRows, silence, copies, streams, placement);
    }

    public ClusterPlan withSilence(Duration silence) {
        return new ClusterPlan(
                where, workers, servers, rhythm, filters, upkeep, batchRows, silence, copies, streams, placement);
    }

    public ClusterPlan withReplicas(int replicas) {
        return withCopies(copies.withReplicas(replicas));
    }

    public ClusterPlan withCopies(Copies copies) {
        return new ClusterPlan(
                where, workers, servers, rhythm, filters, upkeep, batchRows, silence, copies, streams, placement);
    }

    public ClusterPlan withStreams(int streams) {
        return new ClusterPlan(
                where, workers, servers, rhythm, filters, upkeep, batchRows, silence, copies, streams, placement);
    }

    public ClusterPlan withPlacement(Placement placement) {
        return new ClusterPlan(
                where, workers, servers, rhythm, filters, upkeep, batchRows, silence, copies, streams, placement);
    }

    /// How many streams the data are cut into.
    int streamCount() {
        return streamsOf(streams, workers, rhythm);
    }

    /// How many learn from the same weights: workers, or, in step, all streams.
    int learners() {
        return rhythm.deterministic() ? streamCount() : workers;
    }

    private static int streamsOf(int streams, int workers, Rhythm rhythm) {
        return streams != USUAL ? streams : rhythm.deterministic() ? DETERMINISTIC_STREAMS : workers;
    }

    private static void checkExact(FilterNames filters, Upkeep upkeep) {
        filters.inexact().ifPresent(filter -> {
            throw new IllegalArgumentException("the filter " + filter + " changes what is sent by chance or by"
                    + " what was sent before, so a deterministic run cannot have it; it can have "
                    + FilterNames.EXACT);
        });
        if (!upkeep.keepsAll()) {
            throw new IllegalArgumentException("which features earn a weight depends on what a server has seen, so a"
                    + " deterministic run gives every feature one; leave out --admit and --table-bytes");
        }
    }

    /// Refuses what does not suit a solver.
    void check(Solver solver) {
        new SolverFit(this, solver).check();
    }

    /// What messages leave out or pack smaller.
    FilterNames filterNames() {
        return new FilterNames(filters);
    }

    /// Refuses to keep checkpoints where the number of an update does not tell which batch it is of, so that nobody
    /// can go on in the middle of a pass.
    void checkResumable() {
        if (where instanceof Where.Simulated) {
            throw new IllegalArgumentException(
                    "a simulated run keeps no checkpoint; leave out --checkpoint, --checkpoint-every and --resume");
        }
        if (!terms(0).resumes() || !upkeep.keepsAll()) {
            throw new IllegalArgumentException(
                    "a run can go on from a checkpoint only if each stream has a fixed part of the data, every change"
                        + " is sent at once and every feature has a weight; leave out --checkpoint, --checkpoint-every"
                        + " and --resume, or --steal, --push-budget, --admit, --table-bytes, the filters skip and"
                        + " significant, and the consistency fraction:F");
        }
    }

    /// What its nodes agree on.
    ///
    /// @param seed of the run
    ClusterTerms terms(long seed) {
        int shards = rhythm.deterministic() ? DETERMINISTIC_SHARDS : SHARDS_A_SERVER * servers;
        return new ClusterTerms(
                servers,
                workers,
                streamCount(),
                shards,
                rhythm,
                filterNames().messages(),
                upkeep,
                seed,
                silence.toNanos(),
                copies,
                where instanceof Where.Processes || where instanceof Where.Hosted ? SEATS : 1,
                placement != Placement.ANY || where instanceof Where.Hosted,
                false,
                Reached.NOTHING);
    }
}
