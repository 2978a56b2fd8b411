package tandem;

import tandem.report.Moment;

/// What a run tells while it goes on, and how it is asked to stop. Called by one thread at a time.
public interface Watch {

    /// Says nothing and never stops.
    Watch SILENT = new Watch() {};

    /// How far the work is: the share `done` from 0 to 1 (NaN where that cannot be known), the examples
    /// worked on and the loss so far (NaN where there is none yet). May come many times a second.
    default void progress(String stage, double done, long examples, double loss) {}

    /// Something that changed, worth a line.
    default void note(String line) {}

    /// Whether [#reached] is to be called by online solvers too. It makes them go through the training data once more
    /// after every pass; the time that takes does not count as training.
    default boolean wantsObjective() {
        return false;
    }

    /// The training objective, where a solver knows it or it is wanted: before the first pass or iteration, and after
    /// each.
    default void reached(Moment now) {}

    /// How many bytes workers have sent and received, as far as they told: after each pass of an online solver.
    default void travelled(long sentBytes, long receivedBytes) {}

    /// All is learned, and what is left is to score and to write the model. Scoring stops if it is asked to; who ends
    /// the process before the model is there loses it.
    default void learned() {}

    /// Whether to stop as soon as the state is whole.
    default boolean stopping() {
        return false;
    }
}
