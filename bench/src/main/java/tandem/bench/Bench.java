package tandem.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// The command line of the benchmarks.
@Command(
        name = "./tandem bench",
        header = "Measure Tandem beside other tools, in turns on the same data.",
        synopsisSubcommandLabel = "NAME",
        subcommands = {
            LinearBench.class,
            ParseBench.class,
            SolversBench.class,
            ConsistencyBench.class,
            KvBench.class,
            SumsBench.class,
            BigBench.class,
            FaultsBench.class,
            ChaosBench.class,
            ChainBench.class,
            TlsBench.class
        },
        footer = {
            "",
            "There is also spark, beside MLlib; it fetches Apache Spark (300 MB) when first asked for.",
            "Tools that are not installed are named and left out. docs/benchmarks.md has the results."
        })
public final class Bench implements Callable<Integer> {

    private static final int FAILED = 1;
    private static final int WRONG_USE = 2;

    @Option(names = "--install-peers", description = "Install the other tools that a package manager has, and stop.")
    private boolean installPeers;

    @Option(names = "--debug", description = "Show where a failure happened.", scope = CommandLine.ScopeType.INHERIT)
    @SuppressWarnings("unused") // looked for among the words, since parsing may fail first
    private boolean debug;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.",
            scope = CommandLine.ScopeType.INHERIT)
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    @Spec
    private CommandSpec spec;

    private final PrintStream out;

    private Bench(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /// Runs the command and returns its exit code; figures go to `out`, everything else to `err`.
    static int run(PrintStream out, PrintStream err, String... args) {
        CommandLine line = new CommandLine(new Bench(out), new Makers(out, err));
        ServiceLoader.load(Addition.class)
                .forEach(addition -> line.addSubcommand(addition.command(out, new Notes(err))));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler((wrong, _) -> {
            err.println("tandem: " + message(wrong) + ". See ./tandem bench --help");
            return WRONG_USE;
        });
        line.setExecutionExceptionHandler((failure, _, parsed) -> {
            if (List.of(args).contains("--debug")) {
                failure.printStackTrace(err);
            }
            return switch (failure) {
                case IllegalArgumentException wrong -> say(err, wrong.getMessage(), WRONG_USE);
                case IOException failed -> say(err, failed.getMessage(), FAILED);
                default -> say(err, "the benchmark failed: " + failure + "; --debug shows where", FAILED);
            };
        });
        line.setOut(new PrintWriter(out, true, out.charset()));
        return line.execute(args);
    }

    @Override
    public Integer call() throws Exception {
        if (installPeers) {
            return new PeerInstaller(out).run() ? 0 : FAILED;
        }
        spec.commandLine().usage(out);
        return 0;
    }

    private static int say(PrintStream err, String message, int code) {
        err.println("tandem: " + message);
        return code;
    }

    private static String message(ParameterException wrong) {
        String text = wrong.getMessage();
        return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
    }

    /// Gives benchmarks where to print.
    private record Makers(PrintStream out, PrintStream err) implements CommandLine.IFactory {

        @Override
        public <K> K create(Class<K> type) throws Exception {
            if (type == LinearBench.class) {
                return type.cast(new LinearBench(out, new Notes(err)));
            }
            if (type == SolversBench.class) {
                return type.cast(new SolversBench(out, new Notes(err)));
            }
            if (type == ParseBench.class) {
                return type.cast(new ParseBench(out, new Notes(err)));
            }
            if (type == BigBench.class) {
                return type.cast(new BigBench(out, new Notes(err)));
            }
            if (type == FaultsBench.class) {
                return type.cast(new FaultsBench(out, new Notes(err)));
            }
            if (type == ChaosBench.class) {
                return type.cast(new ChaosBench(out, new Notes(err)));
            }
            if (type == ChainBench.class) {
                return type.cast(new ChainBench(out, new Notes(err)));
            }
            if (type == TlsBench.class) {
                return type.cast(new TlsBench(out, new Notes(err)));
            }
            if (type == KvBench.class) {
                return type.cast(new KvBench(out, new Notes(err)));
            }
            if (type == SumsBench.class) {
                return type.cast(new SumsBench(out, new Notes(err)));
            }
            if (type == ConsistencyBench.class) {
                return type.cast(new ConsistencyBench(out, new Notes(err)));
            }
            return CommandLine.defaultFactory().create(type);
        }
    }
}
