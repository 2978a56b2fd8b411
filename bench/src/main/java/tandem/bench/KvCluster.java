package tandem.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import tandem.client.Station;
import tandem.cluster.Cast;
import tandem.cluster.Conductor;
import tandem.cluster.Coordinator;
import tandem.cluster.Ground;
import tandem.filter.Filters;
import tandem.link.Place;
import tandem.runtime.Embedded;
import tandem.runtime.Keeper;
import tandem.runtime.Processes;
import tandem.runtime.Sockets;
import tandem.server.Server;
import tandem.wire.Address;
import tandem.wire.TableSpec;

/// Servers and workers for `bench kv`, which do as they are told. The coordinator is in this process, and in an
/// embedded cluster so is everyone else. Belongs to one thread.
final class KvCluster implements AutoCloseable {

    private static final long EVERY_NANOS = 1_000_000_000;
    private static final int SHARDS = 8;

    private final Ground ground;
    private final Processes children;

    /// The first process that has ended in the midst of it.
    private final AtomicReference<Keeper.Ended> lost;

    private final List<Long> serverPids = new ArrayList<>();
    private final List<Address> nodes = new ArrayList<>();
    private final Conductor conductor;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Map<String, String> bare = new TreeMap<>();

    /// Everything in this process.
    static KvCluster embedded() {
        Embedded ground = new Embedded();
        Coordinator coordinator = coordinator(ground, Cast.of(1, 1, 1), SHARDS, 1);
        KvNode.server(ground, 0, "", null, Server.Ways.usual(1));
        KvNode.worker(ground, 0, "");
        return new KvCluster(ground, null, new AtomicReference<>(), coordinator, 1, 1);
    }

    /// A process for each node.
    static KvCluster processes(KvNetwork network, int servers, int workers, Notes notes) throws IOException {
        return processes(network, Cast.of(servers, workers, workers), SHARDS * servers, servers, false, notes);
    }

    /// A process for each node, over TCP: servers that all hold everything, one after the other.
    ///
    /// @param gathers whether the updates of a clock pass through them as one
    static KvCluster chain(KvNetwork network, int servers, int workers, boolean gathers, Notes notes)
            throws IOException {
        Cast cast = Cast.of(servers, workers, workers).withSeats(1);
        Cast copies = servers == 1 ? cast : cast.withReplicas(servers - 1, KvNode.SILENCE_NANOS);
        return processes(network, copies, SHARDS, SHARDS, gathers, notes);
    }

    private static KvCluster processes(
            KvNetwork network, Cast cast, int sparseShards, int denseShards, boolean gathers, Notes notes)
            throws IOException {
        int servers = cast.servers();
        int workers = cast.workers();
        Sockets ground = network.open("coordinator", null);
        Coordinator coordinator = coordinator(ground, cast, sparseShards, denseShards);
        AtomicReference<Keeper.Ended> lost = new AtomicReference<>();
        Processes children = new Processes(notes::progress, ended -> {
            if (ended.code() == 0) {
                leave(ended.name(), coordinator, ground);
            } else {
                lost.compareAndSet(null, ended);
            }
        });
        for (int s = 0; s < servers; s++) {
            children.start(child("server", s, network, ground.place(), gathers));
        }
        for (int w = 0; w < workers; w++) {
            children.start(child("worker", w, network, ground.place(), false));
        }
        KvCluster cluster = new KvCluster(ground, children, lost, coordinator, servers, workers);
        for (int s = 0; s < servers; s++) {
            cluster.serverPids.add(Long.parseLong(cluster.ask(Address.server(s), "pid")));
        }
        return cluster;
    }

    /// Who has gone as it was told need not be heard to say so.
    private static void leave(String name, Coordinator coordinator, Sockets ground) {
        ground.turn(Address.COORDINATOR, (_, out) -> {
            Stream.concat(coordinator.serversThere().stream(), coordinator.workersThere().stream())
                    .filter(node -> node.toString().equals(name))
                    .forEach(node -> coordinator.left(node, out));
            return null;
        });
    }

    private static Keeper.Child child(String role, int number, KvNetwork network, Place coordinator, boolean gathers) {
        return new Keeper.Child(
                role + " " + number,
                1,
                List.of("-Xmx3g", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"),
                network.environment(),
                KvNode.class.getName(),
                List.of(
                        role,
                        String.valueOf(number),
                        network.kind(),
                        coordinator.toString(),
                        String.valueOf(network.bytesPerSecond()),
                        String.valueOf(gathers)));
    }

    private static Coordinator coordinator(Ground ground, Cast cast, int sparseShards, int denseShards) {
        List<TableSpec> tables = List.of(
                TableSpec.sparse("sparse", 1).withShards(sparseShards),
                TableSpec.dense("4 MiB", KvWork.FOUR_MIB_ROWS, 1).withShards(denseShards),
                TableSpec.dense("1 MiB", KvWork.ONE_MIB_ROWS, 1).withShards(denseShards));
        Coordinator coordinator =
                new Coordinator(cast, tables, new Filters(), Math.min(ground.resendNanos(), EVERY_NANOS));
        ground.add(Address.COORDINATOR, coordinator);
        return coordinator;
    }

    private KvCluster(
            Ground ground,
            Processes children,
            AtomicReference<Keeper.Ended> lost,
            Coordinator coordinator,
            int servers,
            int workers) {
        this.ground = ground;
        this.children = children;
        this.lost = lost;
        CompletableFuture<Station> station = new CompletableFuture<>();
        Thread.ofPlatform().name("bench-cluster").daemon().start(() -> {
            try {
                ground.run(here -> {
                    station.complete(here);
                    try {
                        over.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            } catch (RuntimeException | Error e) {
                station.completeExceptionally(e);
            }
        });
        conductor = new Conductor(coordinator, station.join(), KvNode.SILENCE_NANOS);
        conductor.awaitAll(EVERY_NANOS, this::check);
        for (int s = 0; s < servers; s++) {
            nodes.add(Address.server(s));
        }
        for (int w = 0; w < workers; w++) {
            nodes.add(Address.worker(w));
        }
    }

    /// Where the first server's process answers bare requests, over the same kind of socket.
    ///
    /// @param alert whether it looks for them instead of sleeping
    String bare(boolean alert) {
        return bare.computeIfAbsent(alert ? "alert" : "bare", kind -> ask(Address.server(0), kind));
    }

    /// What a node answers to an order.
    private String ask(Address node, String order) {
        return ask(List.of(node), order).getFirst();
    }

    private List<String> ask(List<Address> all, String order) {
        return conductor.order(all, order.getBytes(StandardCharsets.UTF_8), EVERY_NANOS, this::check).stream()
                .map(answer -> new String(answer, StandardCharsets.UTF_8))
                .toList();
    }

    private void check() {
        if (lost.get() != null) {
            throw new IllegalStateException(lost.get() + "; the benchmark cannot go on");
        }
    }

    /// Bytes that have come to a server.
    long receivedBytes(int server) {
        return Long.parseLong(ask(Address.server(server), "received"));
    }

    /// Has the first worker do something; CPU time is its own and that of the servers.
    KvTrial work(String order) {
        return work(1, order);
    }

    /// Has some workers do the same at the same time: what they did together, in the time of the slowest.
    KvTrial work(int workers, String order) {
        List<Address> to = nodes.stream()
                .filter(node -> node.role() == Address.Role.WORKER && node.number() < workers)
                .toList();
        double before = serverCpuSeconds();
        List<KvTrial> trials = ask(to, order).stream().map(KvTrial::decode).toList();
        double servers = serverCpuSeconds() - before;
        KvTrial first = trials.getFirst();
        return new KvTrial(
                trials.stream().mapToDouble(KvTrial::seconds).max().orElseThrow(),
                trials.stream().mapToDouble(KvTrial::cpuSeconds).sum() + servers,
                trials.stream().mapToLong(KvTrial::requests).sum(),
                trials.stream().mapToLong(KvTrial::keys).sum(),
                trials.stream().mapToLong(KvTrial::bytes).sum(),
                first.p50Seconds(),
                first.p99Seconds(),
                trials.stream().mapToLong(KvTrial::wireBytes).sum());
    }

    private double serverCpuSeconds() {
        return serverPids.stream().mapToLong(CpuClock::nanos).sum() / 1e9;
    }

    @Override
    public void close() {
        try {
            if (lost.get() == null) {
                conductor.dismiss(nodes, EVERY_NANOS);
            }
        } finally {
            over.countDown();
            if (children != null) {
                children.close();
            }
            switch (ground) {
                case Sockets sockets -> sockets.close();
                case Embedded embedded -> embedded.close();
                default -> {}
            }
        }
    }
}
