package tandem;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import tandem.cluster.Traffic;
import tandem.data.Batches;
import tandem.math.Mix;
import tandem.problem.Separable;
import tandem.server.Table;
import tandem.worker.OnlineLoop;
import tandem.worker.OnlineTask;
import tandem.worker.RowScores;
import tandem.worker.Target;

/// Trains one problem online: passes over the data, each followed by a look at the held-out examples,
/// until the passes are done or the look has not improved for a while.
final class OnlineTraining {

    private final Run run;
    private final Solver.Online solver;
    private final Separable penalty;
    private final Batches data;
    private final Target target;
    private final Table table;
    private final Table intercept;
    private final OnlineLoop loop;

    /// The best look so far, the weights then, and the passes since; only with held-out examples.
    private double bestLoss = Double.POSITIVE_INFINITY;

    private Weights best;
    private int worsePasses;
    private boolean warm;

    OnlineTraining(Run run, Solver.Online solver, Separable penalty, Batches data, Target target) {
        this.run = run;
        this.solver = solver;
        this.penalty = penalty;
        this.data = data;
        this.target = target;
        Linear settings = run.settings();
        table = new Table(
                solver.rule().of(solver, penalty, data.rows()),
                ThreadLocalRandom.current().nextLong(),
                solver.hogwild());
        intercept = settings.intercept()
                ? new Table(solver.rule().of(solver, Separable.NONE, data.rows()), 0, solver.hogwild())
                : null;
        loop = new OnlineLoop(
                new OnlineTask(settings.loss(), target, settings.positiveWeight(), table, intercept, solver.rows()),
                run.threads());
    }

    /// Starts from the weights of an earlier model.
    void start(Weights weights) {
        warm = true;
        for (int k = 0; k < weights.ids().length; k++) {
            table.start(Mix.mix(weights.ids()[k]), (float) weights.values()[k]);
        }
        if (intercept != null) {
            intercept.start(OnlineTask.INTERCEPT, (float) weights.intercept());
        }
    }

    /// Goes on from an interrupted run, or from nothing. Null if it was interrupted again.
    Weights train(Checkpoint.Progress from) throws IOException {
        from.restore(table, intercept);
        bestLoss = from.bestLoss();
        best = from.best();
        worsePasses = from.worsePasses();
        if (from.pass() == 0 && from.batches() == 0) {
            trace(0);
        }
        for (int pass = from.pass(); pass < solver.passes(); pass++) {
            long skip = pass == from.pass() ? from.batches() : 0;
            if (!pass(pass, skip)) {
                return null;
            }
            boolean enough;
            try {
                trace(pass + 1);
                enough = look();
            } catch (Run.Interrupted e) {
                run.checkpoint(progress(pass, Long.MAX_VALUE));
                run.done(loop.byWorker());
                return null;
            }
            if (enough && pass + 1 < solver.passes()) {
                run.stoppedEarly(pass + 1, worsePasses);
                break;
            }
        }
        run.done(loop.byWorker());
        return best != null ? best : Weights.of(table, intercept);
    }

    /// One pass, with pauses for checkpoints; false if it was interrupted.
    private boolean pass(int number, long skip) throws IOException {
        Batches.Pass pass = data.pass(number, skip);
        long before = loop.batches();
        try (PassMonitor _ = new PassMonitor(run, data, loop, number, solver.passes())) {
            if (number == 0 && skip == 0 && !warm) {
                loop.begin(pass);
            }
            while (!loop.run(pass)) {
                long batches = skip + loop.batches() - before;
                run.checkpoint(progress(number, batches));
                if (run.interrupted()) {
                    run.done(loop.byWorker());
                    return false;
                }
                loop.goOn();
            }
        }
        run.passed();
        return true;
    }

    private Checkpoint.Progress progress(int pass, long batches) {
        return new Checkpoint.Progress(
                pass,
                batches,
                Checkpoint.State.of(table),
                intercept == null ? null : Checkpoint.State.of(intercept),
                bestLoss,
                best,
                worsePasses);
    }

    private void trace(int passes) throws IOException {
        run.trace(
                passes,
                Traffic.NONE,
                () -> run.loss(data, target, () -> new RowScores(table, intercept)::score)
                        + penalty.value(Weights.of(table, intercept).values()));
    }

    /// Looks at the held-out examples; true if it is time to stop.
    private boolean look() throws IOException {
        Evaluation held = run.look(target, () -> new RowScores(table, intercept)::score);
        if (held == null || solver.patience() == 0) {
            return false;
        }
        if (held.loss() < bestLoss) {
            bestLoss = held.loss();
            worsePasses = 0;
            best = solver.passes() > 1 ? Weights.of(table, intercept) : null;
            return false;
        }
        worsePasses++;
        return worsePasses >= solver.patience();
    }
}
