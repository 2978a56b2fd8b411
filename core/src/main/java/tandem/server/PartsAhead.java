package tandem.server;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.TreeMap;
import tandem.wire.Codec;
import tandem.wire.Message;
import tandem.wire.Part;

/// Parts of updates that came ahead of the rest, and to whom they were passed on. The oldest go when there are too
/// many: then the whole update is asked for.
final class PartsAhead {

    /// What they may take.
    private static final long MOST_BYTES = 64L << 20;

    private final LinkedHashMap<Number, Pieces> updates = new LinkedHashMap<>();
    private long bytes;

    private record Number(int stream, long sequence) {}

    /// What there is of an update.
    private static final class Pieces {
        final TreeMap<Integer, Part[]> byFirst = new TreeMap<>();

        /// Who has been told all of it, −1 for nobody.
        int to;

        long bytes;

        Pieces(int to) {
            this.to = to;
        }

        /// The first `count` parts, if they are there.
        Part[] first(int count) {
            Part[] all = new Part[count];
            int there = 0;
            for (Part[] parts = byFirst.get(0); parts != null && there + parts.length <= count; ) {
                System.arraycopy(parts, 0, all, there, parts.length);
                there += parts.length;
                parts = parts.length == 0 ? null : byFirst.get(there);
            }
            return there == count ? all : null;
        }
    }

    /// Keeps parts that came.
    ///
    /// @param to whom they are passed on to; −1 for nobody
    void add(Message.Ahead ahead, int to) {
        Pieces pieces = updates.computeIfAbsent(new Number(ahead.stream(), ahead.sequence()), _ -> new Pieces(to));
        pieces.to = pieces.to == to ? to : -1;
        if (pieces.byFirst.put(ahead.from(), ahead.parts()) == null) {
            long more = Codec.length(ahead);
            pieces.bytes += more;
            bytes += more;
        }
        for (Iterator<Pieces> eldest = updates.values().iterator(); bytes > MOST_BYTES; ) {
            bytes -= eldest.next().bytes;
            eldest.remove();
        }
    }

    /// The whole of an update; null if parts are missing.
    Message.Update whole(Message.Rest rest) {
        Message.Update update = rest.update();
        Pieces pieces = updates.get(new Number(update.stream(), update.sequence()));
        Part[] first = pieces == null || rest.ahead() < 0 ? null : pieces.first(rest.ahead());
        if (first == null) {
            return null;
        }
        Part[] all = Arrays.copyOf(first, first.length + update.parts().length);
        System.arraycopy(update.parts(), 0, all, first.length, update.parts().length);
        return update.with(all);
    }

    /// Forgets what there is of an update; how many of its parts, from the first on, `to` has been told.
    int take(Message.Update update, int to) {
        Pieces pieces = updates.remove(new Number(update.stream(), update.sequence()));
        if (pieces == null) {
            return 0;
        }
        bytes -= pieces.bytes;
        int told =
                pieces.byFirst.values().stream().mapToInt(parts -> parts.length).sum();
        return pieces.to == to && told <= update.parts().length && pieces.first(told) != null ? told : 0;
    }

    void clear() {
        updates.clear();
        bytes = 0;
    }
}
