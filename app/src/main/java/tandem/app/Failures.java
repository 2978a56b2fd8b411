package tandem.app;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;
import tandem.UnfitLabels;
import tandem.problem.Diverged;

/// Turns whatever went wrong into one message and an exit code.
final class Failures {

    static final int FAILED = 1;
    static final int WRONG_USE = 2;

    private final Console console;
    private final boolean debug;

    Failures(Console console, boolean debug) {
        this.console = console;
        this.debug = debug;
    }

    private static final Pattern MISTAKEN = Pattern.compile("Unknown option: '(--?[^'=]+)");

    /// What is to be said of a failure, and the exit code.
    record Verdict(String message, int code) {}

    /// Says what `e` means to the user; returns the exit code.
    int report(Throwable e) {
        if (e instanceof Console.Closed || e.getCause() instanceof Console.Closed) {
            return 0;
        }
        Verdict verdict = verdict(e);
        console.say("tandem: " + verdict.message);
        return verdict.code;
    }

    /// What `e` means to the user.
    Verdict verdict(Throwable e) {
        if (debug) {
            e.printStackTrace(console.errWriter());
        }
        return switch (e) {
            case ParameterException wrong -> new Verdict(use(wrong), WRONG_USE);
            case InvalidPathException wrong ->
                new Verdict(wrong.getInput() + ": not a file name; " + wrong.getReason(), WRONG_USE);
            case NumberFormatException bug -> bug(bug);
            case UnfitLabels failed -> new Verdict(failed.getMessage(), FAILED);
            case IllegalArgumentException wrong
            when wrong.getMessage() != null -> new Verdict(wrong.getMessage(), WRONG_USE);
            case Diverged failed -> new Verdict(failed.getMessage(), FAILED);
            case IOException failed when failed.getMessage() != null -> new Verdict(files(failed), FAILED);
            case java.io.UncheckedIOException failed -> verdict(failed.getCause());
            case OutOfMemoryError _ -> new Verdict(memory(), FAILED);
            default -> bug(e);
        };
    }

    private Verdict bug(Throwable e) {
        return new Verdict(
                "this is a bug in Tandem (" + e + "). "
                        + (debug
                                ? "Please report it with the lines above and the output of " + Tandem.PROGRAM
                                        + " --version"
                                : "Run the command again with --debug to see where, and report it with that output"),
                FAILED);
    }

    /// The system's own exceptions say only the path.
    private static String files(IOException e) {
        return switch (e) {
            case NoSuchFileException missing ->
                missing.getFile() + ": there is no such file or directory; check the name";
            case AccessDeniedException denied ->
                denied.getFile() + ": no permission; check its owner and mode with ls -l";
            case FileSystemException other when other.getReason() != null -> other.getFile() + ": " + other.getReason();
            default -> e.getMessage();
        };
    }

    private static String memory() {
        long megabytes = Runtime.getRuntime().maxMemory() >> 20;
        return String.format(
                Locale.ROOT,
                "out of memory: Java may use %,d MB here and the model needs more. Give it more"
                        + " (TANDEM_OPTS=-Xmx8g %s …), or lower what it needs: --hash-bits 22 keeps at most 4 million"
                        + " weights; of a linear model an online solver (--solver ftrl) does not hold the data; of a"
                        + " factorisation machine a smaller --dimension and a larger --threshold have fewer factors",
                megabytes,
                Tandem.PROGRAM);
    }

    static String twice(OptionSpec option) {
        return option.longestName() + " is given twice; keep one of them";
    }

    private static String use(ParameterException e) {
        return wrong(e) + " See " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help";
    }

    /// What is wrong with the options of a command.
    static String wrong(ParameterException e) {
        CommandLine line = e.getCommandLine();
        if (e instanceof UnmatchedArgumentException unknown
                && !unknown.getUnmatched().isEmpty()) {
            return unknown(line, unknown.getUnmatched());
        }
        // Where an option takes several values, one that looks like an option is reported in words only.
        Matcher mistaken = MISTAKEN.matcher(e.getMessage());
        if (mistaken.find()) {
            return unknown(line, List.of(mistaken.group(1)));
        }
        ArgSpec arg = e.getArgSpec();
        if (e instanceof OverwrittenOptionException again && again.getOverwritten() instanceof OptionSpec option) {
            return twice(option) + ".";
        }
        if (arg != null && e.getValue() != null) {
            String name = arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
            return name + " is '" + e.getValue() + "'; it takes " + kind(arg) + ".";
        }
        if (arg instanceof OptionSpec option && e instanceof MissingParameterException) {
            return option.longestName() + " needs a value: " + option.paramLabel() + ".";
        }
        return e.getMessage() + ".";
    }

    private static String unknown(CommandLine line, List<String> words) {
        String word = words.getFirst();
        boolean option = word.startsWith("-");
        String name = option && word.contains("=") ? word.substring(0, word.indexOf('=')) : word;
        var known = option
                ? line.getCommandSpec().optionsMap().keySet()
                : line.getSubcommands().keySet();
        Optional<String> near = Nearest.to(name, known);
        if (!option && known.isEmpty()) {
            return "'" + word + "' is one word too many; options start with --.";
        }
        String kind = option ? "there is no option " : "there is no command ";
        return kind + name + near.map(other -> "; did you mean " + other + "?").orElse(".");
    }

    private static String kind(ArgSpec arg) {
        Class<?> type = arg.typeInfo().isMultiValue() ? arg.auxiliaryTypes()[0] : arg.type();
        if (type == Double.class || type == double.class) {
            return "a number";
        }
        if (type == Integer.class || type == int.class || type == Long.class || type == long.class) {
            return "a whole number";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        if (type.isEnum()) {
            return String.join(", ", arg.completionCandidates()).toLowerCase(Locale.ROOT);
        }
        return arg.paramLabel();
    }
}
