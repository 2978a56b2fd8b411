package tandem.simulate;

import java.util.stream.IntStream;
import tandem.client.Client;
import tandem.client.Session;
import tandem.server.Rules;
import tandem.server.Server;
import tandem.wire.Address;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.TableSpec;

/// Servers and workers of one epoch in simulated time, without a coordinator: shard `s` is at server `s` modulo their
/// number, and worker `w` holds stream `w`.
final class TinyCluster {

    private final Simulation simulation;
    private final int workers;
    private final Client[] clients;
    private int ended;

    /// What a worker does.
    interface Work {
        void run(int worker, Session session);
    }

    TinyCluster(long seed, Network network, int workers, int servers, Rules rules, TableSpec... tables) {
        this.workers = workers;
        simulation = new Simulation(seed, network, (_, entries) -> 1000 * entries);
        int[][] owners = new int[tables.length][];
        for (int t = 0; t < tables.length; t++) {
            owners[t] =
                    IntStream.range(0, tables[t].shards()).map(s -> s % servers).toArray();
        }
        Layout layout = new Layout(1, tables, owners, workers);
        for (int s = 0; s < servers; s++) {
            Server server = new Server(s, rules, 0);
            server.receive(
                    Address.COORDINATOR,
                    new Message.Placed(layout, new String[servers], new Lease[0]),
                    0,
                    simulation.add(Address.server(s), server));
        }
        clients = new Client[workers];
        for (int w = 0; w < workers; w++) {
            clients[w] = new Client(2_000_000);
            Lease[] leases = {new Lease(w, 1, false)};
            clients[w].receive(
                    Address.COORDINATOR,
                    new Message.Placed(layout, new String[servers], leases),
                    0,
                    simulation.add(Address.worker(w), clients[w]));
        }
    }

    /// A network that is worse for some seeds than for others.
    static Network lossy(long seed) {
        return Network.DEFAULT.withFaults(0.02 * (seed % 6), 0.02 * (seed % 5), 300_000 * (seed % 3));
    }

    void run(Work work) {
        for (int w = 0; w < workers; w++) {
            int worker = w;
            Address self = Address.worker(w);
            simulation.loop(
                    self, station -> work.run(worker, new Session(self, clients[worker], station, 30_000_000_000L)));
        }
        simulation.run();
    }

    /// Ends the stream of a worker; true for the last one that ends.
    boolean over(Session session, int worker) {
        session.end(worker);
        return ++ended == workers;
    }
}
