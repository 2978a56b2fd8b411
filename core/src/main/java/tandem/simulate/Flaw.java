package tandem.simulate;

import tandem.cluster.Coordinator;
import tandem.cluster.Decided;
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

    /// The same for a run that begins, with nothing that it remembers of another.
    default Flaw begun() {
        return this;
    }

    /// What is kept once a coordinator has decided something and had kept something before.
    default Decided kept(Decided before, Decided decided) {
        return decided;
    }

    /// What another coordinator finds of what was kept.
    default Decided found(Decided kept) {
        return kept;
    }
}
