package tandem;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tandem.link.Place;
import tandem.link.Secret;
import tandem.link.Trust;
import tandem.math.Hash;
import tandem.runtime.Supervised;
import tandem.simulate.Machines;
import tandem.simulate.Network;
import tandem.wire.Address;

/// Where the nodes of a distributed run are.
public sealed interface Where {

    /// The most workers, and the most servers, that make sense there.
    default int mostNodes() {
        return switch (this) {
            case Embedded _ -> 1000;
            case Processes _ -> 200;
            case Hosted _ -> 10_000;
            case Simulated _ -> 1 << 16;
        };
    }

    /// In this process, where messages are references.
    record Embedded() implements Where {}

    /// Each in a process of its own, on this machine; more can join from others.
    ///
    /// @param job    the name that others find the run under while it goes on; null for none
    /// @param listen where the coordinator is to be reached, and all nodes at that host; null for nowhere else
    /// @param trust  what all nodes know each other by; null for nothing
    /// @param above  who keeps the processes, and has another coordinator go on when this one dies; null if this
    ///               process keeps them, and they end with it
    record Processes(Transport transport, String job, Place.Tcp listen, Trust trust, Supervised above)
            implements Where {

        public Processes {
            if (job != null) {
                JobDirectory.checkName(job);
            }
            if (listen != null && transport != Transport.TCP) {
                throw new IllegalArgumentException(
                        "--listen is " + listen.host() + ":" + listen.port() + ", which is for --transport tcp");
            }
            if (listen != null) {
                listen.checkReachable();
            }
        }

        public Processes(Transport transport) {
            this(transport, null);
        }

        public Processes(Transport transport, String job) {
            this(transport, job, null, null);
        }

        /// One whose nodes this process keeps.
        public Processes(Transport transport, String job, Place.Tcp listen, Trust trust) {
            this(transport, job, listen, trust, null);
        }

        public Processes withSecret(Secret shared) {
            return new Processes(transport, job, listen, Trust.of(shared), above);
        }
    }

    /// On machines that somebody else provides, with the examples of each worker.
    record Hosted(Hosts hosts) implements Where {}

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
    /// @param kills         which nodes are killed on the way; a worker is started again, each once at most
    /// @param noise         by what share a task may take longer or shorter, drawn for each task
    /// @param paired        whether server 0 is on the machine of worker 0, and so on
    record Simulated(
            Network network,
            double nanosPerEntry,
            double stragglers,
            double slowdown,
            List<Kill> kills,
            double noise,
            boolean paired)
            implements Where {

        public static final Simulated DEFAULT = new Simulated(Network.DEFAULT, 25, 0, 1);

        /// A node that is killed so long after the start.
        public record Kill(Address node, Duration after) {}

        public Simulated(Network network, double nanosPerEntry, double stragglers, double slowdown) {
            this(network, nanosPerEntry, stragglers, slowdown, List.of(), 0, false);
        }

        public Simulated withKills(Kill... some) {
            return new Simulated(network, nanosPerEntry, stragglers, slowdown, List.of(some), noise, paired);
        }

        public Simulated {
            if (!(nanosPerEntry >= 0)) {
                throw new IllegalArgumentException(nanosPerEntry + " ns to compute an entry; use 0 or more");
            }
            if (!(stragglers >= 0 && stragglers <= 1) || !(slowdown >= 1)) {
                throw new IllegalArgumentException("a share of " + stragglers + " of the workers " + slowdown
                        + " times slower; use a share from 0 to 1 and a factor of 1 or more, such as 0.05:3");
            }
            if (!(noise >= 0 && noise < 1)) {
                throw new IllegalArgumentException("tasks that take " + noise
                        + " of their time longer or shorter; use a share from 0 to below 1, such as 0.3");
            }
        }

        public Simulated withNoise(double share) {
            return new Simulated(network, nanosPerEntry, stragglers, slowdown, kills, share, paired);
        }

        /// The same with a server on the machine of each worker, as far as there are as many.
        public Simulated withPairs() {
            return new Simulated(network, nanosPerEntry, stragglers, slowdown, kills, noise, true);
        }

        /// Which workers are slow, and which of a node's tasks, follows from the seed.
        Machines machines(long seed) {
            Map<Address, Long> tasks = new HashMap<>();
            Machines apart = (node, entries) -> {
                boolean slow = Hash.fraction(Hash.number(seed, node.number())) < stragglers;
                long task = tasks.merge(node, 1L, Long::sum);
                double chance = Hash.fraction(Hash.number(Hash.number(seed, node.number()), task));
                return Math.round(entries * nanosPerEntry * (slow ? slowdown : 1) * (1 + noise * (2 * chance - 1)));
            };
            return paired ? apart.paired() : apart;
        }
    }
}
