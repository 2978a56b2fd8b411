package tandem.bench;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `bench kv`.
@Command(
        name = "kv",
        header = "How fast is the parameter server?",
        description =
                "One key, dense rows and lists of keys, over TCP and Unix sockets, within one process and at 1 Gbit/s;"
                        + " beside a bare socket and Redis.",
        sortOptions = false)
final class KvBench implements Callable<Integer> {

    /// The questions, in the order they are answered.
    enum Question {
        one,
        dense,
        keys,
        memory,
        shaped,
        scaling
    }

    @Mixin
    private KvSettings settings = new KvSettings();

    @Option(
            names = "--parts",
            paramLabel = "PART",
            split = ",",
            description = "Of ${COMPLETION-CANDIDATES}. Default: all.")
    private List<Question> parts = List.of(Question.values());

    private final PrintStream out;
    private final Notes notes;

    KvBench(PrintStream out, Notes notes) {
        this.out = out;
        this.notes = notes;
    }

    @Override
    public Integer call() throws Exception {
        settings.check();
        Machine machine = Machine.here();
        Path program = settings.alone ? null : Peers.onPath("redis-server");
        Map<Question, Part.Findings> found = new EnumMap<>(Question.class);
        try (Workspace work = new Workspace(Path.of(System.getProperty("java.io.tmpdir")));
                RedisPeer redis = program == null ? null : RedisPeer.start(program, work.folder());
                KvCluster embedded = KvCluster.embedded();
                KvCluster tcp = KvCluster.processes(KvNetwork.of("tcp"), 1, 1, notes);
                KvCluster unix = KvCluster.processes(KvNetwork.of(work.folder().toString()), 1, 1, notes)) {
            for (Question question : parts) {
                Part part = switch (question) {
                    case one -> new KvOne(settings, tcp, unix, embedded, redis, notes);
                    case dense -> new KvDense(settings, tcp, unix, embedded, notes);
                    case keys -> new KvKeys(settings, tcp, embedded, redis, notes);
                    case memory -> new KvMemory(settings, embedded, notes);
                    case shaped -> new KvShaped(settings, notes);
                    case scaling -> new KvScaling(settings, notes);
                };
                found.put(question, part.run());
            }
        }
        List<Measured> rows = new ArrayList<>();
        List<Ratio> ratios = new ArrayList<>();
        found.values().forEach(findings -> {
            rows.addAll(findings.rows());
            ratios.addAll(findings.ratios());
        });
        List<String> skipped = settings.alone
                ? List.of("Redis: --no-peers")
                : program == null
                        ? List.of("Redis: redis-server is not on the PATH; your system's packages have it")
                        : List.of();
        Outcome outcome = new Outcome(
                "kv",
                "How fast is the parameter server, beside a bare socket and Redis?",
                command(),
                machine,
                7,
                "%,d keys in the large store".formatted(settings.keys),
                rows,
                ratios,
                skipped,
                notes.remarks());
        out.print(settings.printed.json ? outcome.json() : outcome.text());
        out.flush();
        return 0;
    }

    private String command() {
        String command = settings.command();
        return parts.size() == Question.values().length
                ? command
                : command + " --parts " + parts.stream().map(Question::name).collect(Collectors.joining(","));
    }
}
