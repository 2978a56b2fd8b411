package tandem;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tandem.wire.Reached;
import tandem.wire.TableSpec;

/// How far training on a cluster has come, and what workers did for that: what goes into milestones, checkpoints and
/// the report.
final class Headway {

    private final Run run;
    private final Solver solver;
    private final LinearJob job;
    private final long rows;
    private final WorkerReports reports = new WorkerReports();

    /// Passes ordered so far, over all problems.
    private long rounds;

    /// Passes that came before this run.
    private long first;

    /// How many workers have to finish a pass.
    private int enough;

    /// How the problem in hand did best so far.
    private Manifest.Best best = Manifest.Best.NONE;

    /// @param rows how many examples there are
    Headway(Run run, Solver solver, LinearJob job, long rows) {
        this.run = run;
        this.solver = solver;
        this.job = job;
        this.rows = rows;
    }

    /// Goes on where another coordinator was.
    void goOn(Milestone before) {
        run.goOn(before);
        best = before.best();
        first = before.first();
        rounds = before.place().rounds();
        before.reports().forEach(one -> reports.add(one.worker(), one.report()));
    }

    /// Goes on where another run was.
    void goOn(Manifest before) {
        run.saved().addAll(before.saved());
        best = before.best();
        first = before.place().rounds();
        rounds = first;
        for (long done = 0; done < before.place().iterations(); done++) {
            run.passed();
        }
    }

    /// What another coordinator needs to know once all before `next` is done.
    Milestone milestone(Manifest.Place next) {
        return new Milestone(
                first,
                next,
                List.copyOf(run.saved()),
                best,
                reports.all(),
                run.curve().points(),
                run.seconds(),
                run.stopped(),
                run.memory());
    }

    /// What another run needs to know, but for the files of rows.
    ///
    /// @param positions how far streams have come, of those that have come further than where this run began
    Manifest manifest(Manifest.Place place, Stream<WorkerReport.Position> positions) {
        Reached before = job.terms().reached();
        int streams = job.terms().streams();
        long[] sequences =
                IntStream.range(0, streams).mapToLong(before::sequence).toArray();
        long[] clocks = IntStream.range(0, streams).mapToLong(before::clock).toArray();
        positions.forEach(at -> {
            sequences[at.stream()] = Math.max(sequences[at.stream()], at.sequence());
            clocks[at.stream()] = Math.max(clocks[at.stream()], at.clock());
        });
        return new Manifest(
                Manifest.FORMAT,
                run.fingerprint().text(),
                job.terms().shards(),
                new Reached(sequences, clocks),
                place,
                List.copyOf(run.saved()),
                best,
                List.of());
    }

    /// Tells the run what workers did.
    void tell() {
        run.distributed(
                countedOnce(), job.tables().stream().map(TableSpec::name).toList());
        run.skipped(skipped());
    }

    /// What workers did, where a batch that was under way when its stream passed to another worker, and was made
    /// again, counts once: servers take it once. Of solvers whose rounds end only when every stream has told of its
    /// examples, the rounds say how many there were, also where who looked at some has died since.
    private List<WorkerReport> countedOnce() {
        List<WorkerReport> all = new ArrayList<>(reports.byWorker());
        long twice = reports.learned().examples() - rounds * rows;
        boolean exact = solver instanceof Solver.Blocks || solver instanceof Solver.Proximal;
        if (!all.isEmpty() && countsRounds() && job.terms().resumes() && !isContinued() && (twice > 0 || exact)) {
            all.set(0, all.getFirst().less(twice));
        }
        return all;
    }

    /// Examples that the passes ended without.
    private long skipped() {
        long all = (rounds - first) * rows;
        long skipped = job.terms().resumes() && !isContinued() || !countsRounds()
                ? 0
                : all - reports.learned().examples();
        if (skipped > 0) {
            run.note(String.format(
                    Locale.ROOT,
                    "passes ended when %d of %d workers had finished: %,d of %,d examples (%.1f %%) were skipped",
                    enough,
                    job.terms().workers(),
                    skipped,
                    all,
                    100.0 * skipped / all));
        }
        return skipped;
    }

    /// Whether every round sees every example once.
    private boolean countsRounds() {
        return !(solver instanceof Solver.Lbfgs || solver instanceof Solver.Sdca);
    }

    /// Whether the run began with a checkpoint.
    private boolean isContinued() {
        return job.files().from() != null;
    }

    WorkerReports reports() {
        return reports;
    }

    long rounds() {
        return rounds;
    }

    void roundsOver(int more) {
        rounds += more;
    }

    Manifest.Best best() {
        return best;
    }

    void best(Manifest.Best other) {
        best = other;
    }

    /// Says how many workers have to finish what they are told next.
    void enough(int workers) {
        enough = workers;
    }
}
