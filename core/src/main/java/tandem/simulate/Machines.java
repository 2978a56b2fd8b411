package tandem.simulate;

import tandem.wire.Address;

/// How fast simulated nodes compute.
@FunctionalInterface
public interface Machines {

    /// How long a node takes to compute over so many entries.
    long nanos(Address node, long entries);

    /// All alike.
    static Machines even(double nanosPerEntry) {
        return (_, entries) -> Math.round(entries * nanosPerEntry);
    }
}
