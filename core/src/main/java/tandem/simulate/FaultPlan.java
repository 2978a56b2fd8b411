package tandem.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import tandem.wire.Address;

/// What a simulated run with faults is made of: a cluster, and what goes wrong in it when. Follows from a seed, but for
/// what is left out or shortened to see what matters.
///
/// @param seed    decides everything that is left to chance, message by message
/// @param copies  how many servers hold each seat
/// @param encoded whether all messages go through bytes
/// @param pushes  how many updates each worker makes
public record FaultPlan(
        long seed, int servers, int workers, int seats, int copies, boolean encoded, int pushes, List<Fault> faults) {

    /// How long things go wrong at all, and what fraction of seeds go through bytes.
    private static final long MILLI = 1_000_000;

    private static final int ENCODED = 8;

    /// How many faults strike a run.
    private static final int MOST_FAULTS = 24;

    /// The time between two faults, at most.
    private static final long APART = 60 * MILLI;

    /// The plan of a seed: 5 servers, 4 workers, each seat on 3 servers, and a choice of kinds of faults.
    public static FaultPlan of(long seed) {
        SplittableRandom chance = new SplittableRandom(seed);
        List<Fault.Kind> kinds = new ArrayList<>();
        for (Fault.Kind kind : Fault.Kind.values()) {
            if (chance.nextInt(3) > 0) {
                kinds.add(kind);
            }
        }
        if (kinds.isEmpty()) {
            kinds.add(Fault.Kind.CRASH);
        }
        int servers = 5;
        int workers = 4;
        List<Fault> faults = new ArrayList<>();
        long at = 20 * MILLI;
        int count = 1 + chance.nextInt(MOST_FAULTS);
        for (int f = 0; f < count; f++) {
            at += 1 + chance.nextLong(chance.nextInt(4) == 0 ? 2 * MILLI : APART);
            faults.add(fault(kinds.get(chance.nextInt(kinds.size())), at, servers, workers, chance));
        }
        boolean encoded = chance.nextInt(ENCODED) == 0;
        int pushes = 40 + 12 * count;
        return new FaultPlan(seed, servers, workers, 1 + chance.nextInt(3), 3, encoded, pushes, List.copyOf(faults));
    }

    private static Fault fault(Fault.Kind kind, long at, int servers, int workers, SplittableRandom chance) {
        long length = 1 + (chance.nextInt(3) == 0 ? chance.nextLong(120 * MILLI) : chance.nextLong(30 * MILLI));
        Address server = Address.server(chance.nextInt(servers));
        return new Fault(
                kind,
                at,
                length,
                kind == Fault.Kind.CRASH ? server : any(servers, workers, chance),
                any(servers, workers, chance));
    }

    private static Address any(int servers, int workers, SplittableRandom chance) {
        int which = chance.nextInt(servers + workers + 1);
        return which < servers
                ? Address.server(which)
                : which < servers + workers ? Address.worker(which - servers) : Address.COORDINATOR;
    }

    /// When the last fault is over.
    public long endNanos() {
        return faults.stream()
                .mapToLong(fault -> fault.atNanos() + fault.forNanos())
                .max()
                .orElse(0);
    }

    /// The same with other faults.
    public FaultPlan with(List<Fault> others) {
        return new FaultPlan(seed, servers, workers, seats, copies, encoded, pushes, List.copyOf(others));
    }

    /// As a list that a person can read.
    @Override
    public String toString() {
        return "seed " + seed + ": " + servers + " servers, " + workers + " workers, " + seats + " seats on " + copies
                + " servers each, " + pushes + " pushes a worker" + (encoded ? ", through bytes" : "")
                + faults.stream()
                        .map(fault -> "\n  at " + fault.atNanos() + " ns for " + fault.forNanos() + " ns: "
                                + fault.kind() + " " + fault.node()
                                + (fault.kind() == Fault.Kind.ONE_WAY ? " to " + fault.other() : ""))
                        .collect(Collectors.joining());
    }
}
