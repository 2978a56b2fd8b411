package tandem;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tandem.problem.Separable;
import tandem.server.Hogwild;
import tandem.worker.Local;

/// Every setting by its name on the command line, as reports, models and checkpoints have them.
final class SettingsByName {

    private SettingsByName() {}

    static Map<String, String> of(Linear settings) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("loss", settings.loss().name());
        all.put("penalty", settings.penalty().describe());
        if (settings.penalty() instanceof Penalty.Plain(Separable(double l1, double l2, double _, double _))) {
            all.put("l1", Double.toString(l1));
            all.put("l2", Double.toString(l2));
        }
        all.put("intercept", Boolean.toString(settings.intercept()));
        all.put("pos-weight", Double.toString(settings.positiveWeight()));
        if (settings.positive() != null) {
            all.put("positive", settings.positive());
        }
        all.put("solver", settings.solver().label());
        switch (settings.solver()) {
            case Solver.Online online -> describe(online, all);
            case Solver.Factors factors -> {
                describe(factors.weights(), all);
                all.put("dimension", Integer.toString(factors.dimension()));
                all.put("threshold", Integer.toString(factors.threshold()));
                all.put("sparse-factors", Boolean.toString(factors.sparse()));
                all.put("factor-rate", Double.toString(factors.alpha()));
                all.put("factor-beta", Double.toString(factors.beta()));
                all.put("factor-l2", Double.toString(factors.l2()));
                all.put("factor-group", Double.toString(factors.group()));
                all.put("factor-scale", Double.toString(factors.scale()));
                all.put("clip", Boolean.toString(factors.clipped()));
            }
            case Solver.Blocks blocks -> {
                all.put("tolerance", Double.toString(blocks.tolerance()));
                all.put("max-iterations", Integer.toString(blocks.maxPasses()));
                all.put(
                        "blocks",
                        blocks.blocks() == Solver.Blocks.AUTOMATIC ? "auto" : Integer.toString(blocks.blocks()));
                all.put("step", step(blocks));
            }
            case Solver.Lbfgs lbfgs -> {
                all.put("tolerance", Double.toString(lbfgs.tolerance()));
                all.put("max-iterations", Integer.toString(lbfgs.maxIterations()));
                all.put("memory", Integer.toString(lbfgs.memory()));
            }
            case Solver.Auto _ -> {}
            case Solver.Sdca sdca -> {
                all.put("tolerance", Double.toString(sdca.tolerance()));
                all.put("max-iterations", Integer.toString(sdca.maxPasses()));
            }
            case Solver.Proximal proximal -> {
                all.put("tolerance", Double.toString(proximal.tolerance()));
                all.put("max-iterations", Integer.toString(proximal.maxClocks()));
                all.put("step", proximal.guaranteed() ? "guaranteed" : Double.toString(proximal.step()));
            }
            case Solver.Batch batch -> {
                all.put("tolerance", Double.toString(batch.tolerance()));
                all.put("max-iterations", Integer.toString(batch.maxIterations()));
            }
        }
        all.put("threads", Integer.toString(settings.threads()));
        all.put("seed", Long.toString(settings.seed()));
        return all;
    }

    /// Those of the nodes that a run is on.
    ///
    /// @param streams into how many the data is cut, which a run that goes on has from the one before
    static Map<String, String> of(ClusterPlan plan, int streams) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("workers", Integer.toString(plan.workers()));
        all.put("servers", Integer.toString(plan.servers()));
        all.put("streams", Integer.toString(streams));
        all.put("consistency", plan.rhythm().consistency());
        all.put("deterministic", Boolean.toString(plan.rhythm().deterministic()));
        all.put("filters", plan.filters());
        all.put("replicas", Integer.toString(plan.copies().replicas()));
        all.put("placement", plan.placement().label());
        return all;
    }

    private static void describe(Solver.Online online, Map<String, String> all) {
        if (!(online.local() instanceof Local.Emso)) {
            all.put(
                    "learning-rate",
                    online.alpha() == Solver.Online.AUTOMATIC ? "auto" : Double.toString(online.alpha()));
            all.put("beta", Double.toString(online.beta()));
        }
        all.put("update-rows", Integer.toString(online.rows()));
        all.put("passes", online.passes() == Solver.Online.AUTOMATIC ? "auto" : Integer.toString(online.passes()));
        all.put("patience", Integer.toString(online.patience()));
        if (online.hogwild() == Hogwild.STRICT) {
            all.put("hogwild", "strict");
        }
        if (online.local() instanceof Local.Downpour how) {
            all.put("fetch-every", Integer.toString(how.fetch()));
            all.put("push-every", Integer.toString(how.push()));
            all.put("local-rate", how.rate() == Local.Downpour.AUTOMATIC ? "auto" : Double.toString(how.rate()));
            all.put("warm-up", Integer.toString(how.warmUp()));
        }
        if (online.local() instanceof Local.Emso how) {
            all.put("inner", Integer.toString(how.inner()));
            all.put("gamma", Double.toString(how.gamma()));
        }
        if (online.local() instanceof Local.Averaging how) {
            all.put("local-rule", online.rule().label());
            all.put("average-every", Integer.toString(how.every()));
            all.put("exchange", how.exchange().name().toLowerCase(Locale.ROOT));
        }
    }

    private static String step(Solver.Blocks blocks) {
        if (blocks.guaranteed()) {
            return "guaranteed";
        }
        return blocks.step() == Solver.Blocks.AUTOMATIC ? "auto" : Double.toString(blocks.step());
    }
}
