package tandem.solver;

import tandem.problem.Separable;
import tandem.server.UpdateRule;
import tandem.wire.Age;

/// Has a weight meet the penalty of all pushes since its last one when it is pushed to again. A push has few features,
/// and a rare one that met the penalty only at its own pushes would be penalised less than the objective says.
///
/// An entry is that of the rule and the number of the push that the weight last met. The first one stands for itself:
/// the table may be younger than the count. So does each where pushes are not numbered.
///
/// @param push the number of the push in hand, from 1; 0 if nobody knows
public record Overdue(PerPush rule, long push) implements UpdateRule {

    /// The rule itself if it has no penalty.
    public static UpdateRule of(PerPush rule) {
        Separable penalty = rule.penalty();
        return penalty.l1() == 0 && penalty.l2() == 0 ? rule : new Overdue(rule, 0);
    }

    @Override
    public int columns() {
        return rule.columns() + 1;
    }

    @Override
    public boolean ages() {
        return true;
    }

    @Override
    public Overdue aged(Age age) {
        return new Overdue(rule.aged(age), age.isKnown() ? age.met() + 1 : 0);
    }

    @Override
    public void update(float[] e, int at, float g) {
        rule.update(e, at, g, times(e, at + rule.columns(), push));
    }

    /// How many times the penalty of a push is due at this one, where `e[last]` is the number of the last that met it:
    /// now this one.
    static float times(float[] e, int last, long push) {
        if (push == 0) {
            return 1;
        }
        float times = e[last] == 0 ? 1 : Math.max(0, push - e[last]);
        e[last] = Math.max(push, e[last]);
        return times;
    }

    @Override
    public void update(double[] e, int at, double g) {
        int last = at + rule.columns();
        if (push == 0) {
            rule.update(e, at, g);
            return;
        }
        rule.update(e, at, g, e[last] == 0 ? 1 : Math.max(0, push - e[last]));
        e[last] = Math.max(push, e[last]);
    }

    @Override
    public void start(float[] e, int at, float weight) {
        rule.start(e, at, weight);
    }
}
