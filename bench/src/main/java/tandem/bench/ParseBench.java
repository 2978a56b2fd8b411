package tandem.bench;

import de.bwaldvogel.liblinear.Problem;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tandem.data.Batch;
import tandem.data.Batches;
import tandem.data.Clicks;
import tandem.data.Data;

/// `bench parse`.
@Command(
        name = "parse",
        header = "How fast is LIBSVM text read?",
        description =
                "One thread each, from a file that the system holds in memory; beside plain Java, liblinear-java and"
                        + " Vowpal Wabbit.",
        sortOptions = false)
final class ParseBench implements Callable<Integer> {

    private static final String NAME = "LIBSVM text to rows, 1 thread";
    private static final String PACKED = "LIBSVM text to packed batches, 1 thread";
    private static final String TANDEM = "tandem";
    private static final String PLAIN = "plain Java: readLine, split, parse";
    private static final String PORT = "liblinear-java, its reader";
    private static final String VW = "vowpal wabbit, text to its cache";

    @Mixin
    private Settings settings = new Settings();

    private final PrintStream out;
    private final Notes notes;

    ParseBench(PrintStream out, Notes notes) {
        this.out = out;
        this.notes = notes;
        settings.rows = 200_000;
    }

    @Override
    public Integer call() throws Exception {
        settings.check();
        Machine machine = Machine.here();
        Peers peers = settings.peers();
        Clicks clicks =
                Clicks.DEFAULT.withSeed(settings.seed).withRows(settings.rows).withFeatures(settings.features);
        List<Row> rows = new ArrayList<>();
        long bytes;
        try (Workspace work = new Workspace(settings.work)) {
            Path text = work.clicks("clicks.svm", clicks, notes);
            bytes = Files.size(text);
            Map<String, Callable<Trial>> systems = new LinkedHashMap<>();
            systems.put(TANDEM, () -> Trial.of(() -> Data.of(text.toString()).count(), this::checked));
            systems.put(PLAIN, () -> Trial.of(() -> PlainParser.rows(text), this::checked));
            if (!settings.alone) {
                systems.put(PORT, () -> Trial.of(() -> (long) Problem.readFromFile(text, -1).l, this::checked));
            }
            if (peers.hasVw()) {
                Path vowpal = work.vowpal(text);
                systems.put(VW, () -> new Vowpal(peers, work).parse(vowpal));
            }
            rows.addAll(contest(NAME, bytes).run(systems, notes));
            rows.addAll(contest(PACKED, bytes)
                    .run(Map.of(TANDEM, () -> Trial.of(() -> pack(text), this::checked)), notes));
        }
        report(machine, peers, rows, bytes);
        return 0;
    }

    private Contest contest(String name, long bytes) {
        return new Contest(name, settings.rows, bytes, settings.rounds, settings.budget);
    }

    private void report(Machine machine, Peers peers, List<Row> rows, long bytes) {
        Row tandem = Row.find(rows, TANDEM);
        List<Ratio> ratios = new ArrayList<>();
        ratios.add(Ratio.atLeast(200, NAME, "MB a second on one core", tandem.megabytesPerSecond()));
        ratios.add(Ratio.plain(NAME, "MB a second of CPU time", bytes / 1e6 / tandem.cpuSeconds()));
        for (String peer : List.of(PLAIN, PORT, VW)) {
            Row row = Row.find(rows, peer);
            if (row != null) {
                ratios.add(Ratio.plain(NAME, "speed against " + peer, row.wallSeconds() / tandem.wallSeconds()));
            }
        }
        Outcome outcome = new Outcome(
                "parse",
                "How fast is LIBSVM text read, beside other readers?",
                settings.command("parse"),
                machine,
                settings.seed,
                "%,d generated rows, %,.0f MB of text".formatted(settings.rows, bytes / 1e6),
                rows,
                ratios,
                settings.alone
                        ? List.of("all peers: --no-peers")
                        : peers.missing(List.of("LIBLINEAR", "Vowpal Wabbit", "xLearn")),
                notes.remarks());
        out.print(settings.printed.json ? outcome.json() : outcome.text());
        out.flush();
    }

    private Trial checked(Trial times, long rows) {
        if (rows != settings.rows) {
            throw new IllegalStateException("read %d rows of %d".formatted(rows, settings.rows));
        }
        return times;
    }

    private static long pack(Path text) throws IOException {
        try (Batches batches = Data.of(text.toString()).stream()) {
            Batches.Pass pass = batches.pass(0, 0);
            Batch batch = new Batch();
            long rows = 0;
            while (pass.next(batch)) {
                rows += batch.rows();
            }
            return rows;
        }
    }
}
