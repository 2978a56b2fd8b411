package tandem.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/// One online pass straight from text, by a program of its own: wall time of the whole process, from starting
/// it to the model on disk.
record TextPass(Settings settings, Workspace work, Path text, Peers peers, Notes notes) implements Part {

    private static final String NAME = "one pass from text, whole process";
    private static final String TANDEM = "tandem, 2 threads";

    @Override
    public Findings run() throws Exception {
        Map<String, Callable<Trial>> systems = new LinkedHashMap<>();
        systems.put(TANDEM, () -> TrainDriver.run(work, text, 2, List.of()));
        Vowpal vowpal = new Vowpal(peers, work);
        if (peers.hasVw()) {
            Path vowpalText = work.vowpal(text);
            systems.put(vowpal.label(), () -> vowpal.textPass(vowpalText));
            if (peers.vw() == null) {
                notes.remark(
                        "Vowpal Wabbit's library parses and learns on one thread; its command, which uses two, would"
                                + " take less wall time");
            }
        }
        Contest contest = new Contest(NAME, settings.rows, Files.size(text), settings.rounds, settings.budget);
        List<Row> rows = contest.run(systems, notes);
        List<Ratio> ratios = new ArrayList<>();
        Row tandem = Row.find(rows, TANDEM);
        Row vw = Row.find(rows, vowpal.label());
        if (vw != null) {
            ratios.add(Ratio.atMost(1, NAME, "time against " + vw.system(), tandem.wallSeconds() / vw.wallSeconds()));
            ratios.add(Ratio.plain(NAME, "CPU time against " + vw.system(), tandem.cpuSeconds() / vw.cpuSeconds()));
            ratios.add(Ratio.plain(NAME, "logloss against " + vw.system(), tandem.logloss() / vw.logloss()));
        }
        return new Findings(rows, ratios);
    }
}
