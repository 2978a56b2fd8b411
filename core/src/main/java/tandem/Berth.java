package tandem;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import tandem.data.Batches;
import tandem.data.PartFile;
import tandem.data.PartTerms;
import tandem.link.LinkLimits;
import tandem.link.Place;
import tandem.link.Shape;
import tandem.link.Trust;
import tandem.report.Json;
import tandem.runtime.Sockets;
import tandem.wire.Address;

/// A host among [Hosts]: a place in somebody else's process for the worker whose examples are here, and for servers. It
/// asks the coordinator what to be, again and again, because servers may be wanted later too.
public final class Berth {

    private static final System.Logger LOG = System.getLogger("tandem");

    /// What asks are called, with the life after it.
    static final String ASK = "berth ";

    /// What it is to ask whether a host is missing.
    static final String MISSING = "missing";

    /// What it is to say that a server has gone, with its name after it.
    static final String GONE = "gone ";

    private final int number;
    private final int life;
    private final Place.Tcp coordinator;
    private final Trust trust;
    private final Path part;
    private final PartTerms terms;
    private final Duration patience;
    private final BlockingQueue<News> news = new LinkedBlockingQueue<>();
    private final List<Sockets> grounds = new ArrayList<>();

    /// What is to be hosted.
    record Lodging(List<Node> nodes, NodeProcess.Work work) {}

    /// @param life which one of those that have been under this number
    record Node(Address.Role role, int number, int life) {

        Address address() {
            return new Address(role, number);
        }
    }

    /// @param number   which host this is: that of its worker and of its part of the data
    /// @param life     which one of those that have been under this number, from 1 on
    /// @param part     the file with its part of the examples
    /// @param patience how long the coordinator may be silent
    public Berth(
            int number, int life, Place.Tcp coordinator, Trust trust, Path part, PartTerms terms, Duration patience) {
        this.number = number;
        this.life = life;
        this.coordinator = coordinator;
        this.trust = trust;
        this.part = part;
        this.terms = terms;
        this.patience = patience;
    }

    /// Something that has happened here.
    private sealed interface News {

        /// There is more to host.
        record More(Lodging what) implements News {}

        /// A node is through; `why` is null if it was sent home.
        record Ended(Node node, Throwable why) implements News {}

        /// Nobody answers.
        record Unheard(IOException why) implements News {}
    }

    /// Whether no host of this number is there. If one is, another has nothing to do, and should end.
    public boolean isMissing() throws IOException {
        return Boolean.parseBoolean(JobControl.ask(coordinator, trust, patience, MISSING, number));
    }

    /// Hosts nodes until all of them, the worker among them, are sent home.
    public void run() throws IOException, InterruptedException {
        Thread asking = Thread.ofPlatform().name("tandem-berth").daemon().start(this::ask);
        int hosted = 0;
        boolean worked = false;
        try {
            while (!worked || hosted > 0) {
                switch (news.take()) {
                    case News.More(Lodging what) -> {
                        for (Node node : what.nodes) {
                            host(node, what.work);
                            hosted++;
                        }
                    }
                    case News.Ended(Node node, Throwable why)
                    when why == null -> {
                        hosted--;
                        worked |= node.role == Address.Role.WORKER;
                        if (!worked) {
                            Thread.ofPlatform().name("tandem-gone").daemon().start(() -> tellGone(node));
                        }
                    }
                    case News.Ended(Node node, Throwable why) ->
                        throw new IOException(node.address() + ": " + why.getMessage(), why);
                    case News.Unheard(IOException why) -> {
                        if (hosted == 0) {
                            throw why;
                        }
                    }
                }
            }
        } finally {
            asking.interrupt();
            grounds.forEach(Sockets::close);
        }
    }

    /// Says that a server was sent home while others go on.
    private void tellGone(Node node) {
        try {
            JobControl.ask(coordinator, trust, patience, GONE + node.address(), number);
        } catch (IOException | RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "the coordinator has not heard that " + node.address() + " is gone", e);
        }
    }

    private void host(Node node, NodeProcess.Work work) throws IOException {
        Sockets ground =
                new Sockets(Volunteer.towards(coordinator), coordinator, trust, LinkLimits.DEFAULT, Shape.NONE);
        grounds.add(ground);
        Thread.ofPlatform().name("tandem-" + node.address()).daemon().start(() -> {
            Throwable why = null;
            try {
                live(ground, node, work);
            } catch (IOException | RuntimeException | Error e) {
                why = e;
            }
            news.add(new News.Ended(node, why));
        });
    }

    private void live(Sockets ground, Node node, NodeProcess.Work work) throws IOException {
        String place = ground.place().toString();
        if (node.role == Address.Role.SERVER) {
            Volunteer.withDirectories(work);
            work.job().host(ground, node.address(), place, node.life);
            ground.run();
        } else {
            try (Batches data = PartFile.open(part, number, terms)) {
                work.job().host(ground, node.address(), place, data, node.life);
                ground.run();
            }
        }
    }

    /// Asks what to host, until it is interrupted.
    private void ask() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                String answer = JobControl.ask(coordinator, trust, patience, ASK + life, number);
                news.add(new News.More(Json.read(answer.getBytes(StandardCharsets.UTF_8), Lodging.class)));
            }
        } catch (IOException e) {
            news.add(new News.Unheard(e));
        } catch (RuntimeException e) {
            news.add(new News.Unheard(new IOException("the coordinator at " + coordinator + ": " + e.getMessage(), e)));
        }
    }
}
