package tandem;

import java.util.List;
import tandem.report.LearningCurve;
import tandem.wire.Address;

/// How far training on servers and workers has come, as its coordinator writes it down before every pass: what another
/// needs to go on from there. How much of the pass is done, servers know.
///
/// @param first     passes that came before this run, where it goes on from a checkpoint
/// @param place     the pass that comes next, or is under way
/// @param saved     the problems that are done
/// @param best      how the problem in hand did best so far
/// @param reports   what workers told last, each in each of its lives
/// @param curve     the points so far
/// @param seconds   since training began
/// @param stopped   why it ended early; null if it did not
/// @param memory    what servers held at the end; null while training goes on. Once it is there, nodes may have gone
record Milestone(
        long first,
        Manifest.Place place,
        List<SavedProblem> saved,
        Manifest.Best best,
        List<Told> reports,
        List<LearningCurve.Point> curve,
        double seconds,
        String stopped,
        ServerMemory memory) {

    /// What a worker told.
    record Told(Address worker, WorkerReport report) {}

    /// Whether all is done but to put the model in its place.
    boolean over() {
        return memory != null;
    }
}
