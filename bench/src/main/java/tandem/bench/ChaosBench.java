package tandem.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tandem.client.Station;
import tandem.cluster.Cast;

/// `bench chaos`: real processes and connections to which bad things happen while workers count.
@Command(
        name = "chaos",
        header = "Is anything lost or counted twice when processes and connections fail?",
        description = "Workers in processes of their own add to rows on servers that each hold copies. In each round"
                + " something is done to one of them or to the network: it is killed, stopped, cut off, slowed down,"
                + " lied to. Then every row must be what was pushed, exactly. Beside that: how long pushes stood"
                + " still.",
        sortOptions = false)
final class ChaosBench implements Callable<Integer> {

    @Option(
            names = "--kinds",
            paramLabel = "KIND",
            split = ",",
            description = "What is done, in turn. Default: all of kill-server, kill-worker, memory, pause, long-pause,"
                    + " stop, cut, one-way, hole, alone, loss, corruption, delay, slow-worker, slow-reader, strangers,"
                    + " clock.")
    private List<String> kinds = List.of();

    @Option(names = "--rounds", paramLabel = "N", description = "How often something is done, in all. Default: 20.")
    private Integer rounds;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "No new round begins after so long. Default: no limit; with --soak 60.")
    private Double seconds;

    @Option(
            names = "--soak",
            description = "Go on for --seconds, and see whether the memory, descriptors and threads of nodes grow."
                    + " Server 0 and worker 0 live through it.")
    private boolean soak;

    @Option(names = "--servers", paramLabel = "N", description = "Default: 3.")
    private int servers = 3;

    @Option(names = "--workers", paramLabel = "N", description = "Default: 2.")
    private int workers = 2;

    @Option(names = "--replicas", paramLabel = "N", description = "Copies of each row besides the first. Default: 1.")
    private int replicas = 1;

    @Option(names = "--seed", paramLabel = "N", description = "Decides who is struck. Default: 1.")
    private long seed = 1;

    @Mixin
    private JsonOption printed = new JsonOption();

    private final PrintStream out;
    private final Notes notes;
    private final Map<ChaosKind, List<Havoc.Blow>> blows = new TreeMap<>();
    private final Soak weights = new Soak(System::nanoTime);
    private final List<String> skipped = new ArrayList<>();

    ChaosBench(PrintStream out, Notes notes) {
        this.out = out;
        this.notes = notes;
    }

    @Override
    public Integer call() throws IOException {
        check();
        try (Workspace work = new Workspace(Path.of(System.getProperty("java.io.tmpdir")))) {
            List<ChaosKind> chosen = chosen();
            WallClock clock = chosen.contains(ChaosKind.CLOCK) ? WallClock.in(work.folder()) : null;
            if (clock == null && chosen.remove(ChaosKind.CLOCK)) {
                skipped.add("clock: there is no C compiler (cc), which it takes to move the time of day of a process");
            }
            if (chosen.isEmpty()) {
                throw new IllegalArgumentException("none of --kinds can be done here: " + skipped);
            }
            Cast cast = Cast.of(servers, workers, workers)
                    .withSeats(2 * servers)
                    .withReplicas(replicas, ChaosCluster.LOST_NANOS);
            Machine machine = Machine.here();
            try (ChaosCluster cluster = new ChaosCluster(cast, work.folder(), clock, notes)) {
                CoordinatorHavoc jobs = new CoordinatorHavoc(work, seed, notes);
                cluster.run(station -> wreak(cluster, jobs, station, chosen));
            }
            return print(machine);
        }
    }

    private void check() {
        if (workers < 1 || replicas < 1 || servers <= replicas || soak && (servers < 2 || workers < 2)) {
            throw new IllegalArgumentException(servers + " servers, " + workers + " workers and " + replicas
                    + " replicas; use 1 or more of each, more servers than replicas, and 2 workers for a soak");
        }
        if (rounds != null && rounds < 1) {
            throw new IllegalArgumentException("--rounds is " + rounds + "; use 1 or more");
        }
        if (seconds != null && !(seconds > 0)) {
            throw new IllegalArgumentException("--seconds is " + seconds + "; use a number above 0");
        }
    }

    private List<ChaosKind> chosen() {
        return new ArrayList<>(
                kinds.isEmpty()
                        ? Arrays.asList(ChaosKind.values())
                        : kinds.stream().map(ChaosKind::of).toList());
    }

    private void wreak(ChaosCluster cluster, CoordinatorHavoc jobs, Station station, List<ChaosKind> chosen) {
        Havoc havoc = new Havoc(cluster, station, seed, node -> soak && node.number() == 0);
        int most = rounds != null ? rounds : soak ? Integer.MAX_VALUE : 20;
        double limit = seconds != null ? seconds : soak ? 60 : Double.POSITIVE_INFINITY;
        long start = System.nanoTime();
        try {
            havoc.begin();
            for (int round = 0; round < most && (System.nanoTime() - start) * 1e-9 < limit; round++) {
                ChaosKind kind = chosen.get(round % chosen.size());
                Havoc.Blow blow = kind == ChaosKind.KILL_COORDINATOR ? jobs.strike() : havoc.strike(kind);
                blows.computeIfAbsent(blow.kind(), _ -> new ArrayList<>()).add(blow);
                notes.progress("round %d, %s (%s): %d of %d rows exact, pushes stood still for %.2f s"
                        .formatted(round + 1, blow.kind(), blow.whom(), blow.exact(), blow.rows(), blow.seconds()));
                if (soak) {
                    weights.add(havoc.weigh());
                }
            }
            havoc.end();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int print(Machine machine) {
        List<Measured> rows = new ArrayList<>();
        blows.forEach((kind, all) -> rows.add(ChaosRow.of(kind, all)));
        List<SoakRow> held = weights.rows();
        rows.addAll(held);
        List<Havoc.Blow> all = blows.values().stream().flatMap(List::stream).toList();
        boolean exact = all.stream().allMatch(Havoc.Blow::isExact);
        notes.remark("%,d updates were acknowledged; every row was exact after %d of %d rounds"
                .formatted(
                        all.stream().mapToLong(Havoc.Blow::acknowledged).max().orElse(0),
                        all.stream().filter(Havoc.Blow::isExact).count(),
                        all.size()));
        Outcome outcome = new Outcome(
                "chaos",
                "Is anything lost or counted twice when processes and connections fail?",
                command(),
                machine,
                seed,
                workers + " workers that count, " + servers + " servers, each row on " + (replicas + 1)
                        + " of them; TCP",
                rows,
                List.of(),
                skipped,
                notes.remarks());
        out.print(printed.json ? outcome.json() : outcome.text());
        out.flush();
        return exact && held.stream().allMatch(SoakRow::isFlat) ? 0 : 1;
    }

    private String command() {
        return "./tandem bench chaos"
                + (soak ? " --soak" : "")
                + (rounds == null ? "" : " --rounds " + rounds)
                + (seconds == null ? "" : " --seconds " + Outcome.number(seconds))
                + (kinds.isEmpty() ? "" : kinds.stream().collect(Collectors.joining(",", " --kinds ", "")));
    }
}
