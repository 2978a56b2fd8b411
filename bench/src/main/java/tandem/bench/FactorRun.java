package tandem.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import tandem.CacheUse;
import tandem.ClusterPlan;
import tandem.Linear;
import tandem.LinearTraining;
import tandem.Solver;
import tandem.Where;
import tandem.data.Data;
import tandem.problem.Separable;

/// Trains a factorisation machine, with the penalties on weights that `train factor` has.
record FactorRun(Workspace work, Path training, Path heldOut, Where where, int workers) {

    JsonNode report(Solver.Factors solver, long seed) throws Exception {
        Linear linear = Linear.DEFAULT
                .withSeed(seed)
                .withPenalty(Separable.NONE
                        .withL1(solver.label().equals("fm") ? 0 : 0.1)
                        .withL2(1))
                .withSolver(solver);
        return LinearTraining.of(linear, Data.of(training.toString()))
                .withValidation(Data.of(heldOut.toString()))
                .withCache(new CacheUse.Auto(work.folder()))
                .withMeasured(false)
                .withModel(work.file("factors.model"), true)
                .withCluster(ClusterPlan.DEFAULT
                        .withNodes(workers, 1)
                        .withBatchRows(solver.weights().rows())
                        .withWhere(where))
                .run()
                .report()
                .tree();
    }
}
