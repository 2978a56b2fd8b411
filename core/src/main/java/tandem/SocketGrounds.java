package tandem;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import tandem.cluster.Ground;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.link.Shape;
import tandem.runtime.Sockets;
import tandem.wire.Address;

/// A ground with a socket of its own for each node, all in this process.
final class SocketGrounds implements Cluster.Placing {

    private final Where.Transport transport;
    private final Path directory;
    private final Map<Address, Sockets> grounds = new TreeMap<>();

    SocketGrounds(Where.Transport transport) throws IOException {
        this.transport = transport;
        directory = Files.createTempDirectory("tandem-");
    }

    @Override
    public Ground ground(Address node) throws IOException {
        return sockets(node);
    }

    @Override
    public String place(Address node) throws IOException {
        return sockets(node).place().toString();
    }

    /// The coordinator comes first, since everyone else is told its place.
    private Sockets sockets(Address node) throws IOException {
        Sockets known = grounds.get(node);
        if (known == null) {
            Sockets home = grounds.get(Address.COORDINATOR);
            known = new Sockets(listening(node), home == null ? null : home.place(), LinkLimits.DEFAULT, Shape.NONE);
            grounds.put(node, known);
        }
        return known;
    }

    private Place listening(Address node) {
        return switch (transport) {
            case TCP -> Place.loopback();
            case UNIX -> new Place.Unix(directory.resolve(node.role() + "-" + node.number()));
        };
    }

    /// What fails on one ground fails the run. When the coordinator is done all others have been sent home.
    @Override
    public void run(Ground.Body coordinator) {
        Sockets home = grounds.get(Address.COORDINATOR);
        AtomicBoolean running = new AtomicBoolean(true);
        List<Thread> threads = new ArrayList<>();
        grounds.forEach((node, ground) -> {
            if (ground != home) {
                threads.add(Thread.ofPlatform()
                        .name("tandem-ground of " + node)
                        .daemon()
                        .start(() -> {
                            try {
                                ground.run();
                            } catch (RuntimeException | Error e) {
                                if (running.getAndSet(false)) {
                                    home.fail(e);
                                }
                            }
                        }));
            }
        });
        try {
            home.run(coordinator);
        } finally {
            running.set(false);
            threads.forEach(Thread::interrupt);
        }
    }

    @Override
    public void close() {
        grounds.values().forEach(Sockets::close);
        try {
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
