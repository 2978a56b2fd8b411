package tandem.server;

/// Until when a server may answer reads of seats that others have copies of: a while from when it *sent* the last word
/// that the coordinator has answered. The coordinator waits longer than that before it has another server answer them,
/// so that nobody reads what is out of date from a server that was cut off.
final class ReadLease {

    private final long lengthNanos;
    private long untilNanos = Long.MIN_VALUE;

    /// @param lengthNanos [Long#MAX_VALUE] where servers are never taken for lost
    ReadLease(long lengthNanos) {
        this.lengthNanos = lengthNanos;
    }

    boolean isGood(long nowNanos) {
        return lengthNanos == Long.MAX_VALUE || nowNanos < untilNanos;
    }

    boolean isNeeded() {
        return lengthNanos != Long.MAX_VALUE;
    }

    void renew(long sentNanos) {
        untilNanos = Math.max(untilNanos, sentNanos + lengthNanos);
    }
}
