package tandem.consistency;

/// What must be finished before a task may read: an execute-after dependency, sent with the read and held
/// to where the values are.
///
/// @param own      updates of the reader's own stream that must have been applied (a sequence number)
/// @param everyone the clock that the other streams must have reached
/// @param share    how many of the streams must have reached it; 1 for all of them
public record After(long own, long everyone, double share) {

    /// Waits for nothing.
    public static final After NOTHING = new After(0, Long.MIN_VALUE, 1);

    public After {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException(
                    "a share of " + share + " of the streams; use a number above 0, up to 1");
        }
    }

    public After(long own, long everyone) {
        this(own, everyone, 1);
    }
}
