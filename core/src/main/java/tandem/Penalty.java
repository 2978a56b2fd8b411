package tandem;

import tandem.problem.GroupLasso;
import tandem.problem.Regulariser;
import tandem.problem.Separable;

/// What is added to the loss: a regulariser for any features, or one that needs to know which there are.
public sealed interface Penalty {

    /// The same for every set of features.
    record Plain(Regulariser regulariser) implements Penalty {}

    /// Group lasso over named sets of feature ids; a feature in none of them is a group of its own.
    record Grouped(double strength, Groups groups) implements Penalty {}

    /// That of a factorisation machine when none is given: L1 is in units of slopes, which are known with the data.
    record Usual(Separable separable) implements Penalty {

        Plain in(Unit unit) {
            return new Plain(separable.withL1(unit.penalty(separable.l1())));
        }
    }

    /// The regulariser of weights for `keys` (mixed).
    default Regulariser over(long[] keys) {
        return switch (this) {
            case Plain(Regulariser regulariser) -> regulariser;
            case Usual(Separable separable) -> separable;
            case Grouped(double strength, Groups groups) -> new GroupLasso(strength, groups.of(keys));
        };
    }

    default String describe() {
        return switch (this) {
            case Plain(Regulariser regulariser) -> regulariser.describe();
            case Usual(Separable separable) -> separable.describe();
            case Grouped(double strength, Groups groups) ->
                "group lasso " + strength + " over " + groups.count() + " groups";
        };
    }
}
