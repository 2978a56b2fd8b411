package tandem;

import java.util.Map;
import tandem.problem.Separable;
import tandem.server.Rules;
import tandem.server.ServerChange;
import tandem.server.ServerFunction;
import tandem.solver.Averaged;
import tandem.solver.BlockFigures;
import tandem.solver.BlockProximal;
import tandem.solver.Bounded;
import tandem.solver.ClockProximal;
import tandem.solver.ClockSum;
import tandem.solver.DualFigures;
import tandem.solver.DualPull;
import tandem.solver.GroupFigures;
import tandem.solver.GroupProximal;
import tandem.solver.LastPushed;
import tandem.solver.LbfgsRows;

/// What servers know the update rules and functions of solvers by. Tables name their rule, and calls their function, so
/// these names travel, and never a class.
final class SolverRules {

    static final String BLOCK = "block proximal";
    static final String GROUP = "group proximal";
    static final String VECTOR = "lbfgs";
    static final String PULL = "dual pull";
    static final String SLOPE = "last pushed";
    static final String CLOCK = "clock proximal";
    static final String SUM = "clock sum";
    static final String FACTOR = "difacto";
    static final String BOUNDED = "bounded";
    static final String MEAN = "mean";
    static final String TOLD = "told mean";

    private static final Map<String, ServerFunction> FUNCTIONS = Map.of(
            "block state", BlockFigures.STATE,
            "clock state", BlockFigures.CLOCKED,
            "block conjugate", BlockFigures.CONJUGATE,
            "block before", BlockFigures.BEFORE,
            "dual state", DualFigures.STATE,
            "lbfgs look", LbfgsRows.LOOK,
            "lbfgs along", LbfgsRows.ALONG,
            "lbfgs conjugate", LbfgsRows.CONJUGATE);

    /// Changes of L-BFGS begin with this and go on with the order's name.
    private static final String LBFGS = "lbfgs ";

    private static final Map<String, ServerChange> CHANGES =
            Map.of(LBFGS + "turn", LbfgsRows.TURN, LBFGS + "slide", LbfgsRows.SLIDE, LBFGS + "unit", LbfgsRows.UNIT);

    private SolverRules() {}

    /// Those that every server knows.
    static Rules all() {
        Rules rules = new Rules();
        for (Solver.Rule rule : Solver.Rule.values()) {
            rules.with(rule.label(), rule::of);
        }
        rules.with(BLOCK, of -> new BlockProximal(new Separable(of[0], of[1], of[2], of[3]), of[4]));
        rules.with(PULL, of -> new DualPull(new Separable(of[0], of[1], of[2], of[3])));
        rules.with(SLOPE, _ -> new LastPushed());
        rules.withRows(FACTOR, Method.Factors::rule);
        rules.with(CLOCK, of -> new ClockProximal(new Separable(of[0], of[1], of[2], of[3])));
        rules.with(SUM, _ -> new ClockSum());
        rules.with(BOUNDED, of -> new Bounded(of[0], of[1]));
        rules.with(MEAN, _ -> new Averaged(true));
        rules.with(TOLD, _ -> new Averaged(false));
        rules.with(VECTOR, of -> new LbfgsRows((int) of[0]));
        FUNCTIONS.forEach(rules::withFunction);
        CHANGES.forEach(rules::withChange);
        return rules;
    }

    /// The same with what only the servers of a job with this method know.
    static Rules of(Method method) {
        return method instanceof Method.Blocks blocks && blocks.groups() != null
                ? all().with(GROUP, of -> new GroupProximal(of[0], blocks.groups()))
                        .withFunction(GroupFigures.NAME, new GroupFigures(blocks.groups()))
                : all();
    }

    /// What servers know a function by.
    static String name(ServerFunction function) {
        return FUNCTIONS.entrySet().stream()
                .filter(entry -> entry.getValue() == function)
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    /// What servers know the change by that an order of vectors asks for.
    static String change(String what) {
        return LBFGS + what;
    }
}
