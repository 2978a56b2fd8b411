package tandem.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tandem.wire.Address;
import tandem.wire.Message;

/// Who takes part: in which life each of them is and where it can be reached, when it was last heard and what it said,
/// and whether it knows the layout; and servers that were lost and may come back, with nothing of what they had.
final class Roster {

    private final TreeMap<Address, Entry> members = new TreeMap<>();
    private final TreeMap<Address, Entry> lost = new TreeMap<>();

    /// The lives in which nodes have left: what was said in them may come late.
    private final TreeMap<Address, Decided.Life> gone = new TreeMap<>();

    /// What workers said of their work, in each of their lives, those that are over too.
    private final Map<Heard.Whose, Heard> work = new LinkedHashMap<>();

    /// Those who know the layout.
    private final TreeSet<Address> ready = new TreeSet<>();

    static final class Entry {
        final Decided.Life life;
        long heardNanos;
        Message.Heartbeat latest = new Message.Heartbeat(0, 0, 0);

        Entry(Decided.Life life) {
            this.life = life;
        }
    }

    /// Takes over from another coordinator, who may have known better when each was heard.
    void restore(Decided before) {
        before.members().forEach(life -> members.put(life.node(), new Entry(life)));
        before.lost().forEach(life -> lost.put(life.node(), new Entry(life)));
        before.gone().forEach(life -> gone.put(life.node(), life));
    }

    /// Those who have not been heard since [#restore] get as much time from now on as if they had been.
    void await(long nowNanos) {
        for (Map<Address, Entry> all : List.of(members, lost)) {
            all.values().stream().filter(entry -> entry.heardNanos == 0).forEach(entry -> entry.heardNanos = nowNanos);
        }
    }

    /// Notes that a member was heard.
    void heard(Address node, long nowNanos) {
        Entry entry = members.get(node);
        if (entry != null) {
            entry.heardNanos = nowNanos;
        }
    }

    void heard(Address node, Message.Heartbeat heartbeat) {
        Entry entry = members.get(node);
        if (entry != null) {
            entry.latest = heartbeat;
            if (node.role() == Address.Role.WORKER) {
                Heard.Whose whose = new Heard.Whose(node, entry.life.incarnation());
                work.put(whose, new Heard(whose, heartbeat.examples(), heartbeat.loss()));
            }
        }
    }

    /// When a member was last heard; 0 for never.
    long heardNanos(Address node) {
        Entry entry = members.get(node);
        return entry == null ? 0 : entry.heardNanos;
    }

    /// The life that a member is in; 0 for none.
    long incarnation(Address node) {
        Entry entry = members.get(node);
        return entry == null ? 0 : entry.life.incarnation();
    }

    boolean has(Address node) {
        return members.containsKey(node);
    }

    boolean isLost(Address node) {
        return lost.containsKey(node);
    }

    /// Takes in a node, or another life of it. One that was there before in this life keeps what it said.
    void join(Address node, Message.Join join, long nowNanos) {
        Decided.Life life = new Decided.Life(node, join.incarnation(), join.place(), join.pid());
        Entry before = members.get(node);
        Entry entry = new Entry(life);
        if (before != null) {
            entry.latest = before.latest;
        }
        entry.heardNanos = nowNanos;
        members.put(node, entry);
        lost.remove(node);
    }

    /// A server is lost; it may come back.
    void lose(Address server) {
        lost.put(server, members.remove(server));
        ready.remove(server);
    }

    /// Takes a server back that was lost and is heard again; whether there is one.
    boolean takeBack(Address server, long nowNanos) {
        Entry entry = lost.remove(server);
        if (entry != null) {
            entry.heardNanos = nowNanos;
            members.put(server, entry);
        }
        return entry != null;
    }

    /// A node has left, as it was told to, and does not come back in this life.
    void leave(Address node) {
        if (members.containsKey(node)) {
            gone.put(node, members.get(node).life);
        }
        remove(node);
    }

    /// Whether a node has left in this life, or in a later one.
    boolean isGone(Address node, long incarnation) {
        return gone.containsKey(node) && gone.get(node).incarnation() >= incarnation;
    }

    List<Decided.Life> gone() {
        return List.copyOf(gone.values());
    }

    /// A node does not come back.
    void remove(Address node) {
        members.remove(node);
        ready.remove(node);
    }

    /// Whether a node knows the layout.
    boolean isReady(Address node) {
        return ready.contains(node);
    }

    /// Notes that a member knows the layout; whether that is news.
    boolean addReady(Address node) {
        return ready.add(node);
    }

    void notReady(Address node) {
        ready.remove(node);
    }

    /// There is another layout.
    void noneReady() {
        ready.clear();
    }

    boolean areServersReady() {
        return ready.containsAll(servers());
    }

    boolean areReady() {
        return ready.containsAll(members.keySet());
    }

    /// All members, ascending.
    Set<Address> all() {
        return members.keySet();
    }

    List<Address> servers() {
        return of(Address.Role.SERVER);
    }

    List<Address> workers() {
        return of(Address.Role.WORKER);
    }

    private List<Address> of(Address.Role role) {
        return members.keySet().stream().filter(node -> node.role() == role).toList();
    }

    /// By number, where each server can be reached; null where there is none.
    String[] serverPlaces() {
        List<Address> servers = servers();
        String[] places = new String[servers.isEmpty() ? 0 : servers.getLast().number() + 1];
        servers.forEach(
                server -> places[server.number()] = members.get(server).life.place());
        return places;
    }

    /// Where the workers can be reached, ascending.
    String[] workerPlaces() {
        return workers().stream()
                .map(worker -> members.get(worker).life.place())
                .toArray(String[]::new);
    }

    List<Heard> heard() {
        return List.copyOf(work.values());
    }

    Map<Address, Entry> members() {
        return members;
    }

    Map<Address, Entry> lost() {
        return lost;
    }

    /// What is to be kept of members, and of those lost.
    static List<Decided.Life> lives(Map<Address, Entry> nodes) {
        return nodes.values().stream().map(entry -> entry.life).toList();
    }
}
