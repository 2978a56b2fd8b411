package tandem.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// The supervisor of a run, for the coordinator in a process of its own: keeps the processes that it wants, which go
/// on if this one dies.
public final class Supervised implements Keeper {

    static final String VARIABLE = "TANDEM_SUPERVISOR";

    private static final long HEARD_MILLIS = 500;
    private static final long CLOSE_SECONDS = 10;

    private final Path directory;
    private final Lines lines;
    private final List<Child> known;
    private final boolean first;
    private final List<Supervisor.News> unheard = new ArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private Listener listener;

    private Supervised(Path place, Runnable end) throws IOException {
        directory = place.getParent();
        lines = new Lines(SocketChannel.open(UnixDomainSocketAddress.of(place)));
        Supervisor.News hello = lines.next(Supervisor.News.class);
        if (hello == null) {
            throw new IOException("the process above this one has gone");
        }
        known = hello.known();
        first = hello.life() == 1;
        Thread.ofPlatform().name("tandem-news").daemon().start(() -> listen(end));
        Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().name("tandem-heard").daemon().factory())
                .scheduleAtFixedRate(
                        () -> wish(Supervisor.Wish.What.BE_HEARD, null, null, 0),
                        0,
                        HEARD_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    /// The one that this process was started by; null if there is none. This process ends when it does, at once: the
    /// nodes end with it too, so there is nothing to wait for.
    public static Supervised given(Map<String, String> environment) throws IOException {
        String place = environment.get(VARIABLE);
        return place == null
                ? null
                : new Supervised(Path.of(place), () -> Runtime.getRuntime().halt(1));
    }

    /// Of the run, for this coordinator and whoever comes after it.
    public Path directory() {
        return directory;
    }

    /// Whether this is the first coordinator of the run.
    public boolean isFirst() {
        return first;
    }

    @Override
    public List<Child> known() {
        return known;
    }

    @Override
    public synchronized void attend(Listener other) {
        listener = other;
        unheard.forEach(this::tell);
        unheard.clear();
    }

    private void listen(Runnable end) {
        try {
            for (Supervisor.News news; (news = lines.next(Supervisor.News.class)) != null; ) {
                hear(news);
            }
        } catch (IOException _) {
            // As good as the end.
        }
        end.run();
    }

    private synchronized void hear(Supervisor.News news) {
        if (news.closed()) {
            closed.countDown();
        } else if (listener == null) {
            unheard.add(news);
        } else {
            tell(news);
        }
    }

    private void tell(Supervisor.News news) {
        if (news.said() != null) {
            listener.said(news.said());
        }
        if (news.ended() != null) {
            listener.ended(news.ended());
        }
    }

    @Override
    public void start(Child child) {
        wish(Supervisor.Wish.What.START, child, null, 0);
    }

    @Override
    public void end(String name) {
        wish(Supervisor.Wish.What.END, null, name, 0);
    }

    @Override
    public void settle(String name, int life) {
        wish(Supervisor.Wish.What.SETTLE, null, name, life);
    }

    @Override
    public void close() {
        wish(Supervisor.Wish.What.CLOSE, null, null, 0);
        try {
            closed.await(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void wish(Supervisor.Wish.What what, Child child, String name, int life) {
        try {
            lines.send(new Supervisor.Wish(what, child, name, life));
        } catch (IOException e) {
            throw new UncheckedIOException("the process above this one has gone", e);
        }
    }
}
