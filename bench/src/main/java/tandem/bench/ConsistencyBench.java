package tandem.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tandem.math.Hash;

/// `bench consistency`.
@Command(
        name = "consistency",
        header = "What do waiting and not waiting cost, when workers are not equally fast?",
        description = "Eight workers minimise one function in simulated time, with stragglers, under each consistency;"
                + " beside what was published of larger clusters.",
        sortOptions = false)
final class ConsistencyBench implements Callable<Integer> {

    /// The questions, in the order they are answered.
    enum Question {
        delay,
        slow,
        variance,
        eager
    }

    @Mixin
    private JsonOption printed = new JsonOption();

    @Option(names = "--seed", paramLabel = "N", description = "Of the first run. Default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(names = "--rounds", paramLabel = "N", description = "Seeds a row. Default: ${DEFAULT-VALUE}.")
    private int rounds = 9;

    @Option(
            names = "--parts",
            paramLabel = "PART",
            split = ",",
            description = "Of ${COMPLETION-CANDIDATES}. Default: all.")
    private List<Question> parts = List.of(Question.values());

    private final PrintStream out;
    private final Notes notes;
    private final List<Measured> rows = new ArrayList<>();
    private final List<Ratio> ratios = new ArrayList<>();

    ConsistencyBench(PrintStream out, Notes notes) {
        this.out = out;
        this.notes = notes;
    }

    @Override
    public Integer call() {
        if (rounds < 1) {
            throw new IllegalArgumentException("--rounds is " + rounds + "; use 1 or more");
        }
        Machine machine = Machine.here();
        for (Question question : parts) {
            notes.progress(question.name());
            switch (question) {
                case delay -> delay();
                case slow -> slow();
                case variance -> variance();
                case eager -> eager();
            }
        }
        Outcome outcome = new Outcome(
                "consistency",
                "What do waiting and not waiting cost, when workers are not equally fast?",
                "./tandem bench consistency --seed %d --rounds %d --parts %s"
                        .formatted(
                                seed, rounds, parts.stream().map(Question::name).collect(Collectors.joining(","))),
                machine,
                seed,
                "4,000 generated rows of 12 features; 8 workers, 2 servers, 1 ms a task, 0.1 ms and 10 Gbit/s links,"
                        + " all simulated",
                rows,
                ratios,
                List.of(),
                notes.remarks());
        out.print(printed.json ? outcome.json() : outcome.text());
        out.flush();
        return 0;
    }

    /// Idle and total time to one objective against the delay, where each worker is slow now and then.
    private void delay() {
        String part = "delay: time to an objective, each worker 4 times slower for 15 % of the time";
        Race.Goal goal = new Race.Goal(0.285, 20_000, 0.6, false);
        String[] published = {"idle 50 %", "", "", "", "least total time, 1.6 times faster", "idle 1.7 %"};
        int[] delays = {0, 1, 2, 4, 8, 16};
        List<RaceRow> found = new ArrayList<>();
        for (int d = 0; d < delays.length; d++) {
            found.add(race(part, "bounded:" + delays[d], published[d], goal, this::nowAndThen));
        }
        ratios.add(Ratio.plain(
                part,
                "times faster with a delay of 8 than of 0",
                found.get(0).seconds() / found.get(4).seconds()));
    }

    private void slow() {
        Race.Goal goal = new Race.Goal(0.285, 20_000, 0.6, false);
        String part = "slow: time to an objective, each worker 4 times slower for 15 % of the time";
        compare(part, goal, this::nowAndThen, "faster than bsp", "fast, no bound on what is missed");
        part = "slow: the same with one worker that is always 4 times slower";
        compare(part, goal, this::alwaysOne, "", "");
    }

    private void compare(String part, Race.Goal goal, Paces paces, String ssp, String async) {
        RaceRow bsp = race(part, "bsp", "slowest", goal, paces);
        race(part, "ssp:3", ssp, goal, paces);
        RaceRow ten = race(part, "ssp:10", ssp, goal, paces);
        race(part, "async", async, goal, paces);
        ratios.add(Ratio.plain(part, "times faster ssp:10 than bsp", bsp.seconds() / ten.seconds()));
    }

    /// The objective after the same number of tasks, where tasks take equally long on average and some much longer.
    private void variance() {
        String part = "variance: objective after 3,000 tasks, 2 % of them so many times longer; shares of their own";
        Race.Goal goal = new Race.Goal(0, 3_000, 0.2, true);
        for (double times : new double[] {1, 20, 50, 200}) {
            for (String consistency : List.of("ssp:3", "async")) {
                String published = consistency.equals("async") ? "worse with the variance" : "holds";
                List<Race.Result> results = results(consistency, goal, one -> rare(one, times));
                rows.add(RaceRow.of(part, consistency + ", " + Outcome.number(times) + " times", published, results));
            }
        }
    }

    /// How stale rows are that workers keep, and what that costs, lazily and eagerly refreshed.
    private void eager() {
        String part = "eager: passes to a target, 8 workers that are about equally fast, kept rows";
        for (int staleness : new int[] {3, 6, 10}) {
            EagerRow lazy = eager(part, "ssp:" + staleness, "");
            EagerRow eager = eager(part, "essp:" + staleness, "lower mean and variance, fewer passes");
            ratios.add(Ratio.plain(
                    part, "times fewer passes at a staleness of " + staleness, lazy.passes() / eager.passes()));
        }
    }

    private EagerRow eager(String part, String consistency, String published) {
        List<EagerRace.Result> results = LongStream.range(seed, seed + rounds)
                .mapToObj(one -> new EagerRace(one, consistency).run())
                .toList();
        EagerRow row = EagerRow.of(part, consistency, published, results);
        rows.add(row);
        return row;
    }

    /// How fast workers are, by the seed.
    @FunctionalInterface
    interface Paces {
        Race.Pace of(long seed);
    }

    private RaceRow race(String part, String consistency, String published, Race.Goal goal, Paces paces) {
        RaceRow row = RaceRow.of(part, consistency, published, results(consistency, goal, paces));
        rows.add(row);
        return row;
    }

    private List<Race.Result> results(String consistency, Race.Goal goal, Paces paces) {
        return LongStream.range(seed, seed + rounds)
                .mapToObj(one -> new Race(one, consistency, paces.of(one), goal).run())
                .toList();
    }

    private Race.Pace nowAndThen(long one) {
        return (worker, task, now) ->
                usual(one, worker, task) * (chance(one, 2, worker, (long) (now / 4)) < 0.15 ? 4 : 1);
    }

    private Race.Pace alwaysOne(long one) {
        return (worker, task, _) -> usual(one, worker, task) * (worker == 0 ? 4 : 1);
    }

    private static Race.Pace rare(long one, double times) {
        double mean = 0.98 + 0.02 * times;
        return (worker, task, _) -> usual(one, worker, task) * (chance(one, 3, worker, task) < 0.02 ? times : 1) / mean;
    }

    /// No two tasks take equally long.
    private static double usual(long one, int worker, long task) {
        return 0.8 + 0.4 * chance(one, 1, worker, task);
    }

    private static double chance(long one, int kind, int worker, long number) {
        return Hash.fraction(Hash.number(Hash.number(one, kind), Hash.number(worker, number)));
    }
}
