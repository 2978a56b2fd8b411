package tandem.cluster;

import tandem.client.Station;
import tandem.wire.Address;
import tandem.wire.Outbox;
import tandem.wire.Party;

/// Where nodes run: threads of one process, processes of their own, or simulated time.
public interface Ground {

    /// Adds a node and starts it; it hears what is sent to `address` from now on. What is given back is the node's
    /// outbox: whoever speaks for it may use it until [#run], unless others speak to it already.
    Outbox add(Address address, Party party);

    /// Adds the blocking loop of a node that has been added.
    void loop(Address address, Body body);

    /// Starts the loops, runs that of the coordinator, and returns when it has returned. What a loop throws that is
    /// nobody's to catch is thrown here.
    void run(Body coordinator);

    /// How long to wait for an answer before asking again, in its time. Never, where no message is lost.
    long resendNanos();

    /// What a node has sent and received; where several share a process, what they have together.
    Traffic traffic(Address node);

    /// What a node's loop does at its station.
    @FunctionalInterface
    interface Body {
        void run(Station station);
    }
}
