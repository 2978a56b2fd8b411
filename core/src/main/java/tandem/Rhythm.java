package tandem;

import tandem.consistency.Consistency;
import tandem.consistency.Timetable;

/// How the workers of a distributed run keep together.
///
/// @param consistency        how far they may run apart: `bsp`, `ssp:S`, `essp:S`, `bounded:T`, `async` or
///                           `fraction:F`; a bound may change from pass to pass, as in `bounded:8..2`
/// @param steal              whether those that are through with their part of a pass take over, with `fraction:F`
/// @param batchesPerClock    batches of a worker that make a clock
/// @param pushBytesPerSecond what each may push before the end of a clock, the largest relative changes first; 0 for no
///                           limit
/// @param deterministic      whether the model has the same bits with any number of workers and servers, and
///                           whatever fails: updates of a clock are then applied together, stream by stream
public record Rhythm(
        String consistency, boolean steal, int batchesPerClock, double pushBytesPerSecond, boolean deterministic) {

    public static final Rhythm DEFAULT = new Rhythm("ssp:3", false, 1, 0, false);

    public Rhythm {
        if (deterministic && (batchesPerClock != 1 || pushBytesPerSecond != 0 || steal)) {
            throw new IllegalArgumentException("in a deterministic run a clock is a batch, each stream has a fixed part"
                    + " of the data and every change is sent at once; leave out --clock, --push-budget and --steal");
        }
        if (deterministic && !consistency.equals("bsp")) {
            throw new IllegalArgumentException("a deterministic run has all workers at the same clock; use it with the"
                    + " consistency bsp, not " + consistency);
        }
        Consistency.named(new Timetable(consistency).at(0, 1)); // refuses names that there are not
        if (batchesPerClock < 1) {
            throw new IllegalArgumentException("clocks of " + batchesPerClock + " batches; use 1 or more");
        }
        if (!(pushBytesPerSecond >= 0)) {
            throw new IllegalArgumentException(
                    "a budget of " + pushBytesPerSecond + " bytes a second; use more than 0, or 0 for none");
        }
    }

    public Rhythm withConsistency(String consistency) {
        return new Rhythm(consistency, steal, batchesPerClock, pushBytesPerSecond, deterministic);
    }

    /// The same with the same bits every time, which needs the consistency `bsp`.
    public Rhythm withDeterminism() {
        return new Rhythm(consistency, steal, batchesPerClock, pushBytesPerSecond, true);
    }

    public Rhythm withSteal(boolean steal) {
        return new Rhythm(consistency, steal, batchesPerClock, pushBytesPerSecond, deterministic);
    }

    public Rhythm withBatchesPerClock(int batchesPerClock) {
        return new Rhythm(consistency, steal, batchesPerClock, pushBytesPerSecond, deterministic);
    }

    public Rhythm withPushBytesPerSecond(double pushBytesPerSecond) {
        return new Rhythm(consistency, steal, batchesPerClock, pushBytesPerSecond, deterministic);
    }
}
