package tandem.runtime;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Above a run whose coordinator is a process of its own: keeps the processes that the coordinator wants, and when it
/// dies has another go on in its place, with the same nodes and what the first has written into its directory. A
/// coordinator that ends by itself has ended the run.
///
/// The coordinator is told by its environment whom to turn to, and is [Supervised].
public final class Supervisor implements AutoCloseable {

    /// Codes of processes that were asked to end, and did.
    private static final List<Integer> ASKED = List.of(130, 143);

    /// What it may take a coordinator to leave everything whole.
    private static final long GRACE_SECONDS = 15;

    private static final long WATCH_MILLIS = 100;

    /// How long one has to start: a busy machine takes its time.
    private static final long STARTING_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Path place;
    private final Care care;
    private final Consumer<String> notes;
    private final Processes processes = new Processes();
    private final ServerSocketChannel server;
    private volatile Process coordinator;
    private volatile int life;
    private volatile long heardNanos;
    private volatile boolean closing;

    /// @param mostLives     how many coordinators there may be, one after the other
    /// @param silenceMillis how long one may be silent until it is ended
    public record Care(int mostLives, long silenceMillis) {}

    /// What a coordinator wants: to have a child started, one ended or its end settled, all ended, or to be heard.
    record Wish(What what, Keeper.Child child, String name, int life) {

        enum What {
            START,
            END,
            SETTLE,
            CLOSE,
            BE_HEARD
        }
    }

    /// What a coordinator is told: which children it has, once in the beginning; what one said, that one ended, or that
    /// all are.
    ///
    /// @param life which coordinator of the run this is, from 1 on
    record News(int life, List<Keeper.Child> known, String said, Keeper.Ended ended, boolean closed) {

        static News said(String line) {
            return new News(0, null, line, null, false);
        }

        static News ended(Keeper.Ended one) {
            return new News(0, null, null, one, false);
        }
    }

    /// @param directory of the run, that its coordinators have one after the other
    /// @param notes     told what becomes of the coordinator, and what nodes say while there is none
    public Supervisor(Path directory, Care care, Consumer<String> notes) throws IOException {
        this.place = directory.resolve("supervisor");
        this.care = care;
        this.notes = notes;
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(place));
        Thread.ofPlatform().name("tandem-supervisor").daemon().start(this::serve);
    }

    /// Starts the coordinator, and another whenever one dies; returns with the code of the one that ended the run.
    public int run(ProcessBuilder command) throws IOException, InterruptedException {
        command.environment().put(Supervised.VARIABLE, place.toString());
        while (true) {
            begin();
            coordinator = command.start();
            watch(coordinator);
            int code = coordinator.exitValue();
            if (closing || code <= 128 || ASKED.contains(code)) {
                return code;
            }
            Keeper.Ended ended = new Keeper.Ended("the coordinator", code);
            if (life == care.mostLives) {
                notes.accept(ended + ", as " + (life - 1) + " before it; that is no accident. No model was written");
                return 1;
            }
            notes.accept(ended + "; another process goes on where it left off");
        }
    }

    /// Another coordinator is to start: it may take its time until it is first heard.
    private synchronized void begin() {
        life++;
        heardNanos = System.nanoTime() + STARTING_NANOS;
    }

    /// A coordinator was heard, and may be silent until then; of no account if there is another already.
    private synchronized void heard(int whose, long nanos) {
        if (whose == life) {
            heardNanos = nanos;
        }
    }

    /// Waits until the coordinator ends, and ends it if it has been silent for too long: whether such a one is dead
    /// nobody can tell, so it is made so.
    private void watch(Process process) throws InterruptedException {
        while (!process.waitFor(WATCH_MILLIS, TimeUnit.MILLISECONDS)) {
            long silentMillis = silentMillis();
            if (silentMillis > care.silenceMillis) {
                notes.accept("the coordinator has been silent for " + silentMillis / 1000 + " s and is ended");
                process.destroyForcibly().waitFor();
            }
        }
    }

    private long silentMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - heardNanos);
    }

    /// Serves one coordinator after the other.
    private void serve() {
        try {
            while (true) {
                try (Lines lines = new Lines(server.accept())) {
                    serve(lines);
                } catch (ClosedChannelException e) {
                    throw e;
                } catch (IOException e) {
                    // It died in the middle of a line; another may come.
                    System.getLogger("tandem.runtime")
                            .log(System.Logger.Level.DEBUG, "the coordinator is gone: {0}", e.getMessage());
                }
            }
        } catch (IOException _) {
            // It is over.
        }
    }

    private void serve(Lines lines) throws IOException {
        int served = life;
        lines.send(new News(served, processes.known(), null, null, false));
        processes.attend(new Keeper.Listener() {
            @Override
            public void said(String line) {
                if (!tell(lines, News.said(line))) {
                    notes.accept(line);
                }
            }

            @Override
            public void ended(Keeper.Ended ended) {
                tell(lines, News.ended(ended)); // the next coordinator hears of it otherwise
            }
        });
        for (Wish wish; (wish = lines.next(Wish.class)) != null; ) {
            // What is said meanwhile is heard after that: to start a process takes its time on a busy machine.
            heard(served, System.nanoTime() + STARTING_NANOS);
            grant(wish, lines);
            heard(served, System.nanoTime());
        }
    }

    private void grant(Wish wish, Lines lines) throws IOException {
        switch (wish.what) {
            case START -> {
                try {
                    processes.start(wish.child);
                } catch (IOException e) {
                    lines.send(News.said(wish.child.name() + " could not be started: " + e.getMessage()));
                    lines.send(News.ended(new Keeper.Ended(wish.child.name(), 1)));
                }
            }
            case END -> processes.end(wish.name);
            case SETTLE -> processes.settle(wish.name, wish.life);
            case CLOSE -> {
                processes.close();
                lines.send(new News(0, null, null, null, true));
            }
            case BE_HEARD -> {}
        }
    }

    private static boolean tell(Lines lines, News news) {
        try {
            lines.send(news);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// Has the coordinator end, which ends the run, then all others. It may have much to write, and has time for that
    /// as long as it is heard.
    @Override
    public void close() {
        closing = true;
        try {
            if (coordinator != null) {
                coordinator.destroy();
                while (!coordinator.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                    if (silentMillis() > care.silenceMillis) {
                        coordinator.destroyForcibly();
                    }
                }
            }
            processes.close();
            server.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            notes.accept("the socket of the run could not be closed: " + e.getMessage());
        }
    }
}
