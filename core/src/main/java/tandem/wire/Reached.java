package tandem.wire;

/// How far streams had come when a run begins that goes on with an earlier one.
///
/// @param sequences by stream, the number of its last update; empty where all begin anew
/// @param clocks    by stream, the clock reached with that
public record Reached(long[] sequences, long[] clocks) {

    public static final Reached NOTHING = new Reached(new long[0], new long[0]);

    public Reached {
        if (sequences.length != clocks.length) {
            throw new IllegalArgumentException(
                    sequences.length + " streams with numbers and " + clocks.length + " with clocks");
        }
    }

    /// Whether all streams begin anew.
    public boolean anew() {
        return sequences.length == 0;
    }

    public long sequence(int stream) {
        return anew() ? 0 : sequences[stream];
    }

    public long clock(int stream) {
        return anew() ? 0 : clocks[stream];
    }
}
