package tandem.cluster;

/// Who takes part, and how safe what they hold is.
///
/// @param servers   how many there must be before anything begins
/// @param workers   the same
/// @param streams   how many numbered streams the data is cut into, one or more for each worker
/// @param seats     how many sets of shards there are; where there are more than servers, some can move when servers
///                  come or go
/// @param replicas  how many servers hold a copy of each seat besides the first
/// @param lostNanos how long a server may be silent until it counts as lost
/// @param goesOn    whether streams go on where they were left in an earlier run, as servers know
/// @param homed     whether sparse tables have a range of keys for each stream, with the keys that it needs most
public record Cast(
        int servers, int workers, int streams, int seats, int replicas, long lostNanos, boolean goesOn, boolean homed) {

    public Cast {
        if (servers < 1 || workers < 1) {
            throw new IllegalArgumentException(
                    servers + " servers and " + workers + " workers; there must be 1 or more of each");
        }
        if (streams < workers) {
            throw new IllegalArgumentException(
                    streams + " streams for " + workers + " workers; each needs one, so use as many or more");
        }
        if (replicas < 0 || replicas >= servers) {
            throw new IllegalArgumentException(replicas + " replicas on " + servers
                    + " servers; each copy is on a server of its own, so use at most " + (servers - 1)
                    + " or start more servers");
        }
        if (seats < 1) {
            throw new IllegalArgumentException(seats + " seats; use 1 or more, best as many as servers or more");
        }
    }

    /// A seat for each server, held by it alone, and keys anywhere.
    public static Cast of(int servers, int workers, int streams) {
        return new Cast(servers, workers, streams, servers, 0, Long.MAX_VALUE, false, false);
    }

    /// The same with copies of each seat.
    public Cast withReplicas(int copies, long silenceNanos) {
        return new Cast(servers, workers, streams, seats, copies, silenceNanos, goesOn, homed);
    }

    /// The same where streams go on.
    public Cast goingOn() {
        return new Cast(servers, workers, streams, seats, replicas, lostNanos, true, homed);
    }

    /// The same with more seats than servers.
    public Cast withSeats(int count) {
        return new Cast(servers, workers, streams, count, replicas, lostNanos, goesOn, homed);
    }

    /// The same where keys are beside the workers that need them most, to begin with.
    public Cast withHomes() {
        return new Cast(servers, workers, streams, seats, replicas, lostNanos, goesOn, true);
    }
}
