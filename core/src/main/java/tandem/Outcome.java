package tandem;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tandem.data.Batches;
import tandem.data.Skipped;
import tandem.math.Mix;
import tandem.model.BatchScorer;
import tandem.model.LinearModel;
import tandem.model.MappedModel;
import tandem.model.ModelCard;
import tandem.model.ModelDraft;
import tandem.model.Precision;
import tandem.model.Provenance;
import tandem.model.RangeFile;
import tandem.model.Scorer;
import tandem.problem.Regulariser;
import tandem.report.Json;
import tandem.report.Report;
import tandem.solver.Ending;
import tandem.worker.Learned;

/// Turns what a run has learned into a model and a report.
final class Outcome {

    private final LinearTraining job;
    private final Linear settings;
    private final Run run;
    private final Classes classes;
    private final double seconds;
    private final int streams;

    /// Of a run in this process.
    Outcome(LinearTraining job, Run run, Classes classes) {
        this(job, run, classes, 0);
    }

    /// Of a run on servers and workers.
    ///
    /// @param streams into how many the data was cut
    Outcome(LinearTraining job, Run run, Classes classes, int streams) {
        this.job = job;
        this.settings = job.settings();
        this.run = run;
        this.classes = classes;
        this.seconds = run.seconds();
        this.streams = streams;
    }

    Trained interrupted() {
        return new Trained(null, null, report().stopped("interrupted"), run.curve());
    }

    /// Of a run in this process, whose weights are here.
    Trained finished(Batches data, Batches held) throws IOException {
        run.learned();
        Report report = report();
        LinearModel model = model();
        if (held != null || job.measured()) {
            Scorer scorer = new Scorer(model);
            measure(report, scorer, penalty(model), () -> evaluate(data, scorer), held);
        } else if (settings.solver() instanceof Solver.Batch) {
            report.objective(proofs().mapToDouble(Finished.Proof::objective).sum());
        }
        report.weights(model.nonZero(), model.ids().length);
        LinearModel proven = model.withProvenance(proven(model.provenance(), report, data));
        return new Trained(proven, job.model() == null ? null : job.model().directory(), report, run.curve());
    }

    /// Of a run whose weights are in the files of a draft: measures them there, and publishes it.
    ///
    /// @param joined whether keys in the files lie anywhere, so that they have to be put together first
    Trained published(Batches data, Batches held, ModelDraft draft, Path place, boolean joined) throws IOException {
        run.learned();
        Report report = report();
        WeightSums all = run.saved().stream().map(SavedProblem::sums).reduce(WeightSums.NONE, WeightSums::plus);
        // Every problem has seen every id.
        long seen =
                run.saved().stream().mapToLong(one -> one.sums().rows()).max().orElse(0);
        List<RangeFile> saved =
                run.saved().stream().flatMap(one -> one.files().stream()).toList();
        double[] intercepts =
                run.saved().stream().mapToDouble(SavedProblem::intercept).toArray();
        ModelCard card = card(seen, seen == 0 ? "" : Long.toUnsignedString(all.largestId()));
        List<RangeFile> files = joined ? draft.joined(saved, card) : saved;
        if (isProven()) {
            report.objective(proofs().mapToDouble(Finished.Proof::objective).sum());
        }
        if (held != null || job.measured()) {
            try (BatchScorer scorer = MappedModel.open(card, intercepts, files, draft.directory(), false)) {
                Scoring scoring = new Scoring(
                        card,
                        intercepts,
                        files,
                        draft.directory().toAbsolutePath().toString(),
                        settings.positive(),
                        settings.positiveWeight());
                measure(report, scorer, all.penalty(settings), () -> evaluate(data, scorer, scoring), held);
            }
        }
        report.weights(all.nonZero(), seen).put("servers", run.memory());
        if (settings.solver() instanceof Solver.Factors solver) {
            FactorMemory factors = FactorMemory.of(solver.dimension(), all);
            report.put("factors", factors);
            factors.whyLinear(solver.threshold(), data).ifPresent(run::note);
        }
        draft.publish(card.withProvenance(proven(card.provenance(), report, data)), intercepts, files);
        return new Trained(null, place, report, run.curve());
    }

    private Provenance proven(Provenance origin, Report report, Batches data) throws IOException {
        report.put("data", new Input(job.fingerprints(), data.skipped()));
        JsonNode tree = report.tree();
        return origin.withResults(tree.get("metrics"), tree.get("certificate"));
    }

    /// What a report says of the training data.
    private record Input(Map<String, String> files, Skipped skippedLines) {}

    /// Scores the held-out examples and, if that is wanted, the training data. The model is as good if this is stopped:
    /// then the report says so, and what nobody knows is left out.
    private void measure(Report report, BatchScorer scorer, double penalty, Looking training, Batches held)
            throws IOException {
        try {
            score(report, scorer, penalty, training, held);
        } catch (Run.Interrupted e) {
            report.put("scoring", "interrupted");
        }
    }

    private void score(Report report, BatchScorer scorer, double penalty, Looking training, Batches held)
            throws IOException {
        if (job.measured()) {
            run.note("scoring the training data for the report");
            Evaluation onData = training.look();
            if (!Double.isNaN(penalty)) {
                report.objective(onData.loss() + penalty);
            }
            if (held == null) {
                report.metrics(onData.metrics());
            } else {
                report.trainMetrics(onData.metrics());
            }
        }
        if (held != null) {
            report.metrics(evaluate(held, scorer).metrics());
        }
    }

    /// Scores the training data.
    @FunctionalInterface
    private interface Looking {
        Evaluation look() throws IOException;
    }

    /// Where the examples are, if that is elsewhere.
    private Evaluation evaluate(Batches data, BatchScorer scorer, Scoring scoring) throws IOException {
        return job.hosts() == null ? evaluate(data, scorer) : job.hosts().score(scoring);
    }

    private List<Provenance.Source> sources() throws IOException {
        return job.fingerprints().entrySet().stream()
                .map(file -> new Provenance.Source(file.getKey(), file.getValue()))
                .toList();
    }

    private Evaluation evaluate(Batches batches, BatchScorer scorer) throws IOException {
        return Evaluation.of(
                run.stoppable(batches.pass(0, 0)),
                settings.loss(),
                classes,
                settings.positiveWeight(),
                scorer.card().span(),
                () -> scorer::scores,
                run.threads());
    }

    private double penalty(LinearModel model) {
        long[] keys = new long[model.ids().length];
        for (int k = 0; k < keys.length; k++) {
            keys[k] = Mix.mix(model.ids()[k]);
        }
        Regulariser regulariser = settings.penalty().over(keys);
        double sum = 0;
        for (double[] weights : model.weights()) {
            sum += regulariser.value(weights);
        }
        return sum;
    }

    private LinearModel model() throws IOException {
        List<Weights> problems = run.finished().stream().map(Finished::weights).toList();
        long[] ids = Weights.ids(problems);
        ModelCard card = card(ids.length, ids.length == 0 ? "" : Long.toUnsignedString(ids[ids.length - 1]));
        return new LinearModel(
                card.loss(),
                card.classes(),
                ids,
                problems.stream().map(weights -> weights.over(ids)).toArray(double[][]::new),
                problems.stream().mapToDouble(Weights::intercept).toArray(),
                card.precision(),
                card.schema(),
                card.provenance());
    }

    /// Everything about the model but its weights.
    ModelCard card(long features, String largestId) throws IOException {
        return new ModelCard(
                settings.loss().name(),
                classes.names(),
                isOnline() ? Precision.F32 : Precision.F64,
                Json.tree(new ReadAs(job.data().format(), job.data().hashBits())),
                new Provenance(
                        Version.current(),
                        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                        settings.seed(),
                        features,
                        largestId,
                        sources(),
                        SettingsByName.of(settings),
                        null,
                        null),
                settings.solver() instanceof Solver.Factors factors ? factors.dimension() : 0,
                run.span());
    }

    /// Whether it learns batch by batch, and so vouches for nothing.
    private boolean isOnline() {
        return settings.solver() instanceof Solver.Online || settings.solver() instanceof Solver.Factors;
    }

    private void online(Report report) {
        Learned all = run.workers().stream().reduce(Learned.ZERO, Learned::plus);
        report.work(seconds, all.examples())
                .put("progressiveLoss", all.meanLoss())
                .workers(run.workers().stream()
                        .map(w -> new Report.Worker(w.computeSeconds(), w.waitSeconds(), 0, run.iterations()))
                        .toList());
        if (!run.distributed().isEmpty() && run.tables().isEmpty()) {
            // Hosts that are told what to do round by round say only what they did together.
            report.workers(null);
        } else if (!run.distributed().isEmpty()) {
            report.workers(run.distributed().stream().map(WorkerReport::worker).toList())
                    .staleness(WorkerReport.staleness(run.distributed(), run.tables()))
                    .skipped(run.skipped(), run.skipped() + all.examples());
        }
        if (run.simulated() != null) {
            report.work(run.simulated().seconds(), all.examples()).put("simulated", run.simulated());
        }
    }

    private Report report() {
        long iterations = run.iterations();
        Map<String, String> all = SettingsByName.of(settings);
        if (streams > 0) {
            all.putAll(SettingsByName.of(job.cluster(), streams));
        }
        Report report = new Report(job.command())
                .version(Version.current())
                .seed(settings.seed())
                .iterations(iterations)
                .stopped(run.stopped())
                .curve(run.curve())
                .bytes(WorkerReport.bytes(run.distributed()))
                .put("settings", all);
        switch (settings.solver()) {
            case Solver.Online _, Solver.Factors _, Solver.Auto _ -> online(report);
            case Solver.Blocks _, Solver.Lbfgs _, Solver.Sdca _, Solver.Proximal _ -> {
                online(report);
                report.put("step", run.steps());
                prove(report);
            }
            case Solver.Batch _ -> {
                report.work(seconds, run.examples());
                prove(report);
            }
        }
        return report;
    }

    private void prove(Report report) {
        if (isProven()) {
            report.stopped(ending()).certificate(certificate());
        }
    }

    /// Whether there are solutions of all problems that their solver vouches for.
    private boolean isProven() {
        return !isOnline() && proofs().count() == classes.problems().size();
    }

    /// What a solver vouches for, by problem, those included that were done before a resume.
    private Stream<Finished.Proof> proofs() {
        return Stream.concat(
                run.finished().stream().map(Finished::proof),
                run.saved().stream().map(SavedProblem::proof));
    }

    private Report.Certificate certificate() {
        return new Report.Certificate(
                proofs().mapToDouble(Finished.Proof::residual).max().orElse(Double.NaN),
                proofs().mapToDouble(Finished.Proof::dualityGap).sum());
    }

    private String ending() {
        if (proofs().allMatch(proof -> proof.ending() == Ending.CONVERGED)) {
            return "converged";
        }
        return proofs().anyMatch(proof -> proof.ending() == Ending.LIMIT) ? "limit" : "stalled";
    }
}
