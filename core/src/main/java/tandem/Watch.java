package tandem;

/// What a run tells while it goes on, and how it is asked to stop. Called by one thread at a time.
public interface Watch {

    /// Says nothing and never stops.
    Watch SILENT = new Watch() {};

    /// How far the work is: the share `done` from 0 to 1 (NaN where that cannot be known), the examples
    /// worked on and the loss so far (NaN where there is none yet). May come many times a second.
    default void progress(String stage, double done, long examples, double loss) {}

    /// Something that changed, worth a line.
    default void note(String line) {}

    /// Whether to stop as soon as the state is whole.
    default boolean stopping() {
        return false;
    }
}
