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
/// @param pushes  how many updates each stream has, of which there are as many as workers
public record FaultPlan(
        long seed, int servers, int workers, int seats, int copies, boolean encoded, int pushes, List<Fault> faults) {

    /// One in so many seeds has updates go through the chain part by part, and another has those of a clock go as one.
    private static final int WAYS = 4;

    private static final int IN_PARTS = 1;
    private static final int GATHERED = 2;

    private static final long MILLI = 1_000_000;

    private static final int SERVERS = 5;
    private static final int WORKERS = 4;

    /// One in so many seeds goes through bytes.
    private static final int ENCODED = 8;

    /// How many faults strike a run.
    private static final int MOST_FAULTS = 24;

    /// When the first may strike.
    private static final long WARM = 20 * MILLI;

    /// The time between two faults, at most, and the time that one lasts.
    private static final long APART = 60 * MILLI;

    private static final long LONG = 120 * MILLI;

    /// The plan of a seed: 5 servers, 4 workers, each seat on 3 servers, and a choice of kinds of faults.
    public static FaultPlan of(long seed) {
        SplittableRandom chance = new SplittableRandom(seed);
        // Few kinds or many: some mistakes show where one thing happens again and again, others where all do.
        int quarters = 1 + chance.nextInt(3);
        List<Fault.Kind> kinds = new ArrayList<>();
        for (Fault.Kind kind : Fault.Kind.values()) {
            if (chance.nextInt(4) < quarters) {
                kinds.add(kind);
            }
        }
        if (kinds.isEmpty()) {
            kinds.add(Fault.Kind.CRASH);
        }
        int count = 1 + chance.nextInt(MOST_FAULTS);
        List<Fault> faults = chance.nextInt(3) == 0 ? storms(count, kinds, chance) : showers(count, kinds, chance);
        boolean encoded = chance.nextInt(ENCODED) == 0;
        return new FaultPlan(seed, SERVERS, WORKERS, 1 + chance.nextInt(3), 3, encoded, 8 + 5 * count, faults);
    }

    /// Faults here and there.
    private static List<Fault> showers(int count, List<Fault.Kind> kinds, SplittableRandom chance) {
        List<Fault> faults = new ArrayList<>();
        long at = WARM;
        for (int f = 0; f < count; f++) {
            at += 1 + chance.nextLong(chance.nextInt(4) == 0 ? 2 * MILLI : APART);
            long length = 1 + chance.nextLong(chance.nextInt(3) == 0 ? LONG : LONG / 4);
            Fault.Kind kind = kinds.get(chance.nextInt(kinds.size()));
            faults.add(new Fault(kind, at, length, struck(kind, chance), any(chance)));
        }
        return List.copyOf(faults);
    }

    /// Faults that strike servers next to each other at about the same time, with time to recover in between.
    private static List<Fault> storms(int count, List<Fault.Kind> kinds, SplittableRandom chance) {
        List<Fault> faults = new ArrayList<>();
        long at = WARM;
        int server = 0;
        for (int f = 0; f < count; f++) {
            boolean another = chance.nextInt(4) == 0;
            at += 1 + chance.nextLong(another ? 3 * APART : 6 * MILLI);
            server = another ? chance.nextInt(SERVERS) : (server + 1 + chance.nextInt(2)) % SERVERS;
            long length = 1 + chance.nextLong(LONG);
            Fault.Kind kind = kinds.get(chance.nextInt(kinds.size()));
            Address node = struck(kind, chance);
            node = node.role() == Address.Role.SERVER ? Address.server(server) : node;
            faults.add(new Fault(kind, at, length, node, any(chance)));
        }
        return List.copyOf(faults);
    }

    private static Address struck(Fault.Kind kind, SplittableRandom chance) {
        return switch (kind) {
            case CRASH, JOIN, LEAVE -> chance.nextInt(4) == 0 ? worker(chance) : server(chance);
            case RESTART, OLD_RELEASE -> server(chance);
            case SUCCESSION -> worker(chance);
            case COORDINATOR, DISK, UNHEARD -> Address.COORDINATOR;
            case CLOCK -> chance.nextBoolean() ? worker(chance) : server(chance);
            default -> any(chance);
        };
    }

    private static Address server(SplittableRandom chance) {
        return Address.server(chance.nextInt(SERVERS));
    }

    private static Address worker(SplittableRandom chance) {
        return Address.worker(chance.nextInt(WORKERS));
    }

    private static Address any(SplittableRandom chance) {
        int which = chance.nextInt(SERVERS + WORKERS + 1);
        return which < SERVERS
                ? Address.server(which)
                : which < SERVERS + WORKERS ? Address.worker(which - SERVERS) : Address.COORDINATOR;
    }

    /// Whether parts of an update go to a chain ahead of the rest.
    boolean inParts() {
        return Long.remainderUnsigned(seed, WAYS) == IN_PARTS;
    }

    /// Whether updates go through a chain as one.
    boolean gathered() {
        return Long.remainderUnsigned(seed, WAYS) == GATHERED;
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
                + " servers each, " + pushes + " pushes a stream" + (encoded ? ", through bytes" : "")
                + faults.stream()
                        .map(fault -> "\n  at " + fault.atNanos() + " ns for " + fault.forNanos() + " ns: "
                                + fault.kind() + " " + fault.node()
                                + (fault.kind() == Fault.Kind.ONE_WAY ? " to " + fault.other() : "")
                                + (fault.kind() == Fault.Kind.PAIR ? " and " + fault.other() : ""))
                        .collect(Collectors.joining());
    }
}
