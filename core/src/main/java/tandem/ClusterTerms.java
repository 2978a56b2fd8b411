package tandem;

import java.util.List;
import java.util.stream.IntStream;
import tandem.cluster.Cast;
import tandem.filter.Filters;
import tandem.wire.Address;
import tandem.wire.Reached;
import tandem.wire.Upkeep;

/// What all nodes of a distributed run agree on, whatever they compute: how many there are and how they keep together.
///
/// @param streams      how many streams the data is cut into
/// @param shards       how many shards the weights of a problem are cut into
/// @param rhythm       how workers keep together
/// @param filters      what messages leave out or pack smaller, as on the command line
/// @param upkeep       which features get a weight, and how much memory there is for them
/// @param seed         what chance in filters follows from
/// @param silenceNanos how long a node that is waited for may be silent
/// @param copies       what servers hold besides the first copy of each weight
/// @param seatsEach    how many seats a server has in the beginning: more than 1 where servers may come and go
/// @param placed       whether a stream has examples of its own: chosen to have features in common, or there where its
///                     worker is, and nowhere else
/// @param homed        whether the features that a stream needs most have a range of keys to themselves, on the server
///                     beside its worker in the beginning
/// @param reached      how far streams came before, in a run that this one goes on with
record ClusterTerms(
        int servers,
        int workers,
        int streams,
        int shards,
        Rhythm rhythm,
        String filters,
        Upkeep upkeep,
        long seed,
        long silenceNanos,
        Copies copies,
        int seatsEach,
        boolean placed,
        boolean homed,
        Reached reached) {

    /// How long a node may be silent until the others go on without it.
    static final long LOST_NANOS = 5_000_000_000L;

    /// What part of that it may answer reads for without a word from the coordinator, and no longer, however its clock
    /// runs.
    private static final double LEASE = 0.8;

    /// The servers that there are in the beginning.
    List<Address> serverAddresses() {
        return IntStream.range(0, servers).mapToObj(Address::server).toList();
    }

    /// The same of workers.
    List<Address> workerAddresses() {
        return IntStream.range(0, workers).mapToObj(Address::worker).toList();
    }

    /// Who takes part. Where weights are held once, nobody is given up.
    Cast cast() {
        Cast plain = Cast.of(servers, workers, streams).withSeats(seatsEach * servers);
        plain = reached.anew() ? plain : plain.goingOn();
        plain = homed ? plain.withHomes() : plain;
        return copies.replicas() == 0 ? plain : plain.withReplicas(copies.replicas(), LOST_NANOS);
    }

    /// How long a server may answer reads without a word from the coordinator.
    long leaseNanos() {
        return copies.replicas() == 0 ? Long.MAX_VALUE : (long) (LEASE * LOST_NANOS);
    }

    /// Whether another worker can go on where one left off: the number of an update tells which batch it is of, unless
    /// changes are kept back or nobody has a fixed part of the data.
    boolean resumes() {
        return !rhythm.steal()
                && rhythm.pushBytesPerSecond() == 0
                && !rhythm.consistency().startsWith("fraction")
                && filterKinds().parse(filters).push().stream()
                        .noneMatch(name -> name.startsWith("skip") || name.startsWith("significant"));
    }

    /// The same for a run that goes on with another, which cut data and weights into as many pieces.
    ClusterTerms resumed(int manyShards, Reached before) {
        return new ClusterTerms(
                servers,
                workers,
                before.clocks().length,
                manyShards,
                rhythm,
                filters,
                upkeep,
                seed,
                silenceNanos,
                copies,
                seatsEach,
                placed,
                homed,
                before);
    }

    /// The same with a range of keys for each stream, which is cut no finer than it takes to give a piece to each seat
    /// beside it; or, where the bits of sums must not depend on the number of nodes, about as finely as without.
    ClusterTerms withHomes() {
        int each = rhythm.deterministic() ? Math.ceilDiv(shards, streams) : seatsEach * Math.ceilDiv(servers, workers);
        return new ClusterTerms(
                servers,
                workers,
                streams,
                each * streams,
                rhythm,
                filters,
                upkeep,
                seed,
                silenceNanos,
                copies,
                seatsEach,
                placed,
                true,
                reached);
    }

    /// The filters that there are.
    Filters filterKinds() {
        return new Filters(seed);
    }
}
