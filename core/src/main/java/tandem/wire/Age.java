package tandem.wire;

/// How old what an update was computed from is, in updates of all streams.
///
/// @param read how many had been applied when the rows were read that it was computed from; −1 if nobody knows
/// @param met  how many when it was applied itself, as the first server says that it comes to; 0 before that
public record Age(long read, long met) {

    public static final Age UNKNOWN = new Age(-1, 0);

    /// The age of an update that is still to be sent.
    public static Age of(long read) {
        return read < 0 ? UNKNOWN : new Age(read, 0);
    }

    public boolean isKnown() {
        return read >= 0;
    }

    /// The same once a server applies it that has applied so many.
    public Age met(long updates) {
        return isKnown() ? new Age(read, updates) : this;
    }

    /// How many updates came in between.
    public long delay() {
        return isKnown() ? Math.max(0, met - read) : 0;
    }
}
