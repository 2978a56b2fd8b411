package tandem.cluster;

import java.util.List;
import java.util.TreeMap;
import java.util.function.Predicate;
import tandem.client.Ticket;
import tandem.wire.Address;

/// Those who are to go, once others have what they have.
final class Farewells {

    private final TreeMap<Address, Farewell> leaving = new TreeMap<>();

    /// A node that is to go: whether it has been told to, and a ticket that is done when it has gone.
    private static final class Farewell {
        final Ticket gone;
        boolean told;

        Farewell(Address node) {
            gone = new Ticket(() -> node);
        }
    }

    /// Has a node go; done when it has gone. Who is going already goes once.
    Ticket add(Address node) {
        return leaving.computeIfAbsent(node, Farewell::new).gone;
    }

    /// Whether a node is to go and has not gone yet.
    boolean has(Address node) {
        return leaving.containsKey(node);
    }

    /// Whether a node has been told to go, so that it holds nothing from now on.
    boolean isTold(Address node) {
        return has(node) && leaving.get(node).told;
    }

    /// Those who can be told to go, each once.
    ///
    /// @param isFree whether others have what a node had
    List<Address> due(Predicate<Address> isFree) {
        List<Address> due = leaving.keySet().stream()
                .filter(node -> !isTold(node) && isFree.test(node))
                .toList();
        due.forEach(node -> leaving.get(node).told = true);
        return due;
    }

    /// A node has gone, or is lost; a ticket to be completed for those who wait for that, or null if it was not to go.
    Ticket remove(Address node) {
        Farewell farewell = leaving.remove(node);
        return farewell == null ? null : farewell.gone;
    }

    /// Those who stay, of some nodes.
    List<Address> staying(List<Address> nodes) {
        return nodes.stream().filter(node -> !has(node)).toList();
    }

    /// Those of the servers that are to hold something: who stays, and where these are too few because others were lost
    /// since, also who is to go and has not been told yet.
    List<Address> holders(List<Address> servers, int least) {
        List<Address> staying = staying(servers);
        return staying.size() >= least
                ? staying
                : servers.stream().filter(server -> !isTold(server)).toList();
    }

    /// All of them, ascending.
    List<Address> all() {
        return List.copyOf(leaving.keySet());
    }
}
