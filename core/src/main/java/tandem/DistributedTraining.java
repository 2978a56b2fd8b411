package tandem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tandem.client.Overdue;
import tandem.client.Slice;
import tandem.client.Station;
import tandem.cluster.Conductor;
import tandem.cluster.Coordinator;
import tandem.cluster.Duty;
import tandem.cluster.Ground;
import tandem.consistency.Consistency;
import tandem.consistency.Fraction;
import tandem.consistency.Timetable;
import tandem.data.Batches;
import tandem.model.RangeFile;
import tandem.report.Json;
import tandem.runtime.Crew;
import tandem.simulate.Simulation;
import tandem.wire.Address;
import tandem.wire.TableSpec;
import tandem.worker.Learned;
import tandem.worker.PulledScores;
import tandem.worker.Target;

/// Trains problems online on a cluster: the coordinator's side. Passes over the data, each followed by a look at the
/// held-out examples, until the passes are done or the look has not improved for a while.
final class DistributedTraining {

    /// How often the watch hears of progress.
    private static final long TICK_NANOS = 100_000_000;

    /// How long nodes have to start, at least: a busy machine takes its time to start a process.
    private static final long STARTING_NANOS = 60_000_000_000L;

    private final Run run;
    private final Solver.Online solver;
    private final Batches data;
    private final List<Target> problems;
    private final LinearJob job;
    private Conductor conductor;

    /// What each worker told last, and before it each that worked under the same number.
    private final Map<Address, TreeMap<Integer, WorkerReport>> reports = new TreeMap<>();

    /// Passes ordered so far, over all problems.
    private long rounds;

    /// How many workers have to finish a pass.
    private int enough;

    /// Orders to work through passes of which nothing has been heard, though the pass may be over.
    private final List<Coordinator.Order> unsettled = new ArrayList<>();

    DistributedTraining(Run run, Solver.Online solver, Batches data, Classes classes, LinearJob job) {
        this.run = run;
        this.solver = solver;
        this.data = data;
        this.problems = classes.problems();
        this.job = job;
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
        try {
            if (job.files().start() != null) {
                tellServers(LinearJob.Order.of("start", 0));
            }
            for (int k = 0; k < problems.size(); k++) {
                run.saved().add(train(k));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run.distributed(reports(), job.tables().stream().map(TableSpec::name).toList());
        run.skipped(skipped());
        run.memory(ServerMemory.of(tellServers(LinearJob.Order.of("memory", 0)).stream()
                .map(bytes -> Json.read(bytes, ServerMemory.class))
                .toList()));
        conductor.dismiss(conductor.workers(), TICK_NANOS);
        tellServers(Duty.OVER);
    }

    private SavedProblem train(int problem) throws IOException {
        double bestLoss = Double.POSITIVE_INFINITY;
        SavedProblem best = null;
        int worsePasses = 0;
        for (int pass = 0; pass < solver.passes(); pass++) {
            pass(problem, pass);
            Evaluation held = look(problem);
            if (held == null || solver.patience() == 0) {
                continue;
            }
            if (held.loss() < bestLoss) {
                bestLoss = held.loss();
                worsePasses = 0;
                best = pass + 1 < solver.passes() ? save(problem) : null;
            } else if (++worsePasses >= solver.patience() && pass + 1 < solver.passes()) {
                run.note("stopped early after pass " + (pass + 1) + ": no better on held-out examples for "
                        + worsePasses + (worsePasses == 1 ? " pass" : " passes"));
                run.stopped("early");
                break;
            }
        }
        settle(true);
        return best != null ? best : save(problem);
    }

    private Evaluation look(int problem) throws IOException {
        Supplier<Evaluation.RowScorer> scorers = () -> new PulledScores(
                conductor.reader(job.terms().silenceNanos()), job.table(problem), job.interceptTable(problem))::score;
        return job.terms().rhythm().deterministic()
                ? run.lookInOrder(problems.get(problem), scorers)
                : run.look(problems.get(problem), scorers);
    }

    private void pass(int problem, int pass) {
        Learned before = learned();
        String consistency = new Timetable(job.terms().rhythm().consistency()).at(pass, solver.passes());
        byte[] order =
                LinearJob.Order.pass(problem, pass, rounds++, consistency).bytes();
        enough = Consistency.named(consistency) instanceof Fraction share
                ? share.of(job.terms().workers())
                : job.terms().workers();
        Coordinator.Round round = job.terms().rhythm().steal()
                ? conductor.begin(workers(), order, enough, data.count())
                : job.terms().resumes() ? conductor.beginAll(order) : conductor.begin(workers(), order, enough);
        conductor.awaitEnough(round, TICK_NANOS, () -> tell(before, pass));
        unsettled.addAll(conductor.orders(round));
        if (!job.terms().rhythm().steal()) {
            conductor.leave(round);
        }
        settle(false);
        run.passed();
        Learned now = learned().minus(before);
        run.point(now);
        // A short pass is over before anybody has looked.
        stopIfAsked();
        run.progress(stage(pass), (pass + 1.0) / solver.passes(), now);
    }

    private String stage(int pass) {
        return solver.passes() == 1 ? "training" : "pass " + (pass + 1) + "/" + solver.passes();
    }

    /// Takes what workers have told of passes, and if `all` waits for those that have not.
    private void settle(boolean all) {
        for (Coordinator.Order order : List.copyOf(unsettled)) {
            if (all || order.ticket().isDone()) {
                byte[] told = conductor.result(order, TICK_NANOS, this::stopIfAsked);
                unsettled.remove(order);
                if (told.length == 0) {
                    continue; // it is gone, and others did what it had to do
                }
                WorkerReport report = Json.read(told, WorkerReport.class);
                reports.computeIfAbsent(order.to(), _ -> new TreeMap<>()).put(report.life(), report);
            }
        }
    }

    private void tell(Learned before, int pass) {
        stopIfAsked();
        Conductor.Progress now = conductor.progress();
        long examples = now.examples() - before.examples();
        double done = (pass + Math.min(1.0, (double) examples / data.rows())) / solver.passes();
        run.progress(stage(pass), done, new Learned(examples, examples, now.loss() - before.loss(), 0, 0));
    }

    /// Examples that the passes ended without.
    private long skipped() {
        long skipped = rounds * data.rows() - learned().examples();
        if (skipped > 0) {
            run.note(String.format(
                    Locale.ROOT,
                    "passes ended when %d of %d workers had finished: %,d of %,d examples (%.1f %%) were skipped",
                    enough,
                    job.terms().workers(),
                    skipped,
                    rounds * data.rows(),
                    100.0 * skipped / (rounds * data.rows())));
        }
        return skipped;
    }

    private void stopIfAsked() {
        if (run.interrupted()) {
            throw new UncheckedIOException(new Run.Interrupted());
        }
    }

    private Learned learned() {
        return reports().stream().map(WorkerReport::learned).reduce(Learned.ZERO, Learned::plus);
    }

    private List<WorkerReport> reports() {
        return reports.values().stream()
                .map(lives -> lives.values().stream().reduce(WorkerReport::plus).orElseThrow())
                .toList();
    }

    /// Has every server put its own weights of a problem into files, over those it put there before.
    private SavedProblem save(int problem) {
        List<SavedProblem.Share> shares = shares(problem);
        float[] intercept = {0};
        if (job.intercept()) {
            conductor
                    .reader(job.terms().silenceNanos())
                    .read(new Slice(job.interceptTable(problem), PulledScores.INTERCEPT, intercept));
        }
        return SavedProblem.of(shares, intercept[0]);
    }

    /// What servers have put into files, each its own shards. While those pass to others, some may be there twice, or
    /// not at all: then it is done again.
    private List<SavedProblem.Share> shares(int problem) {
        int shards = job.tables().get(job.table(problem)).shards();
        while (true) {
            List<SavedProblem.Share> shares = tellServers(LinearJob.Order.of("save", problem)).stream()
                    .map(bytes -> Json.read(bytes, SavedProblem.Share.class))
                    .toList();
            List<String> files = shares.stream()
                    .flatMap(share -> share.files().stream())
                    .map(RangeFile::file)
                    .toList();
            if (files.size() == shards && files.stream().distinct().count() == shards) {
                return shares;
            }
        }
    }

    private List<byte[]> tellServers(LinearJob.Order order) {
        return tellServers(order.bytes());
    }

    /// Has all servers do something; again, by those that are left, if one was lost meanwhile.
    private List<byte[]> tellServers(byte[] order) {
        while (true) {
            try {
                return conductor.order(conductor.servers(), order, TICK_NANOS, this::stopIfAsked);
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
