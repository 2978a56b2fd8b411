package tandem;

import tandem.math.Hash;
import tandem.simulate.Machines;
import tandem.simulate.Network;

/// Where the nodes of a distributed run are.
public sealed interface Where {

    /// The most workers, and the most servers, that make sense there.
    default int mostNodes() {
        return switch (this) {
            case Embedded _ -> 1000;
            case Processes _ -> 200;
            case Simulated _ -> 1 << 16;
        };
    }

    /// In this process, where messages are references.
    record Embedded() implements Where {}

    /// Each in a process of its own, on this machine.
    ///
    /// @param job the name that others find the run under while it goes on; null for none
    record Processes(Transport transport, String job) implements Where {

        public Processes {
            if (job != null) {
                JobDirectory.checkName(job);
            }
        }

        public Processes(Transport transport) {
            this(transport, null);
        }
    }

    /// What carries messages between processes.
    enum Transport {
        /// Sockets in the file system, the faster ones.
        UNIX,
        /// Ports of the loopback interface.
        TCP
    }

    /// In simulated time: real arithmetic on real data, with a modelled network and modelled machines.
    ///
    /// @param nanosPerEntry how long a worker computes over one entry of its data
    /// @param stragglers    the share of workers that are slower
    /// @param slowdown      how many times slower they are
    record Simulated(Network network, double nanosPerEntry, double stragglers, double slowdown) implements Where {

        public static final Simulated DEFAULT = new Simulated(Network.DEFAULT, 25, 0, 1);

        public Simulated {
            if (!(nanosPerEntry >= 0)) {
                throw new IllegalArgumentException(nanosPerEntry + " ns to compute an entry; use 0 or more");
            }
            if (!(stragglers >= 0 && stragglers <= 1) || !(slowdown >= 1)) {
                throw new IllegalArgumentException("a share of " + stragglers + " of the workers " + slowdown
                        + " times slower; use a share from 0 to 1 and a factor of 1 or more, such as 0.05:3");
            }
        }

        /// Which workers are slow follows from the seed.
        Machines machines(long seed) {
            return (node, entries) -> {
                boolean slow = Hash.fraction(Hash.number(seed, node.number())) < stragglers;
                return Math.round(entries * nanosPerEntry * (slow ? slowdown : 1));
            };
        }
    }
}
