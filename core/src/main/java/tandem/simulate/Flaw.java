package tandem.simulate;

import tandem.cluster.Coordinator;
import tandem.server.Server;
import tandem.wire.Party;

/// Something wrong with the nodes of a run from the start, put there by a test to see that it is found: it stands
/// between a node and the network, and changes what the node hears or says.
interface Flaw {

    Flaw NONE = new Flaw() {};

    default Party of(int number, Server server) {
        return server;
    }

    default Party of(Coordinator coordinator) {
        return coordinator;
    }
}
