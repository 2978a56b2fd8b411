package tandem;

import java.util.ArrayList;
import java.util.List;
import tandem.filter.Filters;
import tandem.problem.Separable;
import tandem.solver.DiFacto;
import tandem.wire.TableSpec;
import tandem.worker.Local;

/// What the tables of a job hold, and the rule by which servers change their rows.
record JobTables(LinearJob job) {

    /// What the table of a problem's weights is called.
    static String weightsName(int problem) {
        return "weights " + problem;
    }

    /// What the table of its intercept is called.
    static String interceptName(int problem) {
        return "intercept " + problem;
    }

    /// All of them, each at its number.
    List<TableSpec> specs() {
        List<TableSpec> tables = new ArrayList<>();
        ClusterTerms terms = job.terms();
        Filters.Both filters = terms.filterKinds().parse(terms.filters());
        for (int k = 0; k < job.problems(); k++) {
            tables.add(weights(k)
                    .withFilters(filters.push(), filters.pull())
                    .withShards(terms.shards())
                    .withUpkeep(terms.upkeep()));
            if (job.intercept()) {
                tables.add(intercept(k));
            }
        }
        for (int k = 0; job.method() instanceof Method.Dual dual && k < job.problems(); k++) {
            tables.add(TableSpec.dense("slopes " + k, dual.examples(), 1)
                    .withDoubles()
                    .withRule(SolverRules.SLOPE));
        }
        for (int k = 0;
                job.method() instanceof Method.Proximal proximal && proximal.sharesMargins() && k < job.problems();
                k++) {
            tables.add(TableSpec.dense("margins " + k, proximal.rows(), 1)
                    .withDoubles()
                    .withRule(SolverRules.SUM)
                    .withFilters(filters.push(), filters.pull()));
        }
        return tables;
    }

    private TableSpec weights(int problem) {
        String name = weightsName(problem);
        return switch (job.method()) {
            case Method.Batches online -> ruled(TableSpec.sparse(name, online.width()), online, online.penalty(), 0);
            case Method.Factors factors ->
                TableSpec.sparse(name, DiFacto.width(factors.dimension()))
                        .withVariableRows()
                        .withRule(
                                SolverRules.FACTOR, factors.settings(job.terms().seed()));
            case Method.Blocks blocks ->
                blocks.groups() == null
                        ? TableSpec.sparse(name, 2)
                                .withDoubles()
                                .withRule(SolverRules.BLOCK, rule(blocks.penalty(), blocks.hold()))
                        : TableSpec.sparse(name, 2)
                                .withDoubles()
                                .withRule(SolverRules.GROUP, blocks.penalty().l1());
            case Method.Vectors vectors ->
                TableSpec.sparse(name, 1).withDoubles().withRule(SolverRules.VECTOR, vectors.memory());
            case Method.Dual dual ->
                TableSpec.sparse(name, 2).withDoubles().withRule(SolverRules.PULL, rule(dual.penalty()));
            case Method.Proximal proximal ->
                TableSpec.sparse(name, 2).withDoubles().withRule(clockRule(proximal), rule(proximal.penalty()));
        };
    }

    private TableSpec intercept(int problem) {
        String name = interceptName(problem);
        return switch (job.method()) {
            case Method.Batches online -> intercept(name, online, problem);
            case Method.Factors factors -> intercept(name, factors.weights(), problem);
            case Method.Blocks _ ->
                TableSpec.dense(name, 1, 2).withDoubles().withRule(SolverRules.BLOCK, rule(Separable.NONE, 0));
            // Only what an earlier model has: the coordinator learns it.
            case Method.Dual _, Method.Vectors _ -> TableSpec.dense(name, 1, 1).withDoubles();
            case Method.Proximal proximal ->
                TableSpec.dense(name, 1, 2).withDoubles().withRule(clockRule(proximal), rule(Separable.NONE));
        };
    }

    /// Of weights that workers move themselves, or that servers move once a clock.
    private static String clockRule(Method.Proximal proximal) {
        return proximal.sharesMargins() ? SolverRules.SUM : SolverRules.CLOCK;
    }

    private static TableSpec intercept(String name, Method.Batches online, int problem) {
        return ruled(
                TableSpec.dense(name, 1, online.width()),
                online,
                Separable.NONE,
                online.firsts().get(problem));
    }

    /// Workers of EMSO and of averaging send their share of the way to what they found, so servers only add that up: of
    /// EMSO, where shares may be late, within the bounds of weights.
    private static TableSpec ruled(TableSpec table, Method.Batches online, Separable met, float first) {
        if (online.averages()) {
            return table.withRule(online.topology() == null ? SolverRules.MEAN : SolverRules.TOLD);
        }
        if (online.local() instanceof Local.Emso) {
            return met.isBounded() ? table.withRule(SolverRules.BOUNDED, met.low(), met.high()) : table;
        }
        return table.withRule(
                online.rule().label(), online.alpha(), online.beta(), met.l1(), met.l2(), met.low(), met.high(), first);
    }

    private static double[] rule(Separable penalty, double hold) {
        return new double[] {penalty.l1(), penalty.l2(), penalty.low(), penalty.high(), hold};
    }

    private static double[] rule(Separable penalty) {
        return new double[] {penalty.l1(), penalty.l2(), penalty.low(), penalty.high()};
    }
}
