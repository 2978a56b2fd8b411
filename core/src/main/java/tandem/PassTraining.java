package tandem;

import java.io.IOException;
import java.util.LongSummaryStatistics;
import java.util.function.Supplier;
import tandem.cluster.Conductor;
import tandem.cluster.Coordinator;
import tandem.consistency.Consistency;
import tandem.consistency.Fraction;
import tandem.consistency.Timetable;
import tandem.data.Batches;
import tandem.worker.Form;
import tandem.worker.Learned;
import tandem.worker.PulledFactors;
import tandem.worker.PulledScores;
import tandem.worker.Target;

/// Trains a problem online, the coordinator's side: passes over the data, each followed by a look at the held-out
/// examples, until the passes are done or the look has not improved for a while.
final class PassTraining {

    private final DistributedTraining training;
    private final Solver.Online solver;
    private final int problem;
    private final Target target;
    private final Batches data;
    private final LinearJob job;
    private final Run run;
    private final Headway headway;
    private final Conductor conductor;
    private final Workers workers;
    private final Servers servers;
    private final ClusterCheckpoints checkpoints;

    PassTraining(DistributedTraining training, Solver.Online solver, int problem, Target target, Batches data) {
        this.training = training;
        this.solver = solver;
        this.problem = problem;
        this.target = target;
        this.data = data;
        job = training.job();
        run = training.run();
        headway = training.headway();
        conductor = training.conductor();
        workers = training.workers();
        servers = training.servers();
        checkpoints = training.checkpoints();
    }

    SavedProblem train(int firstPass) throws IOException {
        boolean early = false;
        if (firstPass == 0) {
            trace(0);
        }
        for (int pass = firstPass; pass < solver.passes() && !early; pass++) {
            training.milestone(place(pass));
            pass(pass);
            if (isLast(pass)) {
                training.learned(problem);
            }
            trace(pass + 1);
            Evaluation held = look(pass);
            headway.roundsOver(1);
            early = held != null && solver.patience() > 0 && isNoBetter(held.loss(), pass);
        }
        training.learned(problem);
        workers.settle(true);
        Manifest.Best best = headway.best();
        SavedProblem saved = best.weights() != null ? best.weights() : servers.save(problem);
        headway.best(Manifest.Best.NONE);
        return saved;
    }

    private boolean isLast(int pass) {
        return pass + 1 == solver.passes();
    }

    private Manifest.Place place(int pass) {
        return new Manifest.Place(problem, pass, headway.rounds());
    }

    /// Keeps weights that are better on held-out examples than those before; true if none have been for too long.
    private boolean isNoBetter(double loss, int pass) throws IOException {
        boolean ends = isLast(pass);
        Manifest.Best best = headway.best();
        if (loss < best.loss()) {
            headway.best(new Manifest.Best(loss, 0, ends ? null : servers.save(problem)));
            return false;
        }
        int worse = best.worsePasses() + 1;
        headway.best(new Manifest.Best(best.loss(), worse, best.weights()));
        if (worse < solver.patience() || ends) {
            return false;
        }
        run.stoppedEarly(pass + 1, worse);
        return true;
    }

    /// Scores rows by the weights that servers have.
    private Supplier<Evaluation.RowScorer> scorers() {
        int table = job.table(problem);
        int intercept = job.interceptTable(problem);
        return switch (job.form()) {
            case Form.Weights() -> () -> new PulledScores(servers.reader(), table, intercept)::score;
            case Form.Factors(int dimension) ->
                () -> new PulledFactors(servers.reader(), table, intercept, dimension)::score;
        };
    }

    private void trace(int passes) throws IOException {
        run.trace(
                passes,
                headway.reports().traffic(),
                () -> run.loss(data, target, scorers()) + servers.sums(problem).penalty(run.settings()));
    }

    private Evaluation look(int pass) throws IOException {
        try {
            return job.terms().rhythm().deterministic()
                    ? run.lookInOrder(target, scorers())
                    : run.look(target, scorers());
        } catch (Run.Interrupted e) {
            if (run.hasLearned()) {
                return null;
            }
            if (checkpoints.isOn()) {
                training.checkpoint(place(pass));
            }
            throw e;
        }
    }

    private void pass(int pass) {
        Learned before = headway.reports().learned();
        PassProgress progress =
                new PassProgress(conductor.heard(), headway.reports().learnedInEachLife());
        boolean over = false;
        while (!over) {
            over = work(pass, Long.MAX_VALUE, progress);
            checkpoints.tend();
            if (run.interrupted()) {
                checkpoints.finish();
            }
            if (checkpoints.isDue()) {
                over = over || align(pass, progress);
                training.checkpoint(place(pass));
                run.stopIfAsked();
            }
        }
        run.passed();
        Learned now = headway.reports().learned().minus(before);
        run.point(now);
        // A short pass is over before anybody has looked.
        run.stopUnlessKept();
        run.travelled(headway.reports().traffic());
        run.progress(stage(pass), (pass + 1.0) / solver.passes(), now);
    }

    /// Has workers work on a pass until it is over or a checkpoint is due; whether it is over.
    ///
    /// @param until the clock to stop at
    private boolean work(int pass, long until, PassProgress progress) {
        if (job.topology() != null) {
            return new AveragingPass(training, problem, pass).work(() -> tell(progress, pass));
        }
        String consistency = new Timetable(job.terms().rhythm().consistency()).at(pass, solver.passes());
        int enough = job.terms().workers();
        if (Consistency.named(consistency) instanceof Fraction share) {
            enough = among(share, enough).of(enough);
            consistency = among(share, job.terms().streams()).name();
        }
        headway.enough(enough);
        byte[] order = new Order(problem, headway.rounds(), consistency, new Order.Pass(pass, until)).bytes();
        boolean steal = job.terms().rhythm().steal();
        Coordinator.Round round = steal
                ? conductor.begin(job.terms().workerAddresses(), order, enough, data.count())
                : job.terms().resumes()
                        ? conductor.beginAll(order)
                        : conductor.begin(job.terms().workerAddresses(), order, enough);
        workers.await(round, () -> {
            tell(progress, pass);
            checkpoints.tend();
            if (until == Long.MAX_VALUE && checkpoints.isDue()) {
                // Again and again: who takes over from a worker that was lost has not heard of it.
                conductor.leave(round);
            }
        });
        if (!steal) {
            conductor.leave(round);
        }
        workers.settle(false);
        return workers.told().values().stream().allMatch(WorkerReport::over);
    }

    /// A share of those who have a batch, of workers or streams, which batches are dealt to in turn.
    private Fraction among(Fraction share, int all) {
        return share.among((int) Math.min(all, data.count()), all);
    }

    /// Where updates wait for the end of their clock, brings all streams to the clock of the fastest, so that none
    /// waits; whether the pass is over then.
    private boolean align(int pass, PassProgress progress) {
        LongSummaryStatistics clocks =
                workers.positions().mapToLong(WorkerReport.Position::clock).summaryStatistics();
        return job.inOrder() && clocks.getMin() < clocks.getMax() && work(pass, clocks.getMax(), progress);
    }

    private void tell(PassProgress progress, int pass) {
        run.stopUnlessKept();
        Learned now = progress.of(conductor.heard());
        double done = (pass + Math.min(1.0, (double) now.examples() / data.rows())) / solver.passes();
        run.progress(stage(pass), done, now);
    }

    private String stage(int pass) {
        return solver.passes() == 1 ? "training" : "pass " + (pass + 1) + "/" + solver.passes();
    }
}
