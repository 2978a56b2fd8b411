package tandem.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/// How long does L1 logistic regression take to come within 1e-4 of the optimum, reading excluded?
///
/// Each solver gets the loosest of the tolerances 0.5, 0.2, 0.1, 0.05, … that comes so near. LIBLINEAR prints no
/// times, so what a run at a tolerance that stops at once takes (starting, reading, turning rows into
/// columns, writing the model) is taken off; ours is likewise timed from columns in memory.
record Optimum(Settings settings, Workspace work, List<Set> sets, Peers peers, Notes notes) implements Part {

    /// A file of two classes, its L1 strength on the sum scale, and whether it is small: then it is also run
    /// in fresh JVMs, and to 1e-6 to compare how many weights are not 0.
    record Set(String name, Path file, double l1, boolean small) {

        String title() {
            return "L1 logistic regression to 1e-4, %s, l1 %s".formatted(name, Outcome.number(l1));
        }
    }

    private static final double NEAR = 1e-4;
    private static final double TIGHT = 1e-6;

    /// Ends within about 1e-7 of the optimum, which is enough to judge 1e-4.
    private static final double REFERENCE = 1e-5;

    @Override
    public Findings run() throws Exception {
        List<Row> rows = new ArrayList<>();
        List<Ratio> ratios = new ArrayList<>();
        for (Set set : sets) {
            notes.progress(set.title() + ": reading and finding the optimum");
            L1Task task = L1Task.load(set.file(), set.l1());
            Liblinear liblinear = new Liblinear(peers.liblinear(), work, set);
            Names names = names(set, task, liblinear);
            List<Row> found = new Contest(set.title(), 0, 0, settings.rounds, settings.budget)
                    .run(systems(set, task, liblinear, names), notes);
            rows.addAll(found);
            ratios.addAll(ratios(set, names, found));
            if (set.small() && peers.liblinear() != null) {
                compareSparsity(set, task, liblinear);
            }
        }
        return new Findings(rows, ratios);
    }

    /// The tolerances that come near enough (NaN for a system that is not there), and what rows are called.
    private record Names(double ours, double theirs) {

        String tandem(int threads) {
            return "tandem, %d thread%s, tolerance %s"
                    .formatted(threads, threads == 1 ? "" : "s", Outcome.number(ours));
        }

        String cold(int threads) {
            return "tandem, %d thread%s, fresh JVM".formatted(threads, threads == 1 ? "" : "s");
        }

        String liblinear() {
            return "liblinear -s 6 -e " + Outcome.number(theirs);
        }

        String port() {
            return "liblinear-java -e " + Outcome.number(theirs) + ", fresh JVM";
        }
    }

    private Names names(Set set, L1Task task, Liblinear liblinear) throws Exception {
        L1Task.Steps steps = task.steps(REFERENCE);
        double optimum = steps.optimum();
        double ours = Ladder.loosest(NEAR, tolerance -> steps.objective(tolerance) / optimum - 1);
        double theirs = Double.NaN;
        if (peers.liblinear() != null) {
            notes.progress(set.title() + ": finding the tolerance of liblinear");
            theirs =
                    Ladder.loosest(NEAR, tolerance -> liblinear.train(tolerance).objective() / optimum - 1);
        } else if (set.small() && !settings.alone) {
            theirs = Ladder.loosest(
                    NEAR, tolerance -> liblinear.trainInJava(tolerance).objective() / optimum - 1);
        }
        return new Names(ours, theirs);
    }

    private Map<String, Callable<Trial>> systems(Set set, L1Task task, Liblinear liblinear, Names names) {
        Map<String, Callable<Trial>> systems = new LinkedHashMap<>();
        systems.put(names.tandem(1), () -> task.trial(names.ours(), 1));
        systems.put(names.tandem(2), () -> task.trial(names.ours(), 2));
        if (set.small()) {
            systems.put(names.cold(1), () -> SolveDriver.run(work, set, names.ours(), 1));
            systems.put(names.cold(2), () -> SolveDriver.run(work, set, names.ours(), 2));
        }
        if (peers.liblinear() != null) {
            systems.put(names.liblinear(), () -> liblinear.trainOnly(names.theirs()));
        }
        if (set.small() && !settings.alone) {
            systems.put(names.port(), () -> liblinear.trainInJava(names.theirs()));
        }
        return systems;
    }

    private static List<Ratio> ratios(Set set, Names names, List<Row> rows) {
        List<Ratio> ratios = new ArrayList<>();
        for (String peer : List.of(names.liblinear(), names.port())) {
            for (String ours : List.of(names.tandem(1), names.tandem(2), names.cold(1), names.cold(2))) {
                Row mine = Row.find(rows, ours);
                Row other = Row.find(rows, peer);
                if (mine != null && other != null) {
                    String what = "time of %s against %s".formatted(ours, peer);
                    ratios.add(Ratio.atMost(1, set.title(), what, mine.wallSeconds() / other.wallSeconds()));
                }
            }
        }
        return ratios;
    }

    private void compareSparsity(Set set, L1Task task, Liblinear liblinear) throws Exception {
        notes.progress(set.title() + ": counting weights at 1e-6");
        notes.remark("%s at tolerance 1e-6: %d weights are not 0; liblinear -e 1e-6: %d"
                .formatted(
                        set.name(),
                        task.solve(TIGHT, 2).nonZeros(),
                        liblinear.train(TIGHT).nonZeros()));
    }
}
