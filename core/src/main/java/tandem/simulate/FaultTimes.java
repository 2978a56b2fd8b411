package tandem.simulate;

/// The patience of the nodes in a run with faults, by their own clocks: hundredths of what is usual, so that much
/// happens in little time.
///
/// @param resendNanos    how long an answer is waited for
/// @param heartbeatNanos how often a node says that it is there
/// @param lostNanos      how long a server may be silent until it counts as lost
/// @param leaseNanos     how long a server may answer reads without a word from the coordinator
record FaultTimes(long resendNanos, long heartbeatNanos, long lostNanos, long leaseNanos) {

    static final FaultTimes SHORT = new FaultTimes(8_000_000, 6_000_000, 40_000_000, 30_000_000);
}
