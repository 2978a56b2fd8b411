package tandem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import tandem.cluster.Traffic;
import tandem.data.Batches;
import tandem.problem.Span;
import tandem.report.LearningCurve;
import tandem.report.Moment;
import tandem.worker.Learned;
import tandem.worker.Target;
import tandem.worker.Threads;

/// What the parts of one training run share: its settings, threads, watch, checkpoint and curve.
final class Run implements AutoCloseable {

    private final Linear settings;
    private final Threads threads;
    private final Watch watch;
    private final Batches validation;
    private final Checkpointing checkpointing;
    private final Same fingerprint;
    private LongSupplier clock = System::nanoTime;
    private long startedNanos = clock.getAsLong();
    private final LearningCurve curve = new LearningCurve();
    private final List<Finished> finished = new ArrayList<>();
    private final List<SavedProblem> saved = new ArrayList<>();
    private final List<Learned> workers = new ArrayList<>();
    private ServerMemory memory;
    private volatile long checkpointedNanos = System.nanoTime();
    private List<WorkerReport> distributed = List.of();
    private List<String> tables = List.of();
    private Simulated simulated;
    private boolean learned;
    private Learned before = Learned.ZERO;
    private Steps steps;
    private String stopped = "passes";
    private long iterations;
    private long examples;
    private long skipped;
    private Span span = Span.ALL;

    /// @param validation     held-out examples, or null
    /// @param checkpointing  null to keep nothing
    Run(Linear settings, Watch watch, Batches validation, Checkpointing checkpointing, Same fingerprint) {
        this.settings = settings;
        this.watch = watch;
        this.validation = validation;
        this.checkpointing = checkpointing;
        this.fingerprint = fingerprint;
        threads = new Threads(settings.threads());
        for (int t = 0; t < settings.threads(); t++) {
            workers.add(Learned.ZERO);
        }
    }

    Linear settings() {
        return settings;
    }

    Threads threads() {
        return threads;
    }

    LearningCurve curve() {
        return curve;
    }

    /// Weights of the problems that are done.
    List<Finished> finished() {
        return finished;
    }

    /// The same of a distributed run, whose weights servers have put into files.
    List<SavedProblem> saved() {
        return saved;
    }

    /// What servers held at the end.
    void memory(ServerMemory held) {
        memory = held;
    }

    /// What servers held at the end; null if there were none.
    ServerMemory memory() {
        return memory;
    }

    /// What each worker did, over all problems.
    List<Learned> workers() {
        return workers;
    }

    /// Starts the clock anew, when the data is in memory or all nodes are there.
    void begin() {
        startedNanos = clock.getAsLong();
    }

    /// Takes the time from another clock, that of a simulation, from now on.
    void timedBy(LongSupplier nanos) {
        clock = nanos;
        begin();
    }

    /// Since training began, without what was done [#trace] off the clock.
    double seconds() {
        return (clock.getAsLong() - startedNanos) * 1e-9;
    }

    /// Finds the training objective of the weights as they are.
    @FunctionalInterface
    interface Objective {
        double now() throws IOException;
    }

    /// Tells a watch that wants it the objective after so many passes. Finding it is no part of training, so the clock
    /// stands still meanwhile.
    ///
    /// @param bytes what workers have sent and received
    void trace(double passes, Traffic bytes, Objective objective) throws IOException {
        if (!watch.wantsObjective()) {
            return;
        }
        long paused = clock.getAsLong();
        try {
            double value = objective.now();
            startedNanos += clock.getAsLong() - paused;
            reached(passes, bytes, value);
        } catch (Interrupted e) {
            // The caller looks whether to stop next.
        }
    }

    /// The same of a solver that knows its objective.
    void reached(double passes, Traffic bytes, double objective) {
        watch.reached(new Moment(passes, seconds(), bytes.sent(), bytes.received(), objective));
    }

    void travelled(Traffic bytes) {
        watch.travelled(bytes.sent(), bytes.received());
    }

    /// The training loss of one problem over `data`, summed, as `scorers` score it.
    double loss(Batches data, Target target, Supplier<Evaluation.RowScorer> scorers) throws IOException {
        return evaluate(data, target, scorers, threads).loss();
    }

    /// Whether to go on from a checkpoint.
    boolean isResumed() {
        return checkpointing != null && checkpointing.resume();
    }

    String stopped() {
        return stopped;
    }

    /// Passes of online training, or steps of a batch solver.
    long iterations() {
        return iterations;
    }

    /// Rows that a batch solver went through, each as often as it did.
    long examples() {
        return examples;
    }

    /// Why training ended, if not because the passes were done.
    void stopped(String why) {
        stopped = why;
    }

    /// Ends a problem before its passes are done.
    ///
    /// @param passes how many there were
    /// @param worse  how many of them, the last ones, were no better on held-out examples
    void stoppedEarly(int passes, int worse) {
        note("stopped early after pass " + passes + ": no better on held-out examples for " + worse
                + (worse == 1 ? " pass" : " passes"));
        stopped("early");
    }

    boolean interrupted() {
        return watch.stopping();
    }

    /// Ends a run that is to stop, on servers and workers.
    void stopIfAsked() {
        if (interrupted()) {
            throw new UncheckedIOException(new Interrupted());
        }
    }

    /// The same unless what there is can be kept: a run that makes checkpoints goes on to where it can make the last
    /// one, and one that has learned all to where its model is saved.
    void stopUnlessKept() {
        if (checkpointing == null && !learned) {
            stopIfAsked();
        }
    }

    /// All is learned.
    void learned() {
        learned = true;
        watch.learned();
    }

    boolean hasLearned() {
        return learned;
    }

    void note(String line) {
        watch.note(line);
    }

    void progress(String stage, double done, Learned learned) {
        watch.progress(stage, done, learned.examples(), learned.meanLoss());
    }

    /// A step of a batch solver: the mean objective and how far it is from optimal.
    void step(String stage, int number, long rows, double objective, double residual) {
        step(stage, number, rows, rows * number, objective, residual);
    }

    /// The same where a step may take several passes.
    ///
    /// @param seen how many rows were gone through so far, each as often as it was
    void step(String stage, int number, long rows, long seen, double objective, double residual) {
        iterations += number > 0 ? 1 : 0;
        examples += number > 0 ? rows : 0;
        curve.add(new LearningCurve.Point(seen, seconds(), Double.NaN, objective, Double.NaN, Double.NaN));
        watch.progress(
                stage + " iteration " + number + String.format(Locale.ROOT, ", residual %.2e", residual),
                Double.NaN,
                seen,
                objective);
    }

    /// How far weights moved in the end, of what is safe for each by itself.
    ///
    /// @param guaranteed for which length convergence is proven; NaN where that was not looked at
    /// @param path       how far weights moved in all, in the sum of their distances; NaN where nobody counted
    record Steps(double used, double guaranteed, double path) {

        Steps(double used, double guaranteed) {
            this(used, guaranteed, Double.NaN);
        }
    }

    void moved(Steps by) {
        Steps least = steps == null || by.used < steps.used ? by : steps;
        steps = new Steps(least.used, least.guaranteed, by.path + (steps == null ? 0 : steps.path));
    }

    /// Null if the solver has no such steps.
    Steps steps() {
        return steps;
    }

    void done(List<Learned> byWorker) {
        for (int w = 0; w < byWorker.size(); w++) {
            workers.set(w, workers.get(w).plus(byWorker.get(w)));
        }
    }

    /// What the workers of a distributed run told at its end, and what its tables are called.
    void distributed(List<WorkerReport> reports, List<String> names) {
        distributed = List.copyOf(reports);
        tables = List.copyOf(names);
        workers.clear();
        reports.forEach(report -> workers.add(report.learned()));
    }

    /// How the run went in simulated time.
    void simulated(Simulated simulated) {
        this.simulated = simulated;
    }

    /// How it went in simulated time; null if it was a real one.
    Simulated simulated() {
        return simulated;
    }

    /// The names of the tables of a distributed run.
    List<String> tables() {
        return tables;
    }

    /// How many examples passes ended without.
    void skipped(long examples) {
        skipped = examples;
    }

    long skipped() {
        return skipped;
    }

    /// What they told; empty if the run is in this process alone.
    List<WorkerReport> distributed() {
        return distributed;
    }

    boolean checkpointDue() {
        return checkpointing != null
                && System.nanoTime() - checkpointedNanos > checkpointing.every().toNanos();
    }

    /// The checkpoints of a run on servers and workers; null to keep none.
    Generations generations() {
        return checkpointing == null ? null : checkpointing.generations();
    }

    /// What must be the same for another run to go on with this one.
    Same fingerprint() {
        return fingerprint;
    }

    /// A checkpoint has been made, or tried.
    void checkpointed() {
        checkpointedNanos = System.nanoTime();
    }

    void checkpoint(Checkpoint.Progress progress) throws IOException {
        if (checkpointing != null) {
            new Checkpoint(fingerprint.text(), finished, progress).write(checkpointing.file());
        }
        checkpointedNanos = System.nanoTime();
    }

    /// The checkpoint to go on from.
    Checkpoint resume() throws IOException {
        Checkpoint checkpoint = Checkpoint.read(checkpointing.file());
        String differences = fingerprint.differences(checkpoint.settings());
        if (!differences.isEmpty()) {
            throw new IOException("the checkpoint " + checkpointing.file() + " is of another run: " + differences
                    + ". Go on with the same options and data, or train without --resume");
        }
        return checkpoint;
    }

    /// Removes the checkpoints of a run on servers and workers that is over.
    void forgetGenerations() throws IOException {
        if (checkpointing != null) {
            generations().forget();
        }
    }

    /// The checkpoint that a run on servers and workers goes on from.
    Generations.Found resumeGeneration() throws IOException {
        Generations.Found found = generations().newest(this::note);
        String differences = fingerprint.differences(found.manifest().settings());
        if (!differences.isEmpty()) {
            throw new IOException("the checkpoint " + found.directory() + " is of another run: " + differences
                    + ". Go on with the same options and data, or train without --resume");
        }
        note("going on from " + found.directory());
        return found;
    }

    /// Goes on in the place of another coordinator, that had come so far.
    void goOn(Milestone from) {
        saved.addAll(from.saved());
        from.curve().forEach(curve::add);
        startedNanos = clock.getAsLong() - (long) (from.seconds() * 1e9);
        stopped = from.stopped();
        memory = from.memory();
        iterations = from.place().iterations();
        before = from.reports().stream().map(told -> told.report().learned()).reduce(Learned.ZERO, Learned::plus);
    }

    /// Counts a pass that is done.
    void passed() {
        iterations++;
    }

    /// Adds what was learned since the last point to the curve.
    void point(Learned learned) {
        before = before.plus(learned);
        curve.add(new LearningCurve.Point(
                before.examples(), seconds(), learned.meanLoss(), Double.NaN, Double.NaN, Double.NaN));
    }

    /// How one problem does on the held-out examples, which also goes to the curve; null if there are none.
    Evaluation look(Target target, Supplier<Evaluation.RowScorer> scorers) throws IOException {
        return look(target, scorers, threads);
    }

    /// The same by one thread, so that the loss has the same bits every time.
    Evaluation lookInOrder(Target target, Supplier<Evaluation.RowScorer> scorers) throws IOException {
        try (Threads one = new Threads(1)) {
            return look(target, scorers, one);
        }
    }

    private Evaluation look(Target target, Supplier<Evaluation.RowScorer> scorers, Threads crew) throws IOException {
        if (validation == null) {
            return null;
        }
        Evaluation held = evaluate(validation, target, scorers, crew);
        curve.add(new LearningCurve.Point(
                before.examples(),
                seconds(),
                Double.NaN,
                Double.NaN,
                held.metrics().loss(),
                held.metrics().auc()));
        return held;
    }

    private Evaluation evaluate(Batches batches, Target target, Supplier<Evaluation.RowScorer> scorers, Threads crew)
            throws IOException {
        return Evaluation.of(
                stoppable(batches.pass(0, 0)),
                settings.loss(),
                new Classes(List.of(), List.of(target)),
                settings.positiveWeight(),
                span,
                scorers,
                crew);
    }

    /// Where predicted numbers stay.
    Span span() {
        return span;
    }

    void clip(Span within) {
        span = within;
    }

    /// A pass that ends when the watch wants to stop.
    Batches.Pass stoppable(Batches.Pass pass) {
        return into -> {
            if (watch.stopping()) {
                throw new Interrupted();
            }
            return pass.next(into);
        };
    }

    /// Thrown where work cannot be left in a useful state.
    static final class Interrupted extends IOException {
        Interrupted() {
            super("interrupted");
        }
    }

    @Override
    public void close() {
        threads.close();
    }
}
