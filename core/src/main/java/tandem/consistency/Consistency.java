package tandem.consistency;

/// How far a worker may run ahead: what each of its tasks must wait for before it reads.
///
/// A task is one batch (or block) of a stream: its read, its computation and its update. Tasks and updates
/// are counted from 1; a stream's *clock* is the number of tasks (or of groups of tasks) it has finished.
/// A model of one's own is one method.
@FunctionalInterface
public interface Consistency {

    /// What the read of a stream waits for that has finished `clock` clocks and sent `sent` updates.
    After after(long clock, long sent);

    /// How many clocks' reads may be under way ahead of the one being worked on: 1 when the next read need not
    /// see the update before it, so that it can travel while the worker computes.
    default int ahead() {
        return 0;
    }

    /// Whether a clock is a whole pass over the data rather than one task. Then a pass is over once those have
    /// finished it that the reads of the next pass wait for.
    default boolean byPass() {
        return false;
    }

    /// Whether servers send rows that changed to those who keep them, as soon as everyone has moved on.
    default boolean isEager() {
        return false;
    }

    /// Every task waits for all the tasks before it, everyone's: a read at clock c sees all updates of clocks
    /// below c. Also known as bulk-synchronous.
    static Consistency bsp() {
        return ssp(0);
    }

    /// Stale synchronous parallel (Ho et al. 2013): a read at clock c sees everyone's updates of clocks below
    /// c − `staleness`, and all one's own.
    static Consistency ssp(int staleness) {
        check("staleness", staleness);
        return (clock, sent) -> new After(sent, clock - staleness);
    }

    /// Eager stale synchronous parallel (Dai et al. 2015): the bound of [#ssp], but rows that a worker keeps are
    /// refreshed by the servers when the slowest clock moves, not by the worker when they have become too old.
    static Consistency essp(int staleness) {
        Consistency bound = ssp(staleness);
        return new Consistency() {
            @Override
            public After after(long clock, long sent) {
                return bound.after(clock, sent);
            }

            @Override
            public boolean isEager() {
                return true;
            }
        };
    }

    /// Bounded delay (Li et al. 2014): task t starts once all tasks up to t − `delay` − 1 are finished, one's own
    /// among them; a delay of 0 is bulk-synchronous.
    static Consistency bounded(int delay) {
        check("delay", delay);
        return new Consistency() {
            @Override
            public After after(long clock, long sent) {
                return new After(Math.max(0, sent - delay), clock - delay);
            }

            @Override
            public int ahead() {
                return Math.min(1, delay);
            }
        };
    }

    /// Waits for nobody; one's own updates may be under way too.
    static Consistency async() {
        return new Consistency() {
            @Override
            public After after(long clock, long sent) {
                return After.NOTHING;
            }

            @Override
            public int ahead() {
                return 1;
            }
        };
    }

    /// Epoch fraction (Chilimbi et al. 2014): a clock is a pass over the data, an epoch, and within it nobody
    /// waits. The next begins when a `share` of the workers has finished it; what the others have not come to
    /// is skipped.
    static Consistency fraction(double share) {
        return new Fraction(share);
    }

    /// A preset by its name: `bsp`, `ssp:S`, `essp:S`, `bounded:T`, `async` or `fraction:F`.
    static Consistency named(String name) {
        int colon = name.indexOf(':');
        return switch (colon < 0 ? name : name.substring(0, colon + 1)) {
            case "bsp" -> bsp();
            case "async" -> async();
            case "ssp:" -> ssp(bound(name, colon));
            case "essp:" -> essp(bound(name, colon));
            case "bounded:" -> bounded(bound(name, colon));
            case "fraction:" -> Fraction.named(name, colon);
            default ->
                throw new IllegalArgumentException("consistency is " + name
                        + "; use bsp, ssp:S, essp:S, bounded:T, async or fraction:F, such as ssp:3");
        };
    }

    private static int bound(String name, int colon) {
        try {
            return Integer.parseInt(name.substring(colon + 1));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "consistency is " + name + "; after the colon comes a whole number, such as ssp:3", e);
        }
    }

    private static void check(String name, int bound) {
        if (bound < 0) {
            throw new IllegalArgumentException(name + " is " + bound + "; use 0 or more");
        }
    }
}
