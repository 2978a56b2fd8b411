package tandem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import tandem.client.Ticket;
import tandem.cluster.Steward;
import tandem.report.Json;
import tandem.runtime.Keeper;
import tandem.runtime.Sockets;
import tandem.wire.Address;

/// Keeps nodes on [Hosts]: a worker is on the host of its number, where its examples are, and a server on the one that
/// has fewest. What is started waits until its host asks; when a host dies, all nodes on it have ended.
///
/// Everything but starting is done by a thread of its own, so that whoever tells of a death need not wait for the
/// coordinator.
final class HostKeeper implements Keeper, Hosts.News {

    /// As if by signal 9.
    private static final int KILLED = 137;

    private final Hosts hosts;
    private final NodeProcess.Work work;
    private final Sockets ground;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("tandem-hosts").daemon().factory());
    private final Berths berths;
    private Listener listener;

    HostKeeper(Hosts hosts, int count, NodeProcess.Work work, Sockets ground) {
        this.hosts = hosts;
        this.work = work;
        this.ground = ground;
        berths = new Berths(count);
    }

    /// The hosts, and who is on each. Guarded by itself.
    private static final class Berths {
        final List<Berthed> all = new ArrayList<>();
        final Map<String, Integer> hostOf = new HashMap<>();

        Berths(int count) {
            for (int h = 0; h < count; h++) {
                all.add(new Berthed());
            }
        }
    }

    /// One host.
    private static final class Berthed {

        /// Which one of those that have had its number it is, and whether it is there.
        int life;

        boolean present;

        /// Nodes that it has been told of, by name, and those that it has not.
        final Map<String, Berth.Node> told = new TreeMap<>();

        final Map<String, Berth.Node> waiting = new TreeMap<>();

        /// Its question, while it waits for an answer; null if it does not.
        Asked asked;

        int servers() {
            return (int) Stream.concat(told.values().stream(), waiting.values().stream())
                    .filter(node -> node.role() == Address.Role.SERVER)
                    .count();
        }
    }

    /// A question of a host.
    private static final class Asked {
        final Ticket done = new Ticket(() -> null);
        String answer;
    }

    static Child child(Address node, int life) {
        return new Child(node.toString(), life, List.of(), Map.of(), "", List.of());
    }

    @Override
    public List<Child> known() {
        return List.of();
    }

    @Override
    public void attend(Listener other) {
        listener = other;
    }

    @Override
    public void start(Child child) {
        Address node = Address.of(child.name());
        synchronized (berths) {
            int host = node.role() == Address.Role.WORKER ? node.number() : emptiest();
            berths.hostOf.put(child.name(), host);
            berths.all.get(host).waiting.put(child.name(), new Berth.Node(node.role(), node.number(), child.life()));
        }
        thread.execute(this::answer);
    }

    private int emptiest() {
        int best = 0;
        for (int h = 1; h < berths.all.size(); h++) {
            if (berths.all.get(h).servers() < berths.all.get(best).servers()) {
                best = h;
            }
        }
        return best;
    }

    /// Whether a host of this number is missing. Who provides hosts may start one although another is there, which has
    /// the same to do.
    boolean isMissing(int host) {
        synchronized (berths) {
            return !berths.all.get(host).present;
        }
    }

    /// A host asks what to host. In a turn of the coordinator.
    ///
    /// @param life which one of those that have had this number
    Steward.Outcome asked(int host, int life) {
        Asked asked = new Asked();
        synchronized (berths) {
            Berthed berth = berths.all.get(host);
            if (berth.present && life != berth.life) {
                throw new IllegalArgumentException("another host " + host + " is there");
            }
            berth.life = life;
            berth.present = true;
            berth.asked = asked;
        }
        thread.execute(this::answer);
        return new Steward.Outcome(asked.done, () -> asked.answer);
    }

    /// Answers hosts for which something waits.
    private void answer() {
        List<Asked> answered = new ArrayList<>();
        synchronized (berths) {
            for (Berthed berth : berths.all) {
                if (berth.asked != null && !berth.waiting.isEmpty()) {
                    berth.asked.answer = new String(
                            Json.bytes(new Berth.Lodging(List.copyOf(berth.waiting.values()), work)),
                            StandardCharsets.UTF_8);
                    answered.add(berth.asked);
                    berth.told.putAll(berth.waiting);
                    berth.waiting.clear();
                    berth.asked = null;
                }
            }
        }
        for (Asked one : answered) {
            ground.turn(Address.COORDINATOR, (_, _) -> {
                one.done.complete();
                return null;
            });
        }
    }

    @Override
    public void died(int host, int life, String why) {
        String how = "was lost with its host" + (why.isEmpty() ? "" : ", " + why + ",");
        thread.execute(() -> lost(host, life, how));
    }

    /// All nodes on a host have ended, servers first, so that others are known to have what they had.
    ///
    /// @param how what became of each
    private void lost(int host, int life, String how) {
        List<String> ended = new ArrayList<>();
        synchronized (berths) {
            Berthed berth = berths.all.get(host);
            if (!berth.present || life != berth.life) {
                return; // it never came, or is known to have died
            }
            berth.present = false;
            berth.asked = null;
            ended.addAll(berth.told.keySet());
            berth.told.clear();
        }
        for (String name : ended) {
            listener.ended(new Ended(name, KILLED, how));
        }
    }

    /// A server was sent home before all were.
    void gone(String name) {
        synchronized (berths) {
            Integer host = berths.hostOf.remove(name);
            if (host == null || berths.all.get(host).told.remove(name) == null) {
                return;
            }
        }
        thread.execute(() -> listener.ended(new Ended(name, 0)));
    }

    @Override
    public void failed(String why) {
        ground.fail(new UncheckedIOException(new IOException(why)));
    }

    /// Ends the host of a node, and all others there. It is not waited for: whoever is silent may stay so.
    @Override
    public void end(String name) {
        synchronized (berths) {
            Integer host = berths.hostOf.get(name);
            if (host != null) {
                int life = berths.all.get(host).life;
                thread.execute(() -> {
                    hosts.end(host);
                    lost(host, life, "was given up with its host, where " + name + " was silent");
                });
            }
        }
    }

    @Override
    public void settle(String name, int life) {}

    @Override
    public void close() {
        hosts.close();
        thread.shutdownNow();
    }
}
