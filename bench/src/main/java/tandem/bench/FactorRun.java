package tandem.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import tandem.CacheUse;
import tandem.ClusterPlan;
import tandem.Evaluation;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.Watch;
import tandem.Where;
import tandem.data.Data;
import tandem.model.BatchScorer;
import tandem.model.StoredModel;
import tandem.problem.Separable;

/// Trains a factorisation machine, with the penalties on weights that `train factor` has.
record FactorRun(Workspace work, Path training, Path heldOut, Where where, int workers) {

    /// The share of rows to learn from by which passes are chosen.
    private static final double SPLIT = 0.1;

    /// How a machine does on held-out rows, and how long it took to train.
    record Judged(double seconds, double logloss) {}

    /// The report of a training that ends when held-out rows are predicted no better.
    JsonNode report(Solver.Factors solver, long seed) throws Exception {
        return train(solver, seed, Data.of(training.toString()), Data.of(heldOut.toString()));
    }

    /// As many passes as are best for a share of the rows to learn from, when the others are learned from.
    int passes(Solver.Factors solver, long seed) throws Exception {
        Data.Split split = Data.of(training.toString()).split(SPLIT);
        int best = 1;
        double least = Double.POSITIVE_INFINITY;
        int pass = 0;
        for (JsonNode point :
                train(solver, seed, split.train(), split.validation()).path("curve")) {
            if (point.path("validationLoss").isNumber()) {
                pass++;
                if (point.path("validationLoss").asDouble() < least) {
                    least = point.path("validationLoss").asDouble();
                    best = pass;
                }
            }
        }
        return best;
    }

    /// A machine that has learned from all rows to learn from in so many passes, and seen nothing of the held-out ones.
    Judged judged(Solver.Factors solver, int passes, long seed) throws Exception {
        Solver.Factors fixed = solver.withWeights(solver.weights().withPasses(passes));
        double seconds = train(fixed, seed, Data.of(training.toString()), null)
                .path("seconds")
                .asDouble();
        try (BatchScorer scorer = StoredModel.at(model()).scorer()) {
            Evaluation found = Evaluation.of(scorer, Data.of(heldOut.toString()), workers, Watch.SILENT);
            return new Judged(seconds, found.metrics().logloss());
        }
    }

    private JsonNode train(Solver.Factors solver, long seed, Data rows, Data judging) throws Exception {
        Linear linear = Linear.DEFAULT
                .withSeed(seed)
                .withPenalty(Separable.NONE
                        .withL1(solver.label().equals("fm") ? 0 : 0.1)
                        .withL2(1))
                .withSolver(solver);
        return LinearTraining.of(linear, rows)
                .withValidation(judging)
                .withCache(new CacheUse.Auto(work.folder()))
                .withMeasured(false)
                .withModel(model(), true)
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(workers, 1)
                        .withBatchRows(solver.weights().rows())
                        .withWhere(where))
                .run()
                .report()
                .tree();
    }

    private Path model() {
        return work.file("factors.model");
    }
}
