package tandem;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tandem.cluster.Traffic;
import tandem.data.Batches;
import tandem.model.KeyRange;
import tandem.model.RangeFile;
import tandem.worker.Learned;
import tandem.worker.SparseAverage;

/// Trains by averaging on [Hosts] that are told what to do round by round, as in SparkNet: there are no servers, and
/// the average is in this process. Passes over the data, each followed by a look at the held-out examples.
final class RoundTraining {

    private final Run run;
    private final Solver.Online solver;
    private final Batches data;
    private final Classes classes;
    private final LinearJob job;
    private final Hosts hosts;
    private Learned learned = Learned.ZERO;
    private Traffic traffic = Traffic.NONE;

    RoundTraining(Run run, Solver.Online solver, Batches data, Classes classes, LinearJob job, Hosts hosts) {
        this.run = run;
        this.solver = solver;
        this.data = data;
        this.classes = classes;
        this.job = job;
        this.hosts = hosts;
    }

    void train() throws IOException {
        run.begin();
        try {
            for (int k = 0; k < classes.problems().size(); k++) {
                run.saved().add(save(k, train(k)));
            }
        } finally {
            run.distributed(List.of(report()), List.of());
        }
    }

    private SparseAverage train(int problem) throws IOException {
        SparseAverage average = SparseAverage.NONE;
        SparseAverage best = null;
        double least = Double.POSITIVE_INFINITY;
        int worse = 0;
        for (int pass = 0; pass < solver.passes() && (worse == 0 || worse < solver.patience()); pass++) {
            average = pass(problem, pass, average);
            Evaluation held = look(problem, average);
            if (held == null || solver.patience() == 0) {
                continue;
            }
            worse = held.loss() < least ? 0 : worse + 1;
            best = worse == 0 ? average : best;
            least = Math.min(least, held.loss());
            if (worse == solver.patience() && pass + 1 < solver.passes()) {
                run.stoppedEarly(pass + 1, worse);
            }
        }
        return best == null ? average : best;
    }

    /// Round after round: everyone is sent the average, and what each adds comes back as one sum.
    private SparseAverage pass(int problem, int pass, SparseAverage from) throws IOException {
        SparseAverage average = from;
        Learned before = learned;
        int rounds = Math.toIntExact(data.count() / job.terms().streams());
        for (int r = 0; r < rounds; r++) {
            if (run.interrupted()) {
                throw new Run.Interrupted();
            }
            byte[] sent = average.anew().bytes();
            byte[] sum = hosts.average(new AveragingRound(job, problem, pass, r), sent);
            SparseAverage change = SparseAverage.of(sum);
            learned = learned.plus(change.learned());
            traffic = traffic.plus(
                    new Traffic(sum.length, (long) sent.length * job.terms().workers()));
            average = average.plus(change);
            run.travelled(traffic);
            double done = (pass + (r + 1.0) / rounds) / solver.passes();
            run.progress("pass " + (pass + 1) + "/" + solver.passes(), done, learned.minus(before));
        }
        run.passed();
        run.point(learned.minus(before));
        return average;
    }

    private Evaluation look(int problem, SparseAverage average) throws IOException {
        return run.look(classes.problems().get(problem), () -> average::score);
    }

    /// Puts weights into a file, as servers do.
    private SavedProblem save(int problem, SparseAverage average) throws IOException {
        long[] keys = average.keys();
        double[] weights = average.weights();
        WeightSums sums = WeightSums.of(keys, weights);
        KeyRange all = new KeyRange(problem, problem + 1, classes.problems().size(), 0);
        RangeFile file = RangeFile.write(
                Path.of(job.files().draft()), all, keys, weights, job.method().precision());
        return SavedProblem.of(List.of(new SavedProblem.Share(List.of(file), sums)), average.intercept());
    }

    /// What all hosts did.
    private WorkerReport report() {
        return new WorkerReport(1, learned, true, List.of(), run.iterations(), Map.of(), traffic, Map.of(), null);
    }
}
