package tandem;

import java.io.IOException;
import java.util.List;
import tandem.data.Batches;
import tandem.model.ModelCard;
import tandem.model.ModelDirectory;
import tandem.model.ModelDraft;
import tandem.model.RangeFile;
import tandem.model.StoredModel;
import tandem.problem.Separable;
import tandem.runtime.Embedded;
import tandem.worker.Local;

/// A job on servers and workers, from the draft of its model, which the servers fill, to its outcome.
final class ClusterRun {

    /// How far within their bounds weights stay that are averaged in floats, as a share of these.
    private static final double ROUNDING = 1e-5;

    private final LinearTraining job;
    private final Site site;
    private final Run run;
    private final Solver solver;
    private final Batches data;
    private final Batches held;
    private final Features features;
    private final Classes classes;

    /// @param site     where its files are
    /// @param data     under the keys that features have while it trains
    /// @param held     held-out examples, under the usual keys, or null
    /// @param features which keys features have
    ClusterRun(
            LinearTraining job,
            Site site,
            Run run,
            Solver solver,
            Batches data,
            Batches held,
            Features features,
            Classes classes) {
        this.job = job;
        this.site = site;
        this.run = run;
        this.solver = solver;
        this.data = data;
        this.held = held;
        this.features = features;
        this.classes = classes;
    }

    /// Trains. A model that is to go nowhere is loaded from where the servers have put it.
    Trained train() throws IOException {
        Trained trained = published();
        return site.temporary() != null && trained.finished()
                ? new Trained(ModelDirectory.load(trained.directory()), null, trained.report(), trained.curve())
                : trained;
    }

    private Trained published() throws IOException {
        LinearJob shared;
        if (site.before() == null) {
            Generations.Found from = run.isResumed() ? run.resumeGeneration() : null;
            link(from, site.draft());
            shared = shared(from);
            learn(shared, from == null ? null : from.manifest());
        } else {
            shared = site.before().job();
            learn(shared, null);
        }
        Outcome outcome = new Outcome(
                job, run, classes.named(data.labels()), shared.terms().streams());
        if (run.saved().size() < classes.problems().size()) {
            return outcome.interrupted();
        }
        boolean joined = shared.files().places() != null;
        Trained trained = outcome.published(features.places().mixed(data), held, site.draft(), site.place(), joined);
        run.forgetGenerations();
        return trained;
    }

    /// Has the weights that the checkpoint holds in the model too.
    private static void link(Generations.Found from, ModelDraft draft) throws IOException {
        if (from != null) {
            for (RangeFile file : from.manifest().weights().toList()) {
                Generations.link(from.directory().resolve(file.file()), draft.directory());
            }
        }
    }

    /// @param from the checkpoint to go on from, or null
    private LinearJob shared(Generations.Found from) throws IOException {
        Linear settings = job.settings();
        ClusterTerms terms = terms(from == null ? null : from.manifest());
        Separable penalty = settings.penalty() instanceof Penalty.Grouped(double strength, Groups _)
                ? Separable.l1(strength)
                : (Separable) settings.penalty().over(new long[0]);
        String start = from == null && job.start() instanceof Start.OnDisk(StoredModel model)
                ? model.directory().toAbsolutePath().toString()
                : null;
        return new LinearJob(
                        terms,
                        settings.loss().name(),
                        settings.positive(),
                        settings.positiveWeight(),
                        settings.intercept(),
                        classes.problems().size(),
                        switch (solver) {
                            case Solver.Online online -> batches(online, penalty, terms);
                            case Solver.Factors factors ->
                                new Method.Factors(
                                        batches(factors.weights(), penalty, terms),
                                        factors.dimension(),
                                        factors.threshold(),
                                        factors.sparse(),
                                        factors.alpha(),
                                        factors.beta(),
                                        met(factors).l2(),
                                        met(factors).l1(),
                                        factors.scale());
                            case Solver.Blocks blocks ->
                                new Method.Blocks(
                                        penalty,
                                        blocks.blocks(),
                                        job.cluster().filterNames().kkt(),
                                        blocks.guaranteed(),
                                        job.cluster().filterNames().losesPushes(),
                                        job.cluster().filterNames().pullThreshold(),
                                        blocks.columns(),
                                        settings.penalty() instanceof Penalty.Grouped(double _, Groups groups)
                                                ? groups.keys(terms.shards(), blocks.blocks())
                                                : null);
                            case Solver.Lbfgs lbfgs -> new Method.Vectors(penalty, lbfgs.memory());
                            case Solver.Proximal proximal ->
                                new Method.Proximal(penalty, proximal.split(), proximal.guaranteed(), data.rows());
                            case Solver.Sdca _ ->
                                new Method.Dual(penalty, job.cluster().batchRows(), data.count());
                            case Solver.Batch _, Solver.Auto _ ->
                                throw new IllegalStateException(solver.label() + " has no servers");
                        },
                        new ServerFiles(
                                site.draft().directory().toAbsolutePath().toString(),
                                start,
                                kept(),
                                path(from),
                                places()))
                .fitted(data);
    }

    /// What factors meet at every push: in the places of L2 and L1 what their squares and their norm do.
    private Separable met(Solver.Factors factors) {
        return Solver.Rule.ADAGRAD.met(
                factors.weights(), Separable.l2(factors.l2()).withL1(factors.group()), data.rows());
    }

    private Method.Batches batches(Solver.Online online, Separable penalty, ClusterTerms terms) {
        Separable met = switch (online.local()) {
            case Local.Emso _, Local.Averaging _ -> online.rule().met(online, penalty, data.rows());
            case Local.Gradient _, Local.Downpour _ -> online.rule().met(online, penalty, share(terms));
        };
        Local local = switch (online.local()) {
            case Local.Emso how -> how.withPenalty(within(met));
            case Local.Averaging how ->
                how.withSteps(new Local.Steps(
                        online.rule().local(), online.rows(), online.alpha(), online.beta(), within(met), 0));
            case Local.Gradient _, Local.Downpour _ -> online.local();
        };
        return new Method.Batches(online.rule(), online.alpha(), online.beta(), met, List.of(), local);
    }

    /// The same penalty with bounds that rounding of a mean does not lead out of.
    private static Separable within(Separable penalty) {
        return penalty.between((1 - ROUNDING) * penalty.low(), (1 - ROUNDING) * penalty.high());
    }

    /// What part an update is of those that servers count in a pass. Clock by clock each stream has one, with rows or
    /// without, and otherwise the end of a pass of each is one.
    private double share(ClusterTerms terms) {
        long streams = terms.streams();
        return 1.0
                / (terms.rhythm().deterministic()
                        ? Math.ceilDiv(data.count(), streams) * streams
                        : data.count() + streams);
    }

    private String places() {
        return features.arePlaced() ? features.file().toAbsolutePath().toString() : null;
    }

    private String kept() {
        return run.generations() == null
                ? null
                : run.generations().directory().toAbsolutePath().toString();
    }

    private static String path(Generations.Found from) {
        return from == null ? null : from.directory().toAbsolutePath().toString();
    }

    private ClusterTerms terms(Manifest from) {
        ClusterTerms usual = job.cluster().terms(job.settings().seed());
        ClusterTerms terms = features.arePlaced() ? usual.withHomes() : usual;
        if (from == null) {
            return terms;
        }
        int streams = from.reached().clocks().length;
        if (job.cluster().streams() != ClusterPlan.USUAL && job.cluster().streams() != streams) {
            throw new IllegalArgumentException("the run to go on with has " + streams + " streams, not "
                    + job.cluster().streams() + "; their number cannot change, so leave out --streams");
        }
        if (terms.workers() > streams) {
            throw new IllegalArgumentException("the run to go on with has " + streams
                    + " streams, and each worker needs" + " one; use at most " + streams + " workers");
        }
        return terms.resumed(from.shards(), from.reached());
    }

    /// What is known of the model before it is trained.
    private ModelCard model() throws IOException {
        return new Outcome(job, run, classes.named(data.labels())).card(0, "");
    }

    /// @param from where to go on, or null
    private void learn(LinearJob shared, Manifest from) throws IOException {
        if (solver instanceof Solver.Online online && online.isByRounds()) {
            learnByRounds(online, shared);
            return;
        }
        DistributedTraining training = new DistributedTraining(run, solver, data, classes, shared, from, site.log());
        try {
            switch (job.cluster().where()) {
                case Where.Embedded() -> {
                    try (Embedded ground = new Embedded()) {
                        training.train(ground);
                    }
                }
                case Where.Processes processes ->
                    new NodeProcesses(shared, data.file(), processes, job.watch()).run(training, model());
                case Where.Hosted(Hosts hosts) -> new HostedNodes(shared, hosts, job.watch()).run(training, model());
                case Where.Simulated simulated -> training.train(simulated);
            }
        } catch (Run.Interrupted e) {
            run.stopped("interrupted");
        }
    }

    /// Learns without servers, on hosts that are told what to do round by round.
    private void learnByRounds(Solver.Online online, LinearJob shared) throws IOException {
        try (Hosts hosts = job.hosts()) {
            new RoundTraining(run, online, data, classes, shared, hosts).train();
        } catch (Run.Interrupted e) {
            run.stopped("interrupted");
        }
    }
}
