package tandem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tandem.client.Overdue;
import tandem.client.Session;
import tandem.client.Station;
import tandem.cluster.Conductor;
import tandem.cluster.Coordinator;
import tandem.cluster.Ground;
import tandem.cluster.Heard;
import tandem.cluster.Traffic;
import tandem.consistency.Consistency;
import tandem.consistency.Fraction;
import tandem.consistency.Timetable;
import tandem.data.Batches;
import tandem.model.RangeFile;
import tandem.report.Json;
import tandem.runtime.Crew;
import tandem.simulate.Simulation;
import tandem.wire.Address;
import tandem.wire.Reached;
import tandem.wire.TableSpec;
import tandem.worker.Form;
import tandem.worker.Learned;
import tandem.worker.PulledFactors;
import tandem.worker.PulledScores;
import tandem.worker.PulledWeights;
import tandem.worker.Target;

/// Trains problems online on a cluster: the coordinator's side. Passes over the data, each followed by a look at the
/// held-out examples, until the passes are done or the look has not improved for a while.
final class DistributedTraining {

    /// How often the watch hears of progress.
    private static final long TICK_NANOS = 100_000_000;

    /// How long nodes have to start, at least: a busy machine takes its time to start a process.
    private static final long STARTING_NANOS = 60_000_000_000L;

    /// How long those are waited for, at most, who are sent home.
    private static final long FAREWELL_NANOS = 10_000_000_000L;

    private static final int GENERATION_BITS = 24;

    private final Run run;
    private final Solver solver;
    private final Batches data;
    private final List<Target> problems;
    private final LinearJob job;
    private Conductor conductor;

    /// What each worker told last, and before it each that worked under the same number.
    private final Map<Address, TreeMap<Integer, WorkerReport>> reports = new TreeMap<>();

    /// What each worker told last of the work that it was given last.
    private final Map<Address, WorkerReport> told = new TreeMap<>();

    /// Passes ordered so far, over all problems.
    private long rounds;

    /// How many workers have to finish a pass.
    private int enough;

    /// The checkpoint to begin with; null for none, and where another coordinator has begun.
    private final Manifest from;

    /// Passes that came before this run.
    private long first;

    private final Logbook log;

    private ClusterCheckpoints checkpoints;

    /// How the problem in hand did best so far.
    private Manifest.Best best = Manifest.Best.NONE;

    /// How many orders went to workers that average among themselves.
    private long generations;

    /// Orders to work through passes of which nothing has been heard, though the pass may be over.
    private final List<Coordinator.Order> unsettled = new ArrayList<>();

    /// @param from the checkpoint to begin with; null for none
    DistributedTraining(
            Run run, Solver solver, Batches data, Classes classes, LinearJob job, Manifest from, Logbook log) {
        this.run = run;
        this.solver = solver;
        this.data = data;
        this.problems = classes.problems();
        this.job = job;
        this.from = from;
        this.log = log;
    }

    /// Runs all nodes on `ground`, in this process, and trains.
    void train(Ground ground) throws IOException {
        Coordinator coordinator = job.coordinator(ground);
        for (Address server : servers()) {
            job.host(ground, server, "", 1);
        }
        for (Address worker : workers()) {
            job.host(ground, worker, "", data, 1);
        }
        train(ground, coordinator);
    }

    /// Runs all nodes in simulated time, and trains.
    void train(Where.Simulated world) throws IOException {
        Simulation simulation = new Simulation(
                run.settings().seed(),
                world.network(),
                world.machines(run.settings().seed()));
        for (Where.Simulated.Kill kill : world.kills()) {
            simulation.kill(kill.node(), kill.after(), () -> {
                if (kill.node().role() == Address.Role.WORKER) {
                    job.host(simulation, kill.node(), "", data, 2);
                }
            });
        }
        run.timedBy(simulation::nowNanos);
        train(simulation);
        run.simulated(
                new Simulated(simulation.nowNanos() * 1e-9, simulation.steps(), Long.toHexString(simulation.trace())));
    }

    /// How a simulated run went.
    ///
    /// @param seconds virtual time, from the start of the cluster to its end
    /// @param events  what happened in it
    /// @param trace   the same for two runs only if they went alike in every detail
    record Simulated(double seconds, long events, String trace) {}

    /// Trains with the nodes that join, wherever they are.
    void train(Ground ground, Coordinator coordinator) throws IOException {
        try {
            ground.run(station -> conduct(coordinator, station));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (Crew.Lost e) {
            throw new IOException(e.getMessage() + ". No model was written", e);
        } catch (Overdue | Coordinator.Failed | Coordinator.Gone e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private void conduct(Coordinator coordinator, Station station) {
        new Conductor(coordinator, station, Math.max(STARTING_NANOS, job.terms().silenceNanos()))
                .awaitAll(TICK_NANOS, this::stopIfAsked);
        conductor = new Conductor(coordinator, station, job.terms().silenceNanos());
        run.begin();
        try {
            Milestone before = log.milestone();
            checkpoints = new ClusterCheckpoints(run, job, conductor);
            if (before != null) {
                goOn(before);
            } else {
                begin();
            }
            Manifest.Place place = before != null ? before.place() : from != null ? from.place() : Manifest.Place.FIRST;
            for (int k = run.saved().size(); k < problems.size(); k++) {
                run.saved().add(train(k, k == place.problem() ? place : Manifest.Place.FIRST));
            }
            checkpoints.finish();
            run.memory(ServerMemory.of(tellServers(LinearJob.Order.of("memory", 0)).stream()
                    .map(bytes -> Json.read(bytes, ServerMemory.class))
                    .toList()));
            milestone(new Manifest.Place(problems.size(), 0, rounds));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (UncheckedIOException e) {
            tell(); // what was done until it was interrupted
            throw e;
        }
        tell();
        conductor = new Conductor(
                coordinator, station, Math.min(FAREWELL_NANOS, job.terms().silenceNanos()));
        conductor.sendHome(conductor::workers, TICK_NANOS, this::unheard);
        conductor.sendHome(conductor::servers, TICK_NANOS, this::unheard);
    }

    private void unheard(String who) {
        run.note("all is done, and not everyone has said that it goes: " + who);
    }

    /// Has servers begin with what there is to begin with.
    private void begin() {
        if (job.files().start() != null) {
            conductor.settled(() -> tellServers(LinearJob.Order.of("start", 0)));
        }
        if (from != null) {
            restore();
        }
    }

    /// Goes on where another coordinator was, with the nodes that were its.
    private void goOn(Milestone before) {
        run.goOn(before);
        best = before.best();
        first = before.first();
        rounds = before.place().rounds();
        before.reports()
                .forEach(one -> reports.computeIfAbsent(one.worker(), _ -> new TreeMap<>())
                        .put(one.report().life(), one.report()));
    }

    /// Whether all has been done by another coordinator, who may have sent the nodes home. Then nobody is waited for.
    boolean isOver() throws IOException {
        Milestone before = log.milestone();
        if (before == null || !before.over()) {
            return false;
        }
        goOn(before);
        tell();
        return true;
    }

    /// Tells the run what workers did.
    private void tell() {
        run.distributed(
                countedOnce(), job.tables().stream().map(TableSpec::name).toList());
        run.skipped(skipped());
    }

    /// Writes down that all before `next` is done.
    private void milestone(Manifest.Place next) throws IOException {
        log.keep(new Milestone(
                first,
                next,
                List.copyOf(run.saved()),
                best,
                reports.entrySet().stream()
                        .flatMap(worker -> worker.getValue().values().stream()
                                .map(report -> new Milestone.Told(worker.getKey(), report)))
                        .toList(),
                run.curve().points(),
                run.seconds(),
                run.stopped(),
                run.memory()));
    }

    /// Makes everything as it was when the checkpoint was made. Servers that come meanwhile do it too.
    private void restore() {
        conductor.settled(() -> tellServers(LinearJob.Order.of("restore", 0)));
        run.saved().addAll(from.saved());
        best = from.best();
        first = from.place().rounds();
        rounds = first;
        for (long done = 0; done < from.place().iterations(); done++) {
            run.passed();
        }
    }

    /// @param from where to go on with it
    private SavedProblem train(int problem, Manifest.Place from) throws IOException {
        return switch (solver) {
            case Solver.Online online -> train(problem, from.pass(), online);
            case Solver.Factors factors -> train(problem, from.pass(), factors.weights());
            case Solver.Blocks blocks ->
                train(problem, new BlockCourse(this, blocks, problem, (BlockState) from.course()));
            case Solver.Lbfgs lbfgs ->
                train(problem, new LbfgsCourse(this, lbfgs, problem, (LbfgsState) from.course()));
            case Solver.Proximal proximal ->
                train(problem, new ProximalCourse(this, proximal, problem, (ProximalState) from.course()));
            case Solver.Sdca sdca -> train(problem, new DualCourse(this, sdca, problem, (DualState) from.course()));
            case Solver.Batch _, Solver.Auto _ ->
                throw new IllegalStateException(solver.label() + " works in one process");
        };
    }

    private SavedProblem train(int problem, Course course) throws IOException {
        Finished.Proof proof = null;
        while (proof == null) {
            Manifest.Place place = new Manifest.Place(problem, 0, rounds, course.state());
            milestone(place);
            if (checkpoints.isDue()) {
                checkpoint(place);
            }
            stopIfAsked();
            proof = course.next();
            checkpoints.tend();
        }
        SavedProblem saved = save(problem);
        return (Double.isNaN(course.intercept()) ? saved : saved.withIntercept(course.intercept())).with(proof);
    }

    private SavedProblem train(int problem, int firstPass, Solver.Online solver) throws IOException {
        boolean early = false;
        if (firstPass == 0) {
            trace(problem, 0);
        }
        for (int pass = firstPass; pass < solver.passes() && !early; pass++) {
            milestone(new Manifest.Place(problem, pass, rounds));
            pass(problem, pass, solver);
            trace(problem, pass + 1);
            Evaluation held = look(problem, pass);
            rounds++;
            early = held != null && solver.patience() > 0 && isNoBetter(held.loss(), problem, pass, solver);
        }
        settle(true);
        SavedProblem saved = best.weights() != null ? best.weights() : save(problem);
        best = Manifest.Best.NONE;
        return saved;
    }

    /// Keeps weights that are better on held-out examples than those before; true if none have been for too long.
    private boolean isNoBetter(double loss, int problem, int pass, Solver.Online solver) throws IOException {
        boolean ends = pass + 1 == solver.passes();
        if (loss < best.loss()) {
            best = new Manifest.Best(loss, 0, ends ? null : save(problem));
            return false;
        }
        int worse = best.worsePasses() + 1;
        best = new Manifest.Best(best.loss(), worse, best.weights());
        if (worse < solver.patience() || ends) {
            return false;
        }
        run.note("stopped early after pass " + (pass + 1) + ": no better on held-out examples for " + worse
                + (worse == 1 ? " pass" : " passes"));
        run.stopped("early");
        return true;
    }

    /// Scores rows by the weights that servers have.
    private Supplier<Evaluation.RowScorer> scorers(int problem) {
        int table = job.table(problem);
        int intercept = job.interceptTable(problem);
        return switch (job.form()) {
            case Form.Weights() -> () -> new PulledScores(reader(), table, intercept)::score;
            case Form.Factors(int dimension) -> () -> new PulledFactors(reader(), table, intercept, dimension)::score;
        };
    }

    private void trace(int problem, int passes) throws IOException {
        run.trace(
                passes,
                traffic(),
                () -> run.loss(data, problems.get(problem), scorers(problem))
                        + sums(problem).penalty(run.settings()));
    }

    /// What the weights of a problem add up to on all servers; again if some shards were on their way to others.
    private WeightSums sums(int problem) {
        int shards = job.tables().get(job.table(problem)).shards();
        while (true) {
            WeightSums.Share all = tellServers(LinearJob.Order.of("sums", problem)).stream()
                    .map(bytes -> Json.read(bytes, WeightSums.Share.class))
                    .reduce(WeightSums.Share.NONE, WeightSums.Share::plus);
            if (all.shards() == shards) {
                return all.sums();
            }
        }
    }

    private Evaluation look(int problem, int pass) throws IOException {
        try {
            return job.terms().rhythm().deterministic()
                    ? run.lookInOrder(problems.get(problem), scorers(problem))
                    : run.look(problems.get(problem), scorers(problem));
        } catch (Run.Interrupted e) {
            if (checkpoints.isOn()) {
                checkpoint(new Manifest.Place(problem, pass, rounds));
            }
            throw e;
        }
    }

    private void pass(int problem, int pass, Solver.Online solver) {
        Learned before = learned();
        PassProgress progress = new PassProgress(conductor.heard(), toldInEachLife());
        boolean over = false;
        while (!over) {
            over = work(problem, pass, Long.MAX_VALUE, progress, solver);
            checkpoints.tend();
            if (run.interrupted()) {
                checkpoints.finish();
            }
            if (checkpoints.isDue()) {
                over = over || align(problem, pass, progress, solver);
                checkpoint(new Manifest.Place(problem, pass, rounds));
                stopIfAsked();
            }
        }
        run.passed();
        Learned now = learned().minus(before);
        run.point(now);
        // A short pass is over before anybody has looked.
        stopIfAsked();
        run.progress(stage(pass, solver), (pass + 1.0) / solver.passes(), now);
    }

    /// Has workers work on a pass until it is over or a checkpoint is due; whether it is over.
    ///
    /// @param until the clock to stop at
    private boolean work(int problem, int pass, long until, PassProgress progress, Solver.Online solver) {
        if (job.topology() != null) {
            return average(problem, pass, () -> tell(progress, pass, solver));
        }
        String consistency = new Timetable(job.terms().rhythm().consistency()).at(pass, solver.passes());
        enough = job.terms().workers();
        if (Consistency.named(consistency) instanceof Fraction share) {
            enough = among(share, enough).of(enough);
            consistency = among(share, job.terms().streams()).name();
        }
        byte[] order =
                LinearJob.Order.pass(problem, pass, rounds, until, consistency).bytes();
        Coordinator.Round round = job.terms().rhythm().steal()
                ? conductor.begin(workers(), order, enough, data.count())
                : job.terms().resumes() ? conductor.beginAll(order) : conductor.begin(workers(), order, enough);
        told.clear();
        conductor.awaitEnough(round, TICK_NANOS, () -> {
            tell(progress, pass, solver);
            checkpoints.tend();
            if (until == Long.MAX_VALUE && checkpoints.isDue()) {
                // Again and again: who takes over from a worker that was lost has not heard of it.
                conductor.leave(round);
            }
        });
        unsettled.addAll(conductor.orders(round));
        if (!job.terms().rhythm().steal()) {
            conductor.leave(round);
        }
        settle(false);
        return told.values().stream().allMatch(WorkerReport::over);
    }

    /// A share of those who have a batch, of workers or streams, which batches are dealt to in turn.
    private Fraction among(Fraction share, int all) {
        return share.among((int) Math.min(all, data.count()), all);
    }

    /// Has workers work on a pass and average among themselves; false if somebody was lost, or the run is to stop, and
    /// servers have what they had. Once all are through, those tell servers the average.
    private boolean average(int problem, int pass, Runnable meanwhile) {
        Map<Integer, Long> lives = conductor.lives();
        if (!ordered(problem, pass, new LinearJob.Averages(generation(), lives, null), meanwhile)
                .containsAll(lives.keySet())) {
            if (!run.interrupted()) {
                run.note("a worker was lost in pass " + (pass + 1) + "; all begin it anew, from the weights before it");
            }
            return false;
        }
        Set<Integer> writers = lives.keySet();
        while (true) {
            Map<Integer, Integer> parts = new TreeMap<>();
            writers.forEach(worker -> parts.put(worker, parts.size()));
            Set<Integer> written =
                    ordered(problem, pass, new LinearJob.Averages(generation(), lives, parts), meanwhile);
            if (written.containsAll(writers)) {
                return true;
            }
            if (written.isEmpty()) {
                throw new UncheckedIOException(new IOException("all workers were lost while they told servers the"
                        + " average of pass " + (pass + 1) + ", of which servers have a part; go on from a checkpoint"
                        + " (--resume), or train again"));
            }
            writers = written;
        }
    }

    /// A number that rises, whoever is the coordinator.
    private long generation() {
        return (conductor.term() << GENERATION_BITS) + ++generations;
    }

    /// Has the workers of an order carry it out, unless one of them is lost; those that have.
    private Set<Integer> ordered(int problem, int pass, LinearJob.Averages averages, Runnable meanwhile) {
        enough = job.terms().workers();
        byte[] order = LinearJob.Order.averages(problem, pass, rounds, averages).bytes();
        Coordinator.Round round = conductor.begin(workers(), order, enough);
        told.clear();
        conductor.awaitEnough(round, TICK_NANOS, () -> {
            meanwhile.run();
            if (run.interrupted() || !conductor.lives().equals(averages.lives())) {
                conductor.leave(round);
            }
        });
        unsettled.addAll(conductor.orders(round));
        settle(true);
        return told.entrySet().stream()
                .filter(entry -> entry.getValue().over())
                .map(entry -> entry.getKey().number())
                .collect(Collectors.toSet());
    }

    /// Where updates wait for the end of their clock, brings all streams to the clock of the fastest, so that none
    /// waits; whether the pass is over then.
    private boolean align(int problem, int pass, PassProgress progress, Solver.Online solver) {
        LongSummaryStatistics clocks =
                positions().mapToLong(WorkerReport.Position::clock).summaryStatistics();
        return job.inOrder()
                && clocks.getMin() < clocks.getMax()
                && work(problem, pass, clocks.getMax(), progress, solver);
    }

    /// Makes a checkpoint while workers stand still. If the run is to stop, it is waited for.
    private void checkpoint(Manifest.Place place) {
        long[] sequences = new long[job.terms().streams()];
        long[] clocks = new long[sequences.length];
        positions().forEach(at -> {
            sequences[at.stream()] = Math.max(sequences[at.stream()], at.sequence());
            clocks[at.stream()] = Math.max(clocks[at.stream()], at.clock());
        });
        checkpoints.take(
                new Manifest(
                        Manifest.FORMAT,
                        run.fingerprint().text(),
                        job.terms().shards(),
                        new Reached(sequences, clocks),
                        place,
                        List.copyOf(run.saved()),
                        best,
                        List.of()),
                order -> tellServers(() -> order, () -> {}));
        if (run.interrupted()) {
            checkpoints.finish();
        }
    }

    /// How far streams have come, as those told who worked on them last.
    private Stream<WorkerReport.Position> positions() {
        return told.values().stream().flatMap(report -> report.streams().stream());
    }

    private static String stage(int pass, Solver.Online solver) {
        return solver.passes() == 1 ? "training" : "pass " + (pass + 1) + "/" + solver.passes();
    }

    LinearJob job() {
        return job;
    }

    Run run() {
        return run;
    }

    long rows() {
        return data.rows();
    }

    /// What workers have sent and received, as far as they told.
    Traffic traffic() {
        return reports().stream().map(WorkerReport::traffic).reduce(Traffic.NONE, Traffic::plus);
    }

    /// Reads what servers have.
    Session reader() {
        return conductor.reader(job.terms().silenceNanos());
    }

    /// A round over all blocks is done.
    void roundOver() {
        rounds++;
    }

    /// The same of several at once.
    void roundsOver(int more) {
        rounds += more;
    }

    /// How many rounds are done.
    long rounds() {
        return rounds;
    }

    /// How many batches there are.
    long batches() {
        return data.count();
    }

    /// Has all workers do something with their streams; what each told.
    Collection<WorkerReport> together(LinearJob.Order order) {
        return together(conductor.beginAll(order.bytes()));
    }

    /// Has all workers share the batches of the data, each of which counts once; what each told.
    Collection<WorkerReport> share(LinearJob.Order order) {
        return together(conductor.beginAll(order.bytes(), batches()));
    }

    private Collection<WorkerReport> together(Coordinator.Round round) {
        enough = job.terms().workers();
        told.clear();
        conductor.awaitEnough(round, TICK_NANOS, () -> {
            if (!checkpoints.isOn()) {
                stopIfAsked();
            }
            checkpoints.tend();
        });
        unsettled.addAll(conductor.orders(round));
        conductor.leave(round);
        settle(false);
        return told.values();
    }

    /// Takes what workers have told of passes, and if `all` waits for those that have not.
    private void settle(boolean all) {
        for (Coordinator.Order order : List.copyOf(unsettled)) {
            if (all || order.ticket().isDone()) {
                byte[] result = conductor.result(order, TICK_NANOS, this::stopIfAsked);
                unsettled.remove(order);
                if (result.length == 0) {
                    continue; // it is gone, and others did what it had to do
                }
                WorkerReport report = Json.read(result, WorkerReport.class);
                reports.computeIfAbsent(order.to(), _ -> new TreeMap<>()).put(report.life(), report);
                told.put(order.to(), report);
            }
        }
    }

    private void tell(PassProgress progress, int pass, Solver.Online solver) {
        if (!checkpoints.isOn()) {
            stopIfAsked();
        }
        Learned now = progress.of(conductor.heard());
        double done = (pass + Math.min(1.0, (double) now.examples() / data.rows())) / solver.passes();
        run.progress(stage(pass, solver), done, now);
    }

    /// Examples that the passes ended without.
    private long skipped() {
        long all = (rounds - first) * data.rows();
        long skipped = job.terms().resumes() && !isContinued() || !countsRounds()
                ? 0
                : all - learned().examples();
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

    private void stopIfAsked() {
        if (run.interrupted()) {
            throw new UncheckedIOException(new Run.Interrupted());
        }
    }

    private Learned learned() {
        return reports().stream().map(WorkerReport::learned).reduce(Learned.ZERO, Learned::plus);
    }

    private Map<Heard.Whose, Learned> toldInEachLife() {
        Map<Heard.Whose, Learned> told = new HashMap<>();
        reports.forEach((worker, lives) ->
                lives.forEach((life, report) -> told.put(new Heard.Whose(worker, life), report.learned())));
        return told;
    }

    private List<WorkerReport> reports() {
        return reports.values().stream()
                .map(lives -> lives.values().stream().reduce(WorkerReport::plus).orElseThrow())
                .toList();
    }

    /// The same, where a batch that was under way when its stream passed to another worker, and was made again, counts
    /// once: each pass goes on until every batch has changed every weight it concerns.
    private List<WorkerReport> countedOnce() {
        List<WorkerReport> all = new ArrayList<>(reports());
        long twice = learned().examples() - rounds * data.rows();
        if (countsRounds() && job.terms().resumes() && !isContinued() && twice != 0) {
            all.set(0, all.getFirst().less(twice));
        }
        return all;
    }

    /// Has every server put its own weights of a problem into files, over those it put there before.
    private SavedProblem save(int problem) throws IOException {
        List<SavedProblem.Share> shares = shares(problem);
        return SavedProblem.of(shares, job.intercept() ? intercept(problem) : 0);
    }

    private double intercept(int problem) {
        return PulledWeights.of(reader(), job.interceptTable(problem), PulledScores.INTERCEPT)[0];
    }

    /// What servers have put into files, each its own shards. While those pass to others, some may be there twice, or
    /// not at all: then it is done again.
    private List<SavedProblem.Share> shares(int problem) throws IOException {
        int shards = job.tables().get(job.table(problem)).shards();
        Astray astray = job.keepsGroups() ? astray(problem, shards) : null;
        while (true) {
            // Of the epoch in which the order was given at last: who was taken for lost before is in an earlier one.
            long[] epoch = {0};
            List<SavedProblem.Share> shares = tellServers(() -> {
                        epoch[0] = conductor.epoch();
                        return LinearJob.Order.save(problem, epoch[0], astray).bytes();
                    })
                    .stream()
                    .map(bytes -> Json.read(bytes, SavedProblem.Share.class))
                    .toList();
            List<RangeFile> files =
                    shares.stream().flatMap(share -> share.files().stream()).toList();
            if (files.size() == shards
                    && files.stream().map(RangeFile::file).distinct().count() == shards) {
                for (RangeFile file : files) {
                    file.accepted(Path.of(job.files().draft()), epoch[0]);
                }
                return shares;
            }
        }
    }

    /// The weights that are not on the servers of their files; asked again if some shards were on their way to others.
    private Astray astray(int problem, int shards) {
        while (true) {
            Astray all = tellServers(LinearJob.Order.of("astray", problem)).stream()
                    .map(bytes -> Json.read(bytes, Astray.class))
                    .reduce(Astray.NONE, Astray::plus);
            if (all.shards() == shards) {
                return all;
            }
        }
    }

    private List<byte[]> tellServers(LinearJob.Order order) {
        return tellServers(order.bytes());
    }

    private List<byte[]> tellServers(byte[] order) {
        return tellServers(() -> order);
    }

    private List<byte[]> tellServers(Supplier<byte[]> order) {
        return tellServers(order, this::stopIfAsked);
    }

    /// Has all servers do something; again, by those that are left, if one was lost meanwhile.
    private List<byte[]> tellServers(Supplier<byte[]> order, Runnable meanwhile) {
        while (true) {
            try {
                return conductor.order(conductor.servers(), order.get(), TICK_NANOS, meanwhile);
            } catch (Coordinator.Gone e) {
                run.note(e.getMessage() + "; the others do it");
            }
        }
    }

    /// All but the coordinator, in the beginning.
    List<Address> nodes() {
        return Stream.concat(servers().stream(), workers().stream()).toList();
    }

    private List<Address> servers() {
        return IntStream.range(0, job.terms().servers())
                .mapToObj(Address::server)
                .toList();
    }

    private List<Address> workers() {
        return IntStream.range(0, job.terms().workers())
                .mapToObj(Address::worker)
                .toList();
    }
}
