package tandem.simulate;

import tandem.wire.Address;

/// How fast simulated nodes compute, and which of them are on one machine.
@FunctionalInterface
public interface Machines {

    /// How long a node takes to compute over so many entries.
    long nanos(Address node, long entries);

    /// The machine of a node, named by one that is on it: each is on its own unless somebody says otherwise.
    default Address machine(Address node) {
        return node;
    }

    /// The same where server 0 is on the machine of worker 0, and so on.
    default Machines paired() {
        Machines apart = this;
        return new Machines() {
            @Override
            public long nanos(Address node, long entries) {
                return apart.nanos(node, entries);
            }

            @Override
            public Address machine(Address node) {
                return node.role() == Address.Role.SERVER ? Address.worker(node.number()) : node;
            }
        };
    }

    /// All alike.
    static Machines even(double nanosPerEntry) {
        return (_, entries) -> Math.round(entries * nanosPerEntry);
    }
}
