package tandem.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import tandem.Linear;
import tandem.Solver;
import tandem.data.Batches;
import tandem.data.Data;
import tandem.problem.Separable;
import tandem.server.Table;
import tandem.solver.Ftrl;
import tandem.worker.Learned;
import tandem.worker.OnlineLoop;
import tandem.worker.OnlineTask;
import tandem.worker.Target;
import tandem.worker.Threads;

/// One online pass over data that were read before: wall time from opening the cache to the last update.
record CachePass(Settings settings, Workspace work, Path text, Peers peers, Notes notes) implements Part {

    private static final String NAME = "one pass from the cache";
    private static final String ONE = "tandem, 1 thread";
    private static final String TWO = "tandem, 2 threads";
    private static final String VW = "vowpal wabbit --ftrl, its cache, 2 threads";
    private static final String XLEARN = "xlearn, its cache, 2 threads";

    @Override
    public Findings run() throws Exception {
        Data data = Data.of(text.toString());
        notes.progress("building the cache");
        data.cache(work.folder(), done -> {}, Runtime.getRuntime().availableProcessors())
                .close();
        Map<String, Callable<Trial>> systems = new LinkedHashMap<>();
        systems.put(ONE, () -> pass(data, 1));
        systems.put(TWO, () -> pass(data, 2));
        if (peers.vwLibrary() != null) {
            Path vowpal = work.vowpal(text);
            systems.put(VW, () -> new Vowpal(peers, work).cachedPass(vowpal));
            notes.remark("Vowpal Wabbit's pass over its cache follows its pass over the text, so its logloss would not"
                    + " compare");
        }
        if (peers.xlearn() != null) {
            systems.put(XLEARN, this::xlearnPass);
        }
        Contest contest = new Contest(NAME, settings.rows, 0, settings.rounds, settings.budget);
        List<Row> rows = contest.run(systems, notes);
        return new Findings(rows, ratios(rows));
    }

    private static List<Ratio> ratios(List<Row> rows) {
        Row one = Row.find(rows, ONE);
        Row two = Row.find(rows, TWO);
        List<Ratio> ratios = new ArrayList<>();
        ratios.add(Ratio.atLeast(1_000_000, NAME, "examples a second, 2 threads", two.examplesPerSecond()));
        ratios.add(Ratio.atMost(
                0.002,
                NAME,
                "logloss of 2 threads against 1, relative difference",
                Math.abs(two.logloss() / one.logloss() - 1)));
        for (String peer : List.of(VW, XLEARN)) {
            Row row = Row.find(rows, peer);
            if (row != null) {
                ratios.add(Ratio.atMost(1, NAME, "time against " + peer, two.wallSeconds() / row.wallSeconds()));
            }
        }
        return ratios;
    }

    private Trial pass(Data data, int threads) throws Exception {
        Solver.Online solver = Solver.Online.of(Solver.Rule.FTRL);
        Separable penalty = (Separable) Linear.DEFAULT.penalty().over(new long[0]);
        Callable<Learned> work = () -> {
            Table table = new Table(new Ftrl(Solver.Online.RATE, solver.beta(), penalty));
            Table intercept = new Table(new Ftrl(Solver.Online.RATE, solver.beta(), Separable.NONE));
            OnlineTask task =
                    new OnlineTask(Linear.DEFAULT.loss(), Target.against(1), 1, table, intercept, solver.rows());
            try (Threads crew = new Threads(threads);
                    Batches batches = data.cache(this.work.folder(), done -> {}, threads)) {
                OnlineLoop loop = new OnlineLoop(task, crew);
                loop.run(batches.pass(0, 0));
                return loop.learned();
            }
        };
        return Trial.of(work, (times, learned) -> times.withLogloss(learned.meanLoss()));
    }

    /// The difference between three passes and one, halved: starting and opening the cache cancel out.
    private Trial xlearnPass() throws Exception {
        Trial one = xlearn(1);
        Trial three = xlearn(3);
        Trial both = three.minus(one);
        return Trial.of(both.wallSeconds() / 2, both.cpuSeconds() / 2).withPeakBytes(three.peakBytes());
    }

    private Trial xlearn(int passes) throws Exception {
        return Child.run(
                        List.of(
                                peers.xlearn().toString(),
                                text.toString(),
                                "-s",
                                "0",
                                "-e",
                                String.valueOf(passes),
                                "-nthread",
                                "2",
                                "--quiet",
                                "-m",
                                work.file("xlearn.model").toString()),
                        work.folder())
                .trial();
    }
}
