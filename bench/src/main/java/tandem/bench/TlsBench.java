package tandem.bench;

import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `bench tls`.
@Command(
        name = "tls",
        header = "What does it cost to talk through TLS?",
        description =
                "Pushes and pulls of dense rows, of a list of keys that is known and of one key, between processes of"
                    + " this machine that have a secret, beside the same over plain TCP; and what Java's TLS takes for"
                    + " the same bytes where nothing else is done.",
        sortOptions = false)
final class TlsBench implements Callable<Integer> {

    private static final double MOST = 1.6;
    private static final String PLAIN = "plain TCP";
    private static final String TLS = "TLS";
    private static final String BARE = "Java's TLS alone";
    private static final int DENSE_BYTES = Float.BYTES * KvWork.FOUR_MIB_ROWS;
    private static final int LIST = 100_000;

    @Mixin
    private JsonOption printed = new JsonOption();

    @Option(names = "--rounds", paramLabel = "N", description = "How often each has its turn. Default: 5.")
    private int rounds = 5;

    @Option(
            names = "--scale",
            paramLabel = "X",
            description = "Make fewer requests, for a first look. Default: ${DEFAULT-VALUE}.")
    private double scale = 1;

    private final PrintStream out;
    private final Notes notes;
    private final List<Measured> rows = new ArrayList<>();
    private final List<Ratio> ratios = new ArrayList<>();

    TlsBench(PrintStream out, Notes notes) {
        this.out = out;
        this.notes = notes;
    }

    @Override
    public Integer call() throws Exception {
        if (rounds < 1) {
            throw new IllegalArgumentException("--rounds is " + rounds + "; use 1 or more");
        }
        if (!(scale > 0 && scale <= 1)) {
            throw new IllegalArgumentException("--scale is " + scale + "; use a number above 0, up to 1");
        }
        Machine machine = Machine.here();
        KvNetwork network = KvNetwork.of("tcp");
        int dense = scaled(200); // until Java has compiled its cipher, TLS takes ten times as long
        int lists = scaled(1000);
        try (Workspace folder = new Workspace(Path.of(System.getProperty("java.io.tmpdir")));
                KvCluster plain = KvCluster.processes(network, 1, 1, notes);
                KvCluster tls = KvCluster.processes(network.withSecret(secret()), 1, 1, notes)) {
            BareTls bare = new BareTls(folder.folder());
            for (String way : List.of("push", "pull")) {
                compare(
                        "4 MiB dense " + way,
                        systems("dense %s %d 1".formatted(way, dense), plain, tls),
                        () -> bare.move(DENSE_BYTES, dense));
                compare(
                        "100 k keys, the same list, " + way,
                        systems("list %s %d %d".formatted(way, LIST, lists), plain, tls),
                        () -> bare.move(Float.BYTES * LIST, lists));
                one("one key, " + way, systems("one %s %d".formatted(way, scaled(5000)), plain, tls));
            }
        }
        Outcome outcome = new Outcome(
                "tls",
                "What does it cost to talk through TLS?",
                "./tandem bench tls --rounds %d%s"
                        .formatted(rounds, scale == 1 ? "" : " --scale " + Outcome.number(scale)),
                machine,
                7,
                "rows of floats, rule add",
                rows,
                ratios,
                List.of(),
                notes.remarks());
        out.print(printed.json ? outcome.json() : outcome.text());
        out.flush();
        return ratios.stream().allMatch(ratio -> ratio.met() == null || ratio.met()) ? 0 : 1;
    }

    private static String secret() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private int scaled(int usual) {
        return Math.max(1, (int) (usual * scale));
    }

    private void compare(String part, Map<String, Callable<KvTrial>> systems, Callable<KvTrial> bare) throws Exception {
        systems.put(BARE, bare);
        List<KvRow> found = turns(part, systems);
        KvRow without = KvRow.find(found, PLAIN);
        KvRow with = KvRow.find(found, TLS);
        ratios.add(Ratio.atMost(
                MOST, part, "time through TLS against plain TCP", with.medianSeconds() / without.medianSeconds()));
        ratios.add(Ratio.plain(
                part, "CPU time of both processes likewise", with.medianCpuNanos() / without.medianCpuNanos()));
        ratios.add(Ratio.plain(
                part,
                "the same if TLS cost nothing but what Java's takes alone",
                1 + KvRow.find(found, BARE).medianCpuNanos() / without.medianCpuNanos()));
    }

    private void one(String part, Map<String, Callable<KvTrial>> systems) throws Exception {
        List<KvRow> found = turns(part, systems);
        ratios.add(Ratio.atMost(
                MOST,
                part,
                "p50 through TLS against plain TCP",
                KvRow.find(found, TLS).p50Micros() / KvRow.find(found, PLAIN).p50Micros()));
    }

    private static Map<String, Callable<KvTrial>> systems(String order, KvCluster plain, KvCluster tls) {
        Map<String, Callable<KvTrial>> systems = new LinkedHashMap<>();
        systems.put(PLAIN, () -> plain.work(order));
        systems.put(TLS, () -> tls.work(order));
        return systems;
    }

    private List<KvRow> turns(String part, Map<String, Callable<KvTrial>> systems) throws Exception {
        List<KvRow> found = new Turns(part, rounds).run(systems, notes);
        rows.addAll(found);
        return found;
    }
}
