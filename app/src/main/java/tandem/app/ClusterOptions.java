package tandem.app;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import tandem.ClusterPlan;
import tandem.Copies;
import tandem.Placement;
import tandem.Rhythm;
import tandem.Where;
import tandem.client.Reads;
import tandem.runtime.Supervised;
import tandem.wire.Upkeep;

/// The options that say on how many nodes to train, where they are, and how they keep together.
final class ClusterOptions {

    /// Memory for counting features without a weight, unless there is little in all.
    private static final long SKETCH_BYTES = 64L << 20;

    enum Place {
        threads,
        processes,
        spark,
        simulated
    }

    /// Who keeps the processes of a run; null for this process.
    Supervised above;

    @Option(
            names = "--runtime",
            paramLabel = "NAME",
            description = "Where servers and workers are: threads (this process), processes, spark (executors of"
                + " Apache Spark), or simulated (virtual time). Default: threads; without any of these options train"
                + " linear has none, and threads share one table.")
    Place runtime;

    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "With --runtime spark: which cluster, such as local[2], local-cluster[2,1,1024] or"
                    + " spark://HOST:7077. Default: what spark-submit says.")
    String master;

    @Option(
            names = "--spark-conf",
            paramLabel = "NAME=VALUE",
            description = "With --runtime spark: a setting of Spark, such as spark.executor.memory=4g. May be given"
                    + " several times.")
    Map<String, String> sparkSettings = new TreeMap<>();

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Nodes that learn. Default: 2, with sdca 1; as many as --threads for other solvers that need"
                    + " servers, if none of these options is given.")
    Integer workers;

    @Option(names = "--servers", paramLabel = "N", description = "Nodes that hold the weights. Default: 1.")
    Integer servers;

    @Option(
            names = "--consistency",
            paramLabel = "NAME",
            description = "How far workers may run apart: bsp (not at all), ssp:S (S clocks, and each sees its own"
                    + " updates), essp:S (the same, but servers send rows as they change), bounded:T (a delay of T"
                    + " tasks), async, or fraction:F (a pass ends when a share F of the workers has finished it)."
                    + " bounded:8..2 goes from 8 in the first pass to 2 in the last. Default: ssp:3.")
    String consistency;

    @Option(
            names = "--steal",
            description =
                    "With fraction:F: workers that are through with their part of a pass take over what slower ones"
                            + " have left, so that nothing is skipped.")
    boolean steal;

    @Option(
            names = "--clock",
            paramLabel = "N",
            description = "Batches of a worker that make a clock, which is what ssp:S and bounded:T count. Default: 1.")
    Integer clock;

    @Option(
            names = "--deterministic",
            description = "The same model to the bit with any number of workers and servers, whatever fails, for the"
                    + " same data, seed and number of streams. Needs --consistency bsp, which is then the default.")
    boolean deterministic;

    @Option(
            names = "--streams",
            paramLabel = "N",
            description = "How many streams the data is cut into, each worked on by one worker at a time. Default: one"
                    + " a worker; with --deterministic 8.")
    Integer streams;

    @Option(
            names = "--push-budget",
            paramLabel = "RATE",
            description = "What each worker may push in a second before a clock is over, the largest relative changes"
                    + " first: 1MB, 10Mbit. The rest is summed up and goes at the end of the clock. Needs --clock.")
    String pushBudget;

    @Option(
            names = "--filters",
            paramLabel = "NAMES",
            description =
                    "What messages leave out or pack smaller, in this order: kkt (weights at rest, with dbpg), skip:P"
                        + " (rows at random), significant:X (small changes, sent later; with dbpg as"
                        + " pull=significant:X, small steps, taken later), runs (zeros), fixed:BYTES, fp16 or bf16"
                        + " (short numbers), lz4 or zstd:LEVEL (bytes); keycache and delta (keys) anywhere. push=NAME"
                        + " and pull=NAME are for one direction. none: nothing. Default: keycache.")
    String filters;

    @Option(
            names = "--admit",
            paramLabel = "N",
            description = "A feature gets a weight with its N-th update, as far as a sketch can tell; before that it"
                    + " counts as 0. Keeps the many features that come once from taking memory. Default: 1.")
    Integer admit;

    @Option(
            names = "--table-bytes",
            paramLabel = "SIZE",
            description = "The most memory that the weights of a problem take on all servers, such as 500M or 8G: the"
                    + " features that were updated least make room for others. Default: no limit.")
    String tableBytes;

    @Option(
            names = "--replicas",
            paramLabel = "N",
            description = "How many servers hold a copy of each weight besides the first: with 1, any one server can"
                    + " be lost at a time and training goes on. Default: 0.")
    Integer replicas;

    @Option(
            names = "--replication",
            paramLabel = "push|aggregate",
            description = "With --replicas: whether copies are told of each update, or of the updates of a clock as"
                    + " one, their sum, which takes a small part of the bytes where there are many workers; that needs"
                    + " --consistency bsp. Default: push.")
    Copies.Replication replication;

    @Option(
            names = "--reads",
            paramLabel = "head|tail",
            description = "With --replicas: whether workers read what the first server of a chain has, or the last,"
                    + " which all have. Default: head.")
    Reads reads;

    @Option(
            names = "--placement",
            paramLabel = "any|examples|parsa",
            description = "Which examples a worker gets, and which features the server beside it: any; examples that"
                    + " have many features in common, so that batches have fewer features and less is sent; or these"
                    + " and the features that they need (parsa). Default: any.")
    Placement placement;

    @Option(
            names = "--silence",
            paramLabel = "TIME",
            description = "How long a node that is waited for may be silent before the run gives up. Default: 30s, or"
                    + " 2m on Spark, which may have to start an executor first.")
    String silence;

    @Option(
            names = "--transport",
            paramLabel = "unix|tcp",
            description =
                    "What processes talk over: sockets in the file system, or TCP on this machine. Default: unix.")
    Where.Transport transport;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description =
                    "With --transport tcp: the address of this machine that nodes of other machines reach this run"
                            + " at; needs a secret or certificates. Default: none, nobody else reaches it.")
    String listen;

    @ArgGroup(validate = false)
    TrustOptions trust = new TrustOptions();

    @Option(
            names = "--job",
            paramLabel = "NAME",
            description =
                    "With --runtime processes or spark: the name that evaluate --job, predict --job and cluster find"
                            + " this run under while it trains.")
    String job;

    /// How many batches are learned from at a time.
    ///
    /// @param unasked how many workers there are if none of these options is given
    int learners(int unasked) {
        if (deterministic) {
            return streams == null ? ClusterPlan.DETERMINISTIC_STREAMS : streams;
        }
        return workers != null ? workers : isNotGiven() ? unasked : usualWorkers;
    }

    private Upkeep upkeep() {
        Check.atLeast(1, "--admit", admit);
        long most = tableBytes == null ? Long.MAX_VALUE : Check.bytes("--table-bytes", tableBytes);
        int at = admit == null ? 1 : admit;
        return new Upkeep(at, at == 1 ? 0 : Math.min(SKETCH_BYTES, most / 8), most);
    }

    /// Whether none of these options is.
    private boolean isNotGiven() {
        return runtime == null
                && master == null
                && sparkSettings.isEmpty()
                && workers == null
                && servers == null
                && consistency == null
                && !steal
                && clock == null
                && !deterministic
                && streams == null
                && pushBudget == null
                && filters == null
                && admit == null
                && tableBytes == null
                && silence == null
                && placement == null
                && replicas == null
                && replication == null
                && reads == null
                && transport == null
                && listen == null
                && trust.any() == null
                && job == null;
    }

    /// The cluster that the options ask for, or null if they ask for none.
    ///
    /// @param updateRows examples a task, or null for the usual number
    ClusterPlan plan(Integer updateRows, SimulationOptions simulation) throws IOException {
        if (isNotGiven()) {
            simulation.refuse();
            return null;
        }
        if (runtime != Place.simulated) {
            simulation.refuse();
        }
        if ((master != null || !sparkSettings.isEmpty()) && runtime != Place.spark) {
            throw new IllegalArgumentException(
                    (master != null ? "--master" : "--spark-conf") + " is for --runtime spark; leave it out");
        }
        if (transport != null && runtime != Place.processes) {
            throw new IllegalArgumentException("--transport is for --runtime processes; leave it out");
        }
        if ((listen != null || trust.any() != null) && runtime != Place.processes) {
            throw new IllegalArgumentException((listen != null ? "--listen" : trust.any())
                    + " is for --runtime processes; other runs open no connection. Leave it out");
        }
        if (job != null && runtime != Place.processes && runtime != Place.spark) {
            throw new IllegalArgumentException(
                    "--job names a run that others can reach; it is for --runtime processes and spark. Leave it out");
        }
        Check.atLeast(1, "--workers", workers);
        Check.atLeast(1, "--servers", servers);
        Check.atLeast(1, "--clock", clock);
        Check.atLeast(0, "--replicas", replicas);
        Check.atLeast(1, "--streams", streams);
        ClusterPlan usual = ClusterPlan.DEFAULT;
        Duration limit = silence == null ? usualSilence() : Check.duration("--silence", silence);
        return new ClusterPlan(
                switch (runtime) {
                    case null -> new Where.Embedded();
                    case threads -> new Where.Embedded();
                    case processes -> processes();
                    // Where its hosts are is known when Spark has read the data.
                    case spark -> new Where.Embedded();
                    case simulated -> simulation.where();
                },
                workers == null ? usualWorkers : workers,
                servers == null ? usual.servers() : servers,
                new Rhythm(
                        consistency(usual),
                        steal,
                        clock == null ? 1 : clock,
                        pushBudget == null ? 0 : Check.rate("--push-budget", pushBudget),
                        deterministic),
                filters == null ? usual.filters() : filters,
                upkeep(),
                updateRows == null ? usual.batchRows() : updateRows,
                limit,
                copies(),
                streams == null ? ClusterPlan.USUAL : streams,
                placement == null ? Placement.ANY : placement);
    }

    /// Spark takes its time to start an executor in the place of another.
    private Duration usualSilence() {
        return runtime == Place.spark ? Duration.ofMinutes(2) : ClusterPlan.DEFAULT.silence();
    }

    private Copies copies() {
        return new Copies(
                replicas == null ? 0 : replicas,
                replication == null ? Copies.NONE.replication() : replication,
                reads == null ? Copies.NONE.reads() : reads);
    }

    private Where.Processes processes() throws IOException {
        Where.Transport usual = listen == null ? Where.Transport.UNIX : Where.Transport.TCP;
        return new Where.Processes(
                transport == null ? usual : transport,
                job,
                listen == null ? null : tandem.link.Place.Tcp.of("--listen", listen),
                trust.trust(),
                above);
    }

    /// How many workers there are, unless somebody says otherwise.
    int usualWorkers = ClusterPlan.DEFAULT.workers();

    /// Whether all workers have to be at the same clock, unless somebody says otherwise.
    boolean together;

    private String consistency(ClusterPlan usual) {
        if (consistency != null) {
            return consistency;
        }
        return deterministic || together ? "bsp" : usual.rhythm().consistency();
    }
}
