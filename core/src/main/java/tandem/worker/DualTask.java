package tandem.worker;

import tandem.problem.Loss;
import tandem.problem.Separable;

/// What workers learn together by dual coordinate ascent: the loss of `target` labels, positives counted
/// `positiveWeight` times.
///
/// @param table     the number of the table of pulls
/// @param slopes    that of the table of slopes, a row an example
/// @param batchRows how many examples a batch has at most
/// @param seed      what the order of examples follows from
public record DualTask(
        Loss loss,
        Target target,
        double positiveWeight,
        int table,
        int slopes,
        Separable penalty,
        boolean intercept,
        int batchRows,
        long seed) {}
