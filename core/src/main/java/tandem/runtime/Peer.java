package tandem.runtime;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import tandem.link.Hello;
import tandem.link.Link;
import tandem.link.Links;
import tandem.link.Place;

/// Somebody that a node talks to: the connection there is, or a new one as soon as there is something to say. After a
/// failure it waits before the next attempt, each time twice as long. Any thread may use it.
final class Peer {

    private static final Logger LOG = System.getLogger("tandem.runtime");
    private static final long FIRST_PAUSE_NANOS = 10_000_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

    private final Hello hello;
    private volatile Link link;
    private Place place;
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private long notBeforeNanos = System.nanoTime();

    Peer(Hello hello) {
        this.hello = hello;
    }

    /// Where to find it from now on.
    void movesTo(Place there) {
        Link old;
        synchronized (this) {
            if (there.equals(place)) {
                return;
            }
            place = there;
            pauseNanos = FIRST_PAUSE_NANOS;
            notBeforeNanos = System.nanoTime();
            old = link;
        }
        if (old != null && !old.isAccepted()) {
            old.close();
        }
    }

    /// It has connected by itself. Of two connections that it opened only the later one counts.
    void connected(Link opened) {
        Link old;
        synchronized (this) {
            old = link;
            link = opened;
        }
        // Outside the lock: a link is closed under its own, and tells of it here.
        if (old != null && old.isAccepted()) {
            old.close();
        }
    }

    /// The connection, or null while there is none.
    Link link(Links links) {
        Link open = link;
        return open != null ? open : connect(links);
    }

    private synchronized Link connect(Links links) {
        if (link == null && place != null && System.nanoTime() - notBeforeNanos >= 0) {
            try {
                link = links.connect(place, hello);
            } catch (IOException e) {
                pause(e.getMessage());
            }
        }
        return link;
    }

    /// Closes the connection there is.
    void close() {
        Link open = link;
        if (open != null) {
            open.close();
        }
    }

    /// A connection is gone; true if that is all there was to know.
    synchronized boolean closed(Link gone) {
        if (gone.isConnected()) {
            pauseNanos = FIRST_PAUSE_NANOS;
        }
        if (link == gone) {
            link = null;
            pause("connection closed");
        }
        return link == null && place == null;
    }

    private void pause(String why) {
        LOG.log(Level.DEBUG, () -> hello.from() + " has no connection to " + hello.to() + ": " + why);
        notBeforeNanos = System.nanoTime() + pauseNanos;
        pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }
}
