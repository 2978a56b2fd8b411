package tandem.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tandem.LinearTraining;
import tandem.Trained;
import tandem.Version;
import tandem.Watch;
import tandem.report.AtomicFile;
import tandem.report.Comparison;
import tandem.report.ComparisonPage;
import tandem.report.Json;
import tandem.report.Moment;
import tandem.report.Picture;
import tandem.report.Traced;

/// `compare`.
@Command(
        name = "compare",
        header = "Train on the same data in several ways, and draw how fast each lowers the objective.",
        customSynopsis = Tandem.PROGRAM + " compare --data FILE… --run OPTIONS --run OPTIONS … --out DIR [OPTIONS]%n",
        description =
                "Every run minimises the same objective on the same examples, with the same seed. The time to find"
                        + " the objective after each pass does not count.",
        sortOptions = false,
        footer = {
            "",
            "Example:",
            "  " + Tandem.PROGRAM + " compare --data clicks.svm --loss logistic --l1 1 --run solver=batch"
                    + " --run 'solver=ftrl,workers=2,consistency=bounded:8,filters=keycache+lz4' --out compared"
        })
final class Compare implements Callable<Integer> {

    enum Drawn {
        svg,
        png
    }

    private static final String TABLE = "compare.json";
    private static final Pattern PICTURE =
            Pattern.compile("(?:(?:objective|relative)-(?:seconds|bytes|passes)|workers)\\.(?:svg|png)");

    private final Console console;
    private final List<String> args;

    @Spec
    private CommandSpec spec;

    @ArgGroup(validate = false, heading = "%nRuns%n")
    private Runs runs = new Runs();

    @ArgGroup(validate = false, heading = "%nData%n")
    private TrainLinear.Examples examples = new TrainLinear.Examples();

    @ArgGroup(validate = false, heading = "%nHeld out, to see how good the models are%n")
    private TrainLinear.HeldOut heldOut = new TrainLinear.HeldOut();

    @ArgGroup(validate = false, heading = "%nLoss%n")
    private TrainLinear.LossOptions loss = new TrainLinear.LossOptions();

    @ArgGroup(validate = false, heading = "%nPenalty%n")
    private PenaltyOptions penalty = new PenaltyOptions();

    static final class Runs {
        @Option(
                names = "--run",
                paramLabel = "OPTIONS",
                description = "A run: options of train linear without dashes, with a + for a comma within a value,"
                    + " such as solver=ftrl,workers=2,filters=keycache+lz4; name=TEXT says what to call it. Once for"
                    + " each run.")
        private List<String> texts = List.of();

        @Option(
                names = "--out",
                paramLabel = "DIR",
                description =
                        "Where compare.csv, compare.json, compare.html and the pictures go, in the place of earlier"
                                + " ones.")
        private Path out;

        @Option(
                names = "--optimum",
                paramLabel = "NUMBER",
                description = "The least objective there is, to measure from. Default: the least that a run has seen.")
        private Double optimum;

        @Option(
                names = "--seed",
                paramLabel = "N",
                description = "Decides the order of examples and the split. Default: 1.")
        private long seed = 1;

        @Option(
                names = "--seeds",
                paramLabel = "N",
                description = "Do every run with N seeds, from --seed on; the split stays. Default: 1.")
        private int seeds = 1;

        @Option(
                names = "--cache",
                paramLabel = "DIR",
                description =
                        "Where the data is kept in binary form, so that it is read once. Default: ~/.cache/tandem,"
                                + " or where $TANDEM_CACHE says.")
        private Path cache;

        @Option(
                names = "--pictures",
                paramLabel = "svg|png",
                description = "What the files with pictures are; the page has its own. Default: svg.")
        private Drawn pictures = Drawn.svg;

        @Option(names = "--quiet", description = "No progress and no summary.")
        private boolean quiet;
    }

    Compare(Console console, String[] args) {
        this.console = console;
        this.args = List.of(args);
    }

    @Override
    public Integer call() throws IOException {
        List<RunOption> options = options();
        List<LinearTraining> jobs = new ArrayList<>();
        for (RunOption option : options) {
            jobs.add(job(option));
        }
        directory();
        jobs.getFirst().data().fingerprints();
        List<Traced> done = new ArrayList<>();
        try (var interrupts = new Interrupts(
                console,
                () -> {},
                () -> "stopped; " + runs.out + " has what was done until then",
                Interrupts.PATIENCE_WITH_OTHERS_MILLIS)) {
            Screen screen = new Screen(console, runs.quiet, interrupts::stopping);
            for (long seed = runs.seed; seed < runs.seed + runs.seeds; seed++) {
                for (int k = 0; k < jobs.size() && !interrupts.stopping(); k++) {
                    done.add(run(options.get(k), jobs.get(k).withSeed(seed), screen));
                    screen.clear();
                    write(done);
                }
            }
        }
        Comparison all = new Comparison(done, optimum());
        if (!runs.quiet) {
            new CompareTable(all).print(console);
            console.print("\nIn " + runs.out
                    + ": compare.html (all of it on a page), compare.csv and compare.json (all numbers), pictures");
        }
        return failures(done);
    }

    private List<RunOption> options() {
        List<String> paths = examples.paths();
        Check.given("--out", runs.out, "where tables and pictures go, such as --out compared");
        Check.atLeast(1, "--seeds", runs.seeds);
        if (runs.texts.isEmpty()) {
            throw new IllegalArgumentException(
                    "--run is missing; say what to compare, such as --run solver=batch --run solver=ftrl,passes=5");
        }
        if (paths.contains("-")) {
            throw new IllegalArgumentException(
                    "standard input (-) can be read only once, and every run reads the data; put it in a file");
        }
        CommandSpec train = line(new TrainLinear(console, new String[0])).getCommandSpec();
        List<RunOption> options = new ArrayList<>();
        Map<String, Integer> names = new HashMap<>();
        for (String text : runs.texts) {
            RunOption option = RunOption.of(options.size() + 1, text, train, spec);
            Integer other = names.put(option.name(), option.number());
            if (other != null) {
                throw RunOption.wrong(
                        text, "run " + other + " has the same name; give one of them another, such as name=again");
            }
            options.add(option);
        }
        return options;
    }

    private static CommandLine line(TrainLinear command) {
        return new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUnmatchedOptionsAllowedAsOptionParameters(false);
    }

    /// What `train linear` would do with these options.
    private LinearTraining job(RunOption option) throws IOException {
        TrainLinear command = new TrainLinear(console, args.toArray(String[]::new));
        List<String> words = new ArrayList<>(option.words());
        words.addAll(List.of("--checkpoint=off", "--seed=" + runs.seed));
        if (runs.cache != null) {
            words.add("--cache=" + runs.cache);
        }
        try {
            line(command).parseArgs(words.toArray(String[]::new));
            return command.about(examples, heldOut, loss, penalty).job().withMeasured(true);
        } catch (ParameterException e) {
            throw RunOption.wrong(option.text(), Failures.wrong(e));
        } catch (IllegalArgumentException e) {
            throw RunOption.wrong(option.text(), e.getMessage());
        }
    }

    private void directory() throws IOException {
        if (Files.exists(runs.out) && !Files.isDirectory(runs.out)) {
            throw new IllegalArgumentException("--out " + runs.out + " is a file; name a directory");
        }
        Check.creatable("--out", runs.out);
        Files.createDirectories(runs.out);
        if (!Files.exists(runs.out.resolve(TABLE))) {
            try (Stream<Path> others = Files.list(runs.out)) {
                if (others.findAny().isPresent()) {
                    throw new IllegalArgumentException("--out " + runs.out
                            + " has other files than a comparison's; name an empty directory, or a new one");
                }
            }
        }
    }

    /// Hears how a run goes, and keeps its objective.
    private record Follower(Screen screen, String place, List<Moment> moments) implements Watch {

        @Override
        public void progress(String stage, double done, long examples, double loss) {
            screen.progress(place + stage, done, examples, loss);
        }

        @Override
        public void note(String line) {
            screen.note(place + line);
        }

        @Override
        public boolean stopping() {
            return screen.stopping();
        }

        @Override
        public boolean wantsObjective() {
            return true;
        }

        @Override
        public void reached(Moment now) {
            moments.add(now);
        }
    }

    /// Does a run, whatever comes of it: the others go on.
    private Traced run(RunOption option, LinearTraining job, Screen screen) {
        String place = "run " + option.number() + " of " + runs.texts.size() + ": ";
        long seed = job.settings().seed();
        List<Moment> moments = new ArrayList<>();
        screen.note(place + option.name() + (runs.seeds == 1 ? "" : ", seed " + seed));
        try {
            Trained trained =
                    job.withWatch(new Follower(screen, place, moments)).run();
            boolean done = trained.finished() && !trained.report().tree().has("scoring");
            Traced.Status status = done ? Traced.Status.DONE : Traced.Status.INTERRUPTED;
            return traced(option, seed, status, null, moments, trained);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            if (screen.stopping()) {
                return traced(option, seed, Traced.Status.INTERRUPTED, null, moments, null);
            }
            String why =
                    new Failures(console, args.contains("--debug")).verdict(e).message();
            screen.note(place + "failed: " + why);
            return traced(option, seed, Traced.Status.FAILED, why, moments, null);
        }
    }

    private static Traced traced(
            RunOption option, long seed, Traced.Status status, String why, List<Moment> moments, Trained trained) {
        return new Traced(
                option.number(),
                option.name(),
                option.text(),
                seed,
                status,
                why,
                moments,
                trained == null ? null : trained.report().tree());
    }

    private double optimum() {
        return runs.optimum == null ? Double.NaN : runs.optimum;
    }

    /// Writes all that there is, so that nothing is lost if the next run takes the process with it.
    private void write(List<Traced> done) throws IOException {
        Comparison comparison = new Comparison(done, optimum());
        Json.write(
                runs.out.resolve(TABLE),
                comparison
                        .json()
                        .put("command", Words.command(args))
                        .put("version", Version.current())
                        .set("machine", Json.tree(Machine.describe())));
        text("compare.csv", comparison.csv());
        ComparisonPage page = new ComparisonPage(
                comparison,
                "Tandem: several ways to one objective",
                List.of(Words.command(args), measured(comparison)));
        text("compare.html", page.html());
        Set<Path> written = new HashSet<>();
        for (Map.Entry<String, Picture> picture : page.pictures().entrySet()) {
            Path file = runs.out.resolve(picture.getKey() + "." + runs.pictures);
            picture.getValue().write(file);
            written.add(file);
        }
        try (Stream<Path> all = Files.list(runs.out)) {
            List<Path> earlier = all.filter(file ->
                            PICTURE.matcher(file.getFileName().toString()).matches() && !written.contains(file))
                    .toList();
            for (Path file : earlier) {
                Files.delete(file);
            }
        }
    }

    private String measured(Comparison all) {
        if (Double.isNaN(all.best())) {
            return "No run has come as far as an objective.";
        }
        return String.format(
                Locale.ROOT,
                "The best objective is %.6f, %s. Times are without what it took to find the objective. Runs in one"
                        + " process send no bytes.",
                all.best(),
                runs.optimum == null ? "the least that a run has seen" : "as given");
    }

    private void text(String name, String text) throws IOException {
        AtomicFile.write(runs.out.resolve(name), out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    private int failures(List<Traced> done) {
        List<Traced> failed = done.stream()
                .filter(run -> run.status() == Traced.Status.FAILED)
                .toList();
        if (failed.isEmpty()) {
            return 0;
        }
        console.say("tandem: " + failed.size() + " of " + done.size() + " runs failed, the first of them '"
                + failed.getFirst().name() + "': " + failed.getFirst().message());
        return Failures.FAILED;
    }
}
