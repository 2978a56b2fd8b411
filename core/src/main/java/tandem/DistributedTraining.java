package tandem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import tandem.client.Overdue;
import tandem.client.Session;
import tandem.client.Station;
import tandem.cluster.Conductor;
import tandem.cluster.Coordinator;
import tandem.cluster.Ground;
import tandem.cluster.Traffic;
import tandem.data.Batches;
import tandem.runtime.Crew;
import tandem.simulate.Simulation;
import tandem.wire.Address;
import tandem.worker.Target;

/// Trains problems on a cluster, one after the other: the coordinator's side. Has servers begin with what there is to
/// begin with, writes down how far it is for another coordinator, and makes checkpoints.
final class DistributedTraining {

    /// How often the watch hears of progress.
    static final long TICK_NANOS = 100_000_000;

    /// How long nodes have to start, at least: a busy machine takes its time to start a process.
    private static final long STARTING_NANOS = 60_000_000_000L;

    /// How long those are waited for, at most, who are sent home.
    private static final long FAREWELL_NANOS = 10_000_000_000L;

    /// The same in all.
    private static final long HOME_NANOS = 60_000_000_000L;

    private final Run run;
    private final Solver solver;
    private final Batches data;
    private final List<Target> problems;
    private final LinearJob job;
    private final Headway headway;
    private final Logbook log;

    /// The checkpoint to begin with; null for none, and where another coordinator has begun.
    private final Manifest from;

    /// These are there once all nodes are.
    private Conductor conductor;

    private Workers workers;
    private Servers servers;
    private ClusterCheckpoints checkpoints;

    /// Whether another coordinator has begun.
    private boolean takenOver;

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
        this.headway = new Headway(run, solver, job, data.rows());
    }

    /// All but the coordinator, in the beginning.
    List<Address> nodes() {
        return Stream.concat(job.terms().serverAddresses().stream(), job.terms().workerAddresses().stream())
                .toList();
    }

    /// Runs all nodes on `ground`, in this process, and trains.
    void train(Ground ground) throws IOException {
        Coordinator coordinator = job.coordinator(ground);
        for (Address server : job.terms().serverAddresses()) {
            job.host(ground, server, "", 1);
        }
        for (Address worker : job.terms().workerAddresses()) {
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
                .awaitAll(TICK_NANOS, run::stopIfAsked);
        conductor = new Conductor(coordinator, station, job.terms().silenceNanos());
        workers = new Workers(run, conductor, headway.reports());
        servers = new Servers(run, job, conductor);
        checkpoints = new ClusterCheckpoints(run, job, conductor);
        run.begin();
        try {
            Milestone before = log.milestone();
            takenOver = before != null;
            if (takenOver) {
                headway.goOn(before);
            } else {
                begin();
            }
            Manifest.Place place = before != null ? before.place() : from != null ? from.place() : Manifest.Place.FIRST;
            for (int k = run.saved().size(); k < problems.size(); k++) {
                run.saved().add(train(k, k == place.problem() ? place : Manifest.Place.FIRST));
            }
            checkpoints.finish();
            run.memory(servers.memory());
            milestone(new Manifest.Place(problems.size(), 0, headway.rounds()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (UncheckedIOException e) {
            headway.tell(); // what was done until it was interrupted
            throw e;
        }
        headway.tell();
        conductor = new Conductor(
                coordinator, station, Math.min(FAREWELL_NANOS, job.terms().silenceNanos()));
        conductor.sendHome(conductor::workers, TICK_NANOS, HOME_NANOS, this::unheard);
        conductor.sendHome(conductor::servers, TICK_NANOS, HOME_NANOS, this::unheard);
    }

    private void unheard(String who) {
        run.note("all is done, and not everyone has said that it goes: " + who);
    }

    /// Has servers begin with what there is to begin with.
    private void begin() {
        if (job.files().start() != null) {
            conductor.settled(() -> servers.tell(new ServerOrder.Start()));
        }
        if (from != null) {
            // Servers that come meanwhile do it too.
            conductor.settled(() -> servers.tell(new ServerOrder.Restore()));
            headway.goOn(from);
        }
    }

    /// Whether all has been done by another coordinator, who may have sent the nodes home. Then nobody is waited for.
    boolean isOver() throws IOException {
        Milestone before = log.milestone();
        if (before == null || !before.over()) {
            return false;
        }
        headway.goOn(before);
        headway.tell();
        return true;
    }

    /// Writes down that all before `next` is done.
    void milestone(Manifest.Place next) throws IOException {
        log.keep(headway.milestone(next));
    }

    /// @param from where to go on with it
    private SavedProblem train(int problem, Manifest.Place from) throws IOException {
        return switch (solver) {
            case Solver.Online online -> passes(problem, online).train(from.pass());
            case Solver.Factors factors -> passes(problem, factors.weights()).train(from.pass());
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
            Manifest.Place place = new Manifest.Place(problem, 0, headway.rounds(), course.state());
            milestone(place);
            // Asked once: a stop that comes after the checkpoint was looked at has one made the next time.
            boolean stopping = run.interrupted();
            if (stopping) {
                checkpoints.finish();
            }
            if (areStreamsKnown() && checkpoints.isDue()) {
                checkpoint(place);
            }
            if (stopping && (areStreamsKnown() || !checkpoints.isOn())) {
                run.stopIfAsked();
            }
            proof = course.next();
            checkpoints.tend();
        }
        learned(problem);
        SavedProblem saved = servers.save(problem);
        return (Double.isNaN(course.intercept()) ? saved : saved.withIntercept(course.intercept())).with(proof);
    }

    /// Whether it is known how far streams have come: workers go on while one coordinator takes another's place, and
    /// have told the new one nothing before its first round is over.
    private boolean areStreamsKnown() {
        return !takenOver || !workers.told().isEmpty();
    }

    /// A problem is learned. After the last one there is nothing left to stop.
    void learned(int problem) {
        if (problem == problems.size() - 1) {
            run.learned();
        }
    }

    private PassTraining passes(int problem, Solver.Online online) {
        return new PassTraining(this, online, problem, problems.get(problem), data);
    }

    /// Makes a checkpoint while workers stand still. If the run is to stop, it is waited for.
    void checkpoint(Manifest.Place place) {
        checkpoints.take(headway.manifest(place, workers.positions()), servers);
        if (run.interrupted()) {
            checkpoints.finish();
        }
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
        return headway.reports().traffic();
    }

    /// Reads what servers have.
    Session reader() {
        return servers.reader();
    }

    /// A round over all blocks is done.
    void roundOver() {
        headway.roundsOver(1);
    }

    /// The same of several at once.
    void roundsOver(int more) {
        headway.roundsOver(more);
    }

    /// How many rounds are done.
    long rounds() {
        return headway.rounds();
    }

    Conductor conductor() {
        return conductor;
    }

    Workers workers() {
        return workers;
    }

    Servers servers() {
        return servers;
    }

    ClusterCheckpoints checkpoints() {
        return checkpoints;
    }

    Headway headway() {
        return headway;
    }

    /// How many batches there are.
    long batches() {
        return data.count();
    }

    /// Has all workers do something with their streams; what each told.
    Collection<WorkerReport> together(Order order) {
        return together(conductor.beginAll(order.bytes()));
    }

    /// Has all workers share the batches of the data, each of which counts once; what each told.
    Collection<WorkerReport> share(Order order) {
        return together(conductor.beginAll(order.bytes(), batches()));
    }

    private Collection<WorkerReport> together(Coordinator.Round round) {
        headway.enough(job.terms().workers());
        workers.await(round, () -> {
            run.stopUnlessKept();
            checkpoints.tend();
        });
        conductor.leave(round);
        workers.settle(false);
        return workers.told().values();
    }
}
