package tandem.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `bench chain`.
@Command(
        name = "chain",
        header = "What does it cost to hold everything twice?",
        description =
                "Pushes to a chain of two servers beside one server, at 1 Gbit/s and on this machine; reads from the"
                    + " first and the last of a chain; and updates passed on one by one or as their sum. Every node is"
                    + " a process.",
        sortOptions = false)
final class ChainBench implements Callable<Integer> {

    private static final KvNetwork GIGABIT = KvNetwork.shaped(125e6);
    private static final KvNetwork AS_IT_IS = KvNetwork.of("tcp");
    private static final int STREAMS = 4;
    private static final String ONE = "one server";
    private static final String TWO = "chain of two";

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

    ChainBench(PrintStream out, Notes notes) {
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
        shaped();
        loopback();
        together();
        Outcome outcome = new Outcome(
                "chain",
                "What does it cost to hold everything twice?",
                "./tandem bench chain --rounds %d%s"
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

    private int scaled(int usual) {
        return Math.max(1, (int) (usual * scale));
    }

    /// Whether updates pass on while they arrive.
    private void shaped() throws Exception {
        String part = "4 MiB dense push at 1 Gbit/s";
        try (KvCluster alone = KvCluster.chain(GIGABIT, 1, 1, false, notes);
                KvCluster chain = KvCluster.chain(GIGABIT, 2, 1, false, notes)) {
            List<KvRow> found = turns(part, "dense push %d 1".formatted(scaled(20)), alone, chain);
            ratios.add(Ratio.atMost(
                    1.3,
                    part,
                    "time of a push to a chain of two against one server",
                    KvRow.find(found, TWO).medianSeconds()
                            / KvRow.find(found, ONE).medianSeconds()));
        }
    }

    private void loopback() throws Exception {
        try (KvCluster alone = KvCluster.chain(AS_IT_IS, 1, 1, false, notes);
                KvCluster chain = KvCluster.chain(AS_IT_IS, 2, 1, false, notes)) {
            cpu("4 MiB dense push", "dense push %d 1".formatted(scaled(200)), alone, chain);
            cpu("100 k keys, the same list", "list push 100000 %d".formatted(scaled(400)), alone, chain);
            reads(chain);
        }
    }

    private void cpu(String part, String order, KvCluster alone, KvCluster chain) throws Exception {
        List<KvRow> found = turns(part, order, alone, chain);
        ratios.add(Ratio.atMost(
                2.2,
                part,
                "CPU time of a push to a chain of two against one server, all processes",
                KvRow.find(found, TWO).medianCpuNanos() / KvRow.find(found, ONE).medianCpuNanos()));
    }

    private List<KvRow> turns(String part, String order, KvCluster alone, KvCluster chain) throws Exception {
        Map<String, Callable<KvTrial>> systems = new LinkedHashMap<>();
        systems.put(ONE, () -> alone.work(order));
        systems.put(TWO, () -> chain.work(order));
        List<KvRow> found = new Turns(part, rounds).run(systems, notes);
        rows.addAll(found);
        return found;
    }

    private void reads(KvCluster chain) throws Exception {
        String part = "one key, read from a chain of two";
        int requests = scaled(5000);
        Map<String, Callable<KvTrial>> systems = new LinkedHashMap<>();
        systems.put("first server", () -> chain.work("one pull " + requests));
        systems.put("last server", () -> chain.work("settled " + requests));
        List<KvRow> found = new Turns(part, rounds).run(systems, notes);
        rows.addAll(found);
        ratios.add(Ratio.plain(
                part,
                "p50 of a read from the last server against the first",
                KvRow.find(found, "last server").p50Micros()
                        / KvRow.find(found, "first server").p50Micros()));
    }

    /// What the second server is sent of the pushes of several workers.
    private void together() throws Exception {
        String part = "1 MiB dense push, %d workers, each push a clock".formatted(STREAMS);
        int requests = scaled(20);
        long[] bytes = new long[2];
        try (KvCluster each = KvCluster.chain(AS_IT_IS, 2, STREAMS, false, notes);
                KvCluster sums = KvCluster.chain(AS_IT_IS, 2, STREAMS, true, notes)) {
            Map<String, Callable<KvTrial>> systems = new LinkedHashMap<>();
            systems.put("each passed on", () -> counted(each, requests, bytes, 0));
            systems.put("their sum passed on", () -> counted(sums, requests, bytes, 1));
            rows.addAll(new Turns(part, rounds).run(systems, notes));
        }
        ratios.add(Ratio.atMost(
                1.2 / STREAMS,
                part,
                "bytes to the second server when the sum is passed on against each push",
                (double) bytes[1] / bytes[0]));
    }

    private static KvTrial counted(KvCluster cluster, int requests, long[] bytes, int which) {
        long before = cluster.receivedBytes(1);
        KvTrial trial = cluster.work(STREAMS, "clocks " + requests);
        bytes[which] += cluster.receivedBytes(1) - before;
        return trial;
    }
}
