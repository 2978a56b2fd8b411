package tandem;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tandem.consistency.Consistency;
import tandem.consistency.Timetable;
import tandem.data.Partition;
import tandem.filter.Direction;
import tandem.filter.Filters;
import tandem.filter.Tally;
import tandem.wire.Reached;
import tandem.wire.Upkeep;
import tandem.worker.Local;

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

    private static final String KKT = "kkt";

    /// Filters that could change numbers and are told not to.
    private static final Pattern NEUTRAL = Pattern.compile("(skip|fixed):0+(\\.0*)?|.*:exact");

    /// Filters that change no number.
    private static final List<String> EXACT = List.of("keycache", "delta", "runs", "lz4", "zstd");

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
        if (copies.replication() == Copies.Replication.AGGREGATE
                && (!rhythm.consistency().equals("bsp") || rhythm.deterministic())) {
            throw new IllegalArgumentException(
                    "updates are passed on after aggregation where all workers are at the same clock, and their sum"
                        + " may come in two pieces if one is late; use --replication aggregate with --consistency bsp"
                        + " and without --deterministic");
        }
        Filters.Both both = new Filters().parse(sent(filters));
        if (rhythm.deterministic()) {
            checkExact(both, upkeep);
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

    /// Whether weights at rest are left out, as block solvers can.
    boolean kkt() {
        return List.of(filters.split(",")).contains(KKT);
    }

    /// The filters of messages: all but the one that decides what there is to send.
    private static String sent(String filters) {
        String rest = Arrays.stream(filters.split(",", -1))
                .filter(filter -> !filter.equals(KKT))
                .collect(Collectors.joining(","));
        return rest.isEmpty() && !filters.isEmpty() ? "none" : rest;
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

    private static int streamsOf(int streams, int workers, Rhythm rhythm) {
        return streams != USUAL ? streams : rhythm.deterministic() ? DETERMINISTIC_STREAMS : workers;
    }

    private static void checkExact(Filters.Both filters, Upkeep upkeep) {
        inexact(filters).ifPresent(filter -> {
            throw new IllegalArgumentException("the filter " + filter + " changes what is sent by chance or by"
                    + " what was sent before, so a deterministic run cannot have it; it can have "
                    + String.join(", ", EXACT));
        });
        if (!upkeep.keepsAll()) {
            throw new IllegalArgumentException("which features earn a weight depends on what a server has seen, so a"
                    + " deterministic run gives every feature one; leave out --admit and --table-bytes");
        }
    }

    /// Refuses what does not suit a solver.
    void check(Solver solver) {
        checkKind(solver);
        // Last, so that nobody is told what stealing needs who cannot have it at all.
        if (rhythm.steal()
                && !Consistency.named(new Timetable(rhythm.consistency()).at(0, 1))
                        .byPass()) {
            throw new IllegalArgumentException("workers take over from others only where nobody waits within a pass;"
                    + " use --steal with a consistency such as fraction:0.75, not " + rhythm.consistency());
        }
    }

    private void checkKind(Solver solver) {
        if (solver instanceof Solver.Factors factors) {
            checkRagged(factors);
        }
        if (!(solver instanceof Solver.Blocks)) {
            if (significantPull(new Filters().parse(sent(filters))).isPresent()) {
                throw new IllegalArgumentException("the filter significant is for what is pushed with "
                        + solver.label() + ", where nobody knows which weights a worker has; leave out pull=, or use"
                        + " --solver dbpg");
            }
            if (kkt()) {
                throw new IllegalArgumentException(
                        "the filter kkt leaves out weights that a solver knows to be at rest," + " and "
                                + solver.label() + " knows of none; use it with --solver dbpg");
            }
            if (solver instanceof Solver.Online online && online.rule() == Solver.Rule.ADADELAY) {
                checkAges();
            }
            if (solver instanceof Solver.Online online && online.local() instanceof Local.Downpour how) {
                check(how);
            }
            if (solver instanceof Solver.Online online && online.local() instanceof Local.Averaging how) {
                checkRounds(solver, how.exchange());
            }
            if (solver instanceof Solver.Lbfgs) {
                checkVectors(solver);
            }
            if (solver instanceof Solver.Sdca) {
                checkSlopes(solver);
            }
            if (solver instanceof Solver.Proximal) {
                checkClocks(solver);
            }
            return;
        }
        checkBlocks(solver, new Filters().parse(sent(filters)));
        if (!upkeep.keepsAll() || rhythm.steal() || rhythm.pushBytesPerSecond() > 0 || rhythm.batchesPerClock() > 1) {
            throw new IllegalArgumentException(solver.label() + " works on blocks of features, all of which have a"
                    + " weight; leave out --admit, --table-bytes, --steal, --clock and --push-budget");
        }
        BlockCourse.delay(new Timetable(rhythm.consistency()).at(0, 1));
        if (copies.replication() == Copies.Replication.AGGREGATE) {
            throw new IllegalArgumentException(
                    "servers of " + solver.label() + " pass on each update; use --replication push");
        }
    }

    /// Refuses filters that come between what workers know of weights and what these are.
    private static void checkBlocks(Solver solver, Filters.Both filters) {
        if (filters.push().stream().anyMatch(filter -> filter.startsWith("significant"))) {
            throw new IllegalArgumentException("the filter significant sends small changes later, but " + solver.label()
                    + " needs what all workers think of a block at once; use it for pulls, as pull=significant:0.001,"
                    + " or kkt, skip or fixed instead");
        }
        inexact(filters.pull().stream().filter(filter -> !isSignificant(filter)).toList())
                .ifPresent(filter -> {
                    throw new IllegalArgumentException("the filter " + filter
                            + " changes weights on their way to workers, which "
                            + solver.label()
                            + " would then take its gradients and its proof at; use it for what is pushed, as"
                            + " push=" + filter + ", and for pulls significant, " + String.join(", ", EXACT));
                });
    }

    private static boolean isSignificant(String filter) {
        return filter.replaceAll(":.*", "").equals("significant");
    }

    private static Optional<String> significantPull(Filters.Both filters) {
        return filters.pull().stream().filter(ClusterPlan::isSignificant).findFirst();
    }

    /// What steps of weights must exceed to be worth telling workers, in the first round; 0 if all are.
    double pullThreshold() {
        return significantPull(new Filters().parse(sent(filters)))
                .map(filter -> Double.parseDouble(filter.substring(filter.indexOf(':') + 1)))
                .orElse(0.0);
    }

    /// Whether filters lose something of what is pushed, as those that are set to lose nothing do not.
    boolean losesPushes() {
        return inexact(new Filters()
                        .parse(sent(filters)).push().stream()
                                .filter(filter -> !NEUTRAL.matcher(filter).matches())
                                .toList())
                .isPresent();
    }

    /// Refuses what rows of lengths of their own cannot have.
    private void checkRagged(Solver.Factors solver) {
        Filters kinds = new Filters();
        for (String filter : kinds.parse(sent(filters)).push()) {
            if (kinds.stack(List.of(filter), Direction.PUSH, new Tally()).chooses()) {
                throw new IllegalArgumentException("the filter " + filter + " leaves out rows of one length, but with "
                        + solver.label() + " some features have factors and some have none; leave it out, and use runs,"
                        + " fixed, fp16, bf16, lz4 or zstd");
            }
        }
        if (upkeep.mostBytes() != Long.MAX_VALUE) {
            throw new IllegalArgumentException("servers cannot tell beforehand what features with factors will take;"
                    + " leave out --table-bytes, and use a higher --threshold for less memory");
        }
        if (new Timetable(rhythm.consistency()).at(0, 1).startsWith("essp") || rhythm.pushBytesPerSecond() > 0) {
            throw new IllegalArgumentException("workers keep no copy of rows with factors; leave out --push-budget, and"
                    + " use ssp instead of essp");
        }
        if (copies.replication() == Copies.Replication.AGGREGATE) {
            throw new IllegalArgumentException(
                    "servers of " + solver.label() + " pass on each update; use --replication push");
        }
    }

    /// Refuses steps without rows, and a warm-up that would wait for those that it keeps waiting.
    private void check(Local.Downpour how) {
        if (batchRows < how.push()) {
            throw new IllegalArgumentException(how.push() + " steps between pushes of " + batchRows
                    + " rows; each step needs one, so use more rows (--update-rows " + how.push()
                    + ") or push more often (--push-every)");
        }
        Consistency named = Consistency.named(new Timetable(rhythm.consistency()).at(0, 1));
        if (how.warmUp() > 0 && (named.after(0, 0).everyone() != Long.MIN_VALUE || named.byPass())) {
            throw new IllegalArgumentException("in a warm-up one worker runs ahead of the others, but the consistency"
                    + " " + rhythm.consistency() + " has it wait for them; use --consistency async, or leave out"
                    + " --warm-up");
        }
    }

    /// Refuses what has a mean be of other than all workers' weights at the end of a round.
    private void checkRounds(Solver solver, Local.Averaging.Exchange exchange) {
        if (rhythm.deterministic() && exchange != Local.Averaging.Exchange.SERVER) {
            throw new IllegalArgumentException("in which order weights are added up depends on how many workers there"
                    + " are, so a deterministic run cannot have the exchange "
                    + exchange.name().toLowerCase(Locale.ROOT) + "; use --exchange server");
        }
        checkExact(solver, new Filters().parse(sent(filters)));
        if (!upkeep.keepsAll() || rhythm.steal() || rhythm.pushBytesPerSecond() > 0 || rhythm.batchesPerClock() > 1) {
            throw new IllegalArgumentException(solver.label() + " takes the mean of all weights after every batch;"
                    + " leave out --admit, --table-bytes, --steal, --clock and --push-budget");
        }
        if (!rhythm.consistency().equals("bsp")) {
            throw new IllegalArgumentException("the consistency is " + rhythm.consistency() + ", but workers of "
                    + solver.label() + " go on from the mean of all of them; use --consistency bsp, or leave it out");
        }
        if (copies.replication() == Copies.Replication.AGGREGATE) {
            throw new IllegalArgumentException(
                    "servers of " + solver.label() + " pass on each update; use --replication push");
        }
    }

    private void checkVectors(Solver solver) {
        checkExact(solver, new Filters().parse(sent(filters)));
        if (!upkeep.keepsAll() || rhythm.steal() || rhythm.pushBytesPerSecond() > 0 || rhythm.batchesPerClock() > 1) {
            throw new IllegalArgumentException(solver.label() + " needs the gradient of all weights at once, and shares"
                    + " out work by itself; leave out --admit, --table-bytes, --steal, --clock and --push-budget");
        }
        if (rhythm.consistency().startsWith("fraction")) {
            throw new IllegalArgumentException("the consistency is " + rhythm.consistency() + ", but " + solver.label()
                    + " needs the gradient of all examples; leave out --consistency: nobody waits for a slow worker,"
                    + " because others do its work");
        }
        if (copies.replication() == Copies.Replication.AGGREGATE) {
            throw new IllegalArgumentException(
                    "servers of " + solver.label() + " pass on each update; use --replication push");
        }
    }

    /// Refuses what would have weights and slopes of examples say different things.
    private void checkSlopes(Solver solver) {
        checkExact(solver, new Filters().parse(sent(filters)));
        if (!upkeep.keepsAll() || rhythm.steal() || rhythm.pushBytesPerSecond() > 0 || rhythm.batchesPerClock() > 1) {
            throw new IllegalArgumentException(solver.label() + " has a number for each example, which stays with its"
                    + " worker, and needs all weights; leave out --admit, --table-bytes, --steal, --clock and"
                    + " --push-budget");
        }
        if (rhythm.consistency().startsWith("fraction")) {
            throw new IllegalArgumentException("the consistency is " + rhythm.consistency() + ", but " + solver.label()
                    + " adds up what all examples change in a pass; leave out --consistency");
        }
        if (copies.replication() == Copies.Replication.AGGREGATE) {
            throw new IllegalArgumentException(
                    "servers of " + solver.label() + " pass on each update; use --replication push");
        }
    }

    /// Refuses what has servers see other than all gradients of a clock, at its end.
    private void checkClocks(Solver solver) {
        checkExact(solver, new Filters().parse(sent(filters)));
        if (!upkeep.keepsAll() || rhythm.steal() || rhythm.pushBytesPerSecond() > 0 || rhythm.batchesPerClock() > 1) {
            throw new IllegalArgumentException(solver.label() + " moves all weights with every clock, which is one look"
                    + " at all data; leave out --admit, --table-bytes, --steal, --clock and --push-budget");
        }
        Timetable timetable = new Timetable(rhythm.consistency());
        ProximalCourse.delay(timetable.at(0, 2));
        ProximalCourse.delay(timetable.at(1, 2));
        if (copies.replication() == Copies.Replication.AGGREGATE) {
            throw new IllegalArgumentException(
                    "servers of " + solver.label() + " pass on each update; use --replication push");
        }
    }

    /// Refuses what sends changes without the age of what they were computed from.
    private void checkAges() {
        boolean eager =
                Consistency.named(new Timetable(rhythm.consistency()).at(0, 1)).isEager();
        boolean holds = new Filters().parse(sent(filters)).push().stream().anyMatch(name -> name.startsWith("signif"));
        if (eager || holds || rhythm.pushBytesPerSecond() > 0 || copies.replication() == Copies.Replication.AGGREGATE) {
            throw new IllegalArgumentException("adadelay takes the length of a step from how late its update is, which"
                    + " nobody knows of changes that are kept back, summed up or computed from kept rows; leave out"
                    + " --push-budget, --replication aggregate, the filter significant and the consistency essp, or use"
                    + " --solver adagrad");
        }
    }

    private static void checkExact(Solver solver, Filters.Both filters) {
        inexact(filters).ifPresent(filter -> {
            throw new IllegalArgumentException("the filter " + filter + " changes what is sent, and " + solver.label()
                    + " needs numbers as they are; it can have " + String.join(", ", EXACT));
        });
    }

    private static Optional<String> inexact(Filters.Both filters) {
        return inexact(
                Stream.concat(filters.push().stream(), filters.pull().stream()).toList());
    }

    private static Optional<String> inexact(List<String> filters) {
        return filters.stream()
                .filter(filter -> !EXACT.contains(filter.replaceAll(":.*", "")))
                .findFirst();
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
                sent(filters),
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
