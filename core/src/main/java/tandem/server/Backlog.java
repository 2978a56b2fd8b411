package tandem.server;

import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import tandem.wire.Layout;
import tandem.wire.Message;

/// Updates that have come and are not applied, because that is done clock by clock: once every stream has finished a
/// clock, those made in it are due, stream by stream. So rows get the same bits in whatever order updates come.
///
/// A clock is over when all know that it is, not when the last update of it has come: whoever takes over a stream in
/// the middle of a clock still reads the rows that it began with, and makes the same update again.
final class Backlog {

    private static final Comparator<Turn> ORDER =
            Comparator.comparingLong(Turn::clock).thenComparingInt(Turn::stream).thenComparingLong(Turn::sequence);

    private final TreeMap<Turn, Message> updates = new TreeMap<>(ORDER);

    private record Turn(long clock, int stream, long sequence) {}

    /// Keeps an update, unless it changes nothing. Whoever made it may use its arrays again before it is due.
    void add(Message.Update update) {
        if (update.parts().length > 0) {
            updates.put(
                    new Turn(update.clock(), update.stream(), update.sequence()), (Message.Update) update.detached());
        }
    }

    /// Keeps one that is made by a function.
    void add(Message.Change change) {
        updates.put(new Turn(change.clock(), change.stream(), change.sequence()), change);
    }

    /// The next [Message.Update] or [Message.Change] of a clock that the slowest stream has finished, or null.
    Message due(long slowest) {
        return updates.isEmpty() || updates.firstKey().clock >= slowest
                ? null
                : updates.pollFirstEntry().getValue();
    }

    /// Forgets what is for tables that are gone.
    void place(Layout layout) {
        updates.replaceAll((_, kept) ->
                kept instanceof Message.Update update ? update.with(layout.present(update.parts())) : kept);
    }

    /// All that is kept, in order.
    List<Message> all() {
        return List.copyOf(updates.values());
    }
}
