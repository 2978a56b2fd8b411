package tandem.worker;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import tandem.client.Session;

/// The streams that a worker has, as they come to it and go, and which of them is next. Belongs to the loop's thread.
///
/// @param <S> what the loop keeps of a stream
final class HeldStreams<S> {

    /// Makes what the loop keeps of a stream that has come.
    @FunctionalInterface
    interface Opening<S> {
        S open(int stream) throws IOException;
    }

    /// Sees to what the loop keeps elsewhere of streams, of which only these are left.
    @FunctionalInterface
    interface Leaving {
        void keepOnly(List<Integer> streams) throws IOException;
    }

    private final Session session;
    private final ToLongFunction<S> position;
    private final Consumer<S> located;
    private final TreeMap<Integer, S> streams = new TreeMap<>();
    private long moves = -1;

    /// @param position how far a stream is
    /// @param located  told of each that is here whenever some have come or gone
    HeldStreams(Session session, ToLongFunction<S> position, Consumer<S> located) {
        this.session = session;
        this.position = position;
        this.located = located;
    }

    /// Forgets all, for another problem.
    void clear() {
        streams.clear();
        moves = -1;
    }

    /// Sees which streams are this worker's, if that has changed.
    void locate(Opening<S> opening, Leaving leaving) throws IOException {
        if (!haveMoved()) {
            return;
        }
        // Before it is asked which: what moves meanwhile is seen the next time.
        moves = session.moves();
        session.sendWhile(moves);
        int[] held = session.streams();
        List<Integer> kept = Arrays.stream(held).boxed().toList();
        streams.keySet().retainAll(kept);
        leaving.keepOnly(kept);
        for (int stream : held) {
            if (!streams.containsKey(stream)) {
                streams.put(stream, opening.open(stream));
            }
        }
        streams.values().forEach(located);
    }

    /// Whether some have come or gone since it was seen which: what was asked for since may have come to nothing.
    boolean haveMoved() {
        return session.moves() != moves;
    }

    /// The one that is furthest behind, because the others may wait for it, of those that have not come to `end`; null
    /// if all have.
    S next(long end) {
        return streams.values().stream()
                .filter(stream -> position.applyAsLong(stream) < end)
                .min(Comparator.comparingLong(position))
                .orElse(null);
    }

    Collection<S> all() {
        return streams.values();
    }
}
