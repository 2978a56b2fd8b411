package tandem.app;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import tandem.Version;

/// The command line: the tree of commands, and `run`, a whole call without the exit.
@Command(
        name = Tandem.PROGRAM,
        header = "Tandem trains linear models and factorisation machines on sparse data of any size, in threads or on"
                + " servers and workers.%n",
        synopsisHeading = "Usage: ",
        customSynopsis = Tandem.PROGRAM + " COMMAND [OPTIONS]%n",
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Start here:",
            "  " + Tandem.PROGRAM + " demo                                 generates data, trains, draws a picture",
            "  " + Tandem.PROGRAM + " train linear --data F --model DIR    trains on your file: LIBSVM, CSV or Criteo",
            "  " + Tandem.PROGRAM + " COMMAND --help                       all options of a command, with examples"
        })
public final class Tandem implements Runnable {

    /// What users type, and what printed commands start with.
    static final String PROGRAM = "./tandem";

    private static final int WIDTH = 100;
    private static final int OPTION_WIDTH = 30;

    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean help;

    @Option(names = "--version", versionHelp = true, description = "Show which Tandem and Java this is.")
    @SuppressWarnings("unused") // picocli acts on it
    private boolean version;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show the stack trace of an error.")
    @SuppressWarnings("unused") // looked for among the words, since parsing may fail first
    private boolean debug;

    private Tandem() {}

    public static void main(String[] args) {
        System.exit(call(args));
    }

    /// Runs one command with the streams of this process, for a program that has more to do when it is over; the exit
    /// code is as in [#run].
    public static int call(String... args) {
        Logging.use();
        var out = new FileOutputStream(FileDescriptor.out);
        return run(new Console(out, System.err, Console.isTerminal(), true), args);
    }

    /// Runs one command; the exit code is 0 (done), 1 (failed while working) or 2 (wrong use).
    static int run(Console console, String... words) {
        String[] args = words.length > 0 && words[0].equals("help") ? helpOf(words) : words;
        var failures = new Failures(console, List.of(args).contains("--debug"));
        CommandLine line = commands(console, args);
        line.setParameterExceptionHandler((e, given) -> failures.report(e));
        line.setExecutionExceptionHandler((e, command, parsed) -> failures.report(e));
        try {
            int code = line.execute(args);
            console.flush();
            return code;
        } catch (Exception | Error e) {
            return failures.report(e);
        }
    }

    /// `help COMMAND` is `COMMAND --help`.
    private static String[] helpOf(String[] words) {
        return Stream.concat(Arrays.stream(words).skip(1), Stream.of("--help")).toArray(String[]::new);
    }

    private static CommandLine commands(Console console, String[] args) {
        var train = new CommandLine(new Train())
                .addSubcommand(new TrainLinear(console, args))
                .addSubcommand(new TrainFactor(console, args));
        var simulate = new CommandLine(new Simulate())
                .addSubcommand(new SimulateLinear(console, args))
                .addSubcommand(new SimulateFaults(console));
        var generate = new CommandLine(new Generate()).addSubcommand(new GenerateClicks(console));
        var line = new CommandLine(new Tandem())
                .addSubcommand(new Demo(console))
                .addSubcommand(train)
                .addSubcommand(new Compare(console, args))
                .addSubcommand(new PartitionData(console, args))
                .addSubcommand(new Evaluate(console, args))
                .addSubcommand(new Predict(console))
                .addSubcommand(new Inspect(console))
                .addSubcommand(new ExportModel(console))
                .addSubcommand(new ManageCluster(console))
                .addSubcommand(new Join(console))
                .addSubcommand(new SparkCluster(console))
                .addSubcommand(simulate)
                .addSubcommand(generate)
                .addSubcommand(new Bench());
        line.getCommandSpec().versionProvider(() -> new String[] {
            "tandem " + Version.current() + " on Java " + Runtime.version().feature() + ", "
                    + System.getProperty("os.name") + " " + System.getProperty("os.arch")
        });
        line.setOut(console.outWriter());
        line.setErr(console.errWriter());
        line.setUsageHelpWidth(WIDTH);
        line.setUsageHelpLongOptionsMaxWidth(OPTION_WIDTH);
        line.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUnmatchedOptionsAllowedAsOptionParameters(false);
        line.setExecutionStrategy(parsed -> {
            checkOnce(parsed, args);
            return new CommandLine.RunLast().execute(parsed);
        });
        return line;
    }

    /// Refuses an option that is given twice. The parser itself would begin the group of such an option anew, and
    /// forget what else had been said in it.
    private static void checkOnce(CommandLine.ParseResult parsed, String[] args) {
        CommandLine command = parsed.asCommandLineList().getLast();
        Set<OptionSpec> seen = new HashSet<>();
        for (String arg : args) {
            OptionSpec option = command.getCommandSpec().findOption(arg.split("=", 2)[0]);
            if (arg.startsWith("-") && option != null && !option.isMultiValue() && !seen.add(option)) {
                throw new CommandLine.ParameterException(command, Failures.twice(option));
            }
        }
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
