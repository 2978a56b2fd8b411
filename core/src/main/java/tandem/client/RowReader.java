package tandem.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tandem.consistency.After;
import tandem.wire.Keys;
import tandem.wire.Outbox;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// One read of rows through the cache of a client: what is kept and good enough is taken from there, the rest is asked
/// for. Lives for one turn, and until the answers have come.
final class RowReader {

    private final Client client;
    private final int stream;
    private final After after;
    private final List<Asked> asked = new ArrayList<>();

    /// By table and seat, the oldest row that was taken from the cache.
    private final Map<Integer, Map<Integer, Long>> oldest = new TreeMap<>();

    /// Rows to ask for, and which of the slice they are.
    private record Asked(Slice into, int width, int[] places, Slice rows) {

        void handOut() {
            for (int k = 0; k < places.length; k++) {
                rows.values().piece(k * width, width).copyTo(into.values(), places[k] * width);
            }
        }
    }

    RowReader(Client client, int stream, After after) {
        this.client = client;
        this.stream = stream;
        // Own updates that are under way are no part of the cache's rows only while they are known not to be in them.
        this.after = new After(client.sent(stream), after.everyone(), after.share());
    }

    Ticket read(boolean follow, long nowNanos, Outbox out, Slice... slices) {
        client.checkPull(slices);
        for (Slice slice : slices) {
            look(slice);
        }
        long clock = client.clock(stream);
        oldest.forEach((table, byServer) ->
                byServer.values().forEach(good -> client.staleness().add(table, clock - good)));
        Slice[] rows = asked.stream().map(Asked::rows).toArray(Slice[]::new);
        if (rows.length == 0) {
            Ticket done = new Ticket(() -> null);
            done.complete();
            return done;
        }
        Ticket answered = isBounded()
                ? client.fetch(stream, after, follow, nowNanos, out, rows)
                : client.pull(stream, after, false, nowNanos, out, rows);
        Ticket whole = new Ticket(answered::awaited);
        answered.whenDone(() -> {
            if (answered.failure() != null) {
                whole.fail(answered.failure());
                return;
            }
            asked.forEach(Asked::handOut);
            whole.complete();
        });
        return whole;
    }

    private void look(Slice slice) {
        TableSpec table = client.layout().tables()[slice.table()];
        Keys keys = slice.keys();
        int[] missing = new int[keys.count()];
        int count = 0;
        for (int k = 0; k < keys.count(); k++) {
            CachedRow row = isBounded() ? client.rows().find(slice.table(), keys.at(k)) : null;
            if (row != null && isGood(row, table)) {
                RowValues.put(row.current(), slice.values(), k * table.width());
                oldest.computeIfAbsent(slice.table(), _ -> new TreeMap<>())
                        .merge(row.seat, client.rows().clockOf(row), Math::min);
            } else {
                missing[count++] = k;
            }
        }
        if (count > 0) {
            ask(slice, table, Arrays.copyOf(missing, count));
        }
    }

    private void ask(Slice slice, TableSpec table, int[] places) {
        long[] list = new long[places.length];
        for (int k = 0; k < list.length; k++) {
            list[k] = slice.keys().at(places[k]);
        }
        Values room = RowValues.room(table, list.length);
        Slice rows = new Slice(slice.table(), Keys.once(list, list.length), room);
        asked.add(new Asked(slice, table.width(), places, rows));
    }

    private boolean isGood(CachedRow row, TableSpec table) {
        return client.rows().clockOf(row) >= after.everyone() && (RowValues.isAdded(table) || !row.isBehind());
    }

    /// Whether the consistency says how old a row may be; otherwise a kept row would be good for ever.
    private boolean isBounded() {
        return after.everyone() != After.NOTHING.everyone();
    }
}
