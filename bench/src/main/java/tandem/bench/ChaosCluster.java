package tandem.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import tandem.client.Station;
import tandem.cluster.Cast;
import tandem.cluster.Coordinator;
import tandem.filter.Filters;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.runtime.Crew;
import tandem.runtime.Keeper;
import tandem.runtime.Processes;
import tandem.runtime.Sockets;
import tandem.wire.Address;
import tandem.wire.TableSpec;

/// Servers and workers in processes of their own, each at an address of its own of this machine, with a bad network
/// between all of them. Who ends is replaced.
final class ChaosCluster implements AutoCloseable {

    static final long LOST_NANOS = 5_000_000_000L;

    private static final List<String> OPTIONS = List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /// Where the coordinator is, and where the doors of all nodes are.
    private static final String COORDINATOR = "127.0.0.1";

    private static final String DOORS = "127.0.0.2";

    private final Path directory;
    private final WallClock clock;
    private final BadNetwork network = new BadNetwork();
    private final Map<Address, Place.Tcp> places = new ConcurrentHashMap<>();
    private final Cast cast;
    private final Sockets ground;
    private final Coordinator coordinator;
    private final Place front;
    private final Crew crew;

    /// @param clock the time of day of the nodes; null for that of the machine
    ChaosCluster(Cast cast, Path directory, WallClock clock, Notes notes) throws IOException {
        this.cast = cast;
        this.directory = directory;
        this.clock = clock;
        ground = new Sockets(new Place.Tcp(COORDINATOR, 0), LinkLimits.DEFAULT);
        TableSpec counts = TableSpec.sparse("counts", 1).withDoubles().withShards(8 * cast.servers());
        coordinator = new Coordinator(cast, List.of(counts), new Filters(), ground.resendNanos());
        ground.add(Address.COORDINATOR, coordinator);
        front = network.open(Address.COORDINATOR, DOORS, (Place.Tcp) ground.place());
        Crew.Care care = new Crew.Care(true, Integer.MAX_VALUE, LOST_NANOS / 1_000_000);
        crew = new Crew(ground, coordinator, cast, new Processes(), this::child, care, notes::progress);
    }

    private Keeper.Child child(Address node, int life) throws IOException {
        Place.Tcp place = place(node, life);
        places.put(node, place);
        return new Keeper.Child(
                node.toString(),
                life,
                OPTIONS,
                clock == null ? Map.of() : clock.environment(),
                ChaosNode.class.getName(),
                List.of(
                        node.role().name(),
                        Integer.toString(node.number()),
                        place.toString(),
                        network.open(node, DOORS, place).toString(),
                        front.toString(),
                        Integer.toString(life),
                        Long.toString(LOST_NANOS * 8 / 10),
                        directory.toString()));
    }

    /// An address for each node, and a port for each of its lives.
    private static Place.Tcp place(Address node, int life) throws IOException {
        String host = "127.%d.%d.%d".formatted(1 + node.role().code(), node.number() / 250, 1 + node.number() % 250);
        try (ServerSocket free = new ServerSocket()) {
            free.bind(new InetSocketAddress(host, 0));
            return new Place.Tcp(host, free.getLocalPort());
        } catch (IOException e) {
            throw new IOException(node + " has no port, in its life " + life + ": " + e.getMessage(), e);
        }
    }

    /// Starts all nodes and has `havoc` run as the coordinator's loop.
    void run(Consumer<Station> havoc) {
        for (int server = 0; server < cast.servers(); server++) {
            crew.start(Address.server(server));
        }
        for (int worker = 0; worker < cast.workers(); worker++) {
            crew.start(Address.worker(worker));
        }
        ground.run(havoc::accept);
    }

    Cast cast() {
        return cast;
    }

    Coordinator coordinator() {
        return coordinator;
    }

    BadNetwork network() {
        return network;
    }

    /// Where nodes really listen, the dead ones too.
    List<Place.Tcp> places() {
        return List.copyOf(places.values());
    }

    /// The time of day of the nodes; null if it cannot be changed.
    WallClock clock() {
        return clock;
    }

    /// Has a process take memory until there is no more.
    void makeGreedy(long pid) throws IOException {
        Files.createFile(ChaosNode.greed(directory, pid));
    }

    @Override
    public void close() {
        crew.close();
        network.close();
        ground.close();
    }
}
