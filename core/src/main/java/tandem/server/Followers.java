package tandem.server;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;

/// Tells workers of the rows they keep: whenever the slowest stream has moved on, each hears which of its rows changed,
/// and so that the others are still good. Belongs to one server.
///
/// A refresh that is lost leaves a gap in the reader's count, which then asks again for what it needs; so nothing is
/// repeated here.
final class Followers {

    /// The most rows that are remembered to be kept, counted for each worker that does.
    static final long MOST = 1L << 22;

    private final long most;
    private final TreeMap<Address, Reader> readers = new TreeMap<>();
    private long rows;

    /// A worker that keeps rows: the stream it works on, and how often it was told.
    private static final class Reader {
        int stream;
        long number;
        long rows;

        /// The rows to tell of next time, by table and shard.
        final TreeMap<Place, TreeMap<Long, Integer>> changed = new TreeMap<>();
    }

    /// A shard.
    private record Place(int table, int shard) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            return table != other.table ? Integer.compare(table, other.table) : Integer.compare(shard, other.shard);
        }
    }

    Followers(long most) {
        this.most = most;
    }

    boolean isEmpty() {
        return rows == 0;
    }

    /// Remembers that the rows of a pull are kept. Returns how often their reader was told before, or −1 if there is
    /// no room for them.
    long follow(Address from, Message.Pull pull, Shard[][] shards, int[][] slots) {
        for (int p = 0; p < slots.length; p++) {
            if (!areThere(slots[p], pull.parts()[p].count())) {
                return -1;
            }
        }
        Reader reader = readers.computeIfAbsent(from, _ -> new Reader());
        reader.stream = pull.stream();
        for (int p = 0; p < slots.length; p++) {
            Part part = pull.parts()[p];
            if (part.keys().isBare() || rows + part.count() > most) {
                return -1;
            }
            Watched watched = shards[part.table()][part.shard()].watched;
            for (int k = 0; k < part.count(); k++) {
                if (watched.add(slots[p][k], part.key(k), from, pull.request())) {
                    reader.rows++;
                    rows++;
                }
            }
        }
        return reader.number;
    }

    /// Whether rows have slots of their own to remember them by.
    private static boolean areThere(int[] slots, int count) {
        if (slots.length < count) {
            return false;
        }
        for (int k = 0; k < count; k++) {
            if (slots[k] < 0) {
                return false;
            }
        }
        return true;
    }

    /// Forgets rows that are no longer kept.
    void unfollow(Address from, long request, Part part, Shard shard, int[] slots) {
        Reader reader = readers.get(from);
        for (int k = 0; reader != null && k < Math.min(slots.length, part.count()); k++) {
            if (shard.watched.remove(slots[k], from, request)) {
                reader.rows--;
                rows--;
            }
        }
    }

    /// Forgets all, because rows may be elsewhere now; whoever hears next sees that it missed something.
    void clear(List<Shard> shards) {
        rows = 0;
        shards.forEach(shard -> shard.watched.clear());
        for (Reader reader : readers.values()) {
            reader.rows = 0;
            reader.number++;
        }
    }

    /// Tells everyone who keeps rows that the slowest stream has reached `slowest`.
    void refresh(Layout layout, Shard[][] shards, Applied past, long slowest, Outbox out) {
        for (int table = 0; table < shards.length; table++) {
            for (int shard = 0; shards[table] != null && shard < shards[table].length; shard++) {
                if (shards[table][shard] != null) {
                    Place place = new Place(table, shard);
                    shards[table][shard].watched.takeChanged((who, key, slot) -> readers.get(who)
                            .changed
                            .computeIfAbsent(place, _ -> new TreeMap<>(Long::compareUnsigned))
                            .put(key, slot));
                }
            }
        }
        readers.forEach((who, reader) -> {
            if (reader.rows > 0) {
                List<Part> parts = new ArrayList<>();
                reader.changed.forEach((place, keys) -> parts.add(part(layout, place, keys, shards, reader)));
                reader.number++;
                out.send(
                        who,
                        new Message.Refresh(
                                layout.epoch(),
                                reader.number,
                                slowest,
                                past.upTo(reader.stream),
                                past.beyond(reader.stream),
                                parts.toArray(Part[]::new)));
            }
            reader.changed.clear();
        });
    }

    /// The rows of some keys as they are now. If one is not in its slot any more the reader cannot be told what
    /// becomes of it: the gap in its count makes it ask.
    private static Part part(Layout layout, Place place, TreeMap<Long, Integer> keys, Shard[][] shards, Reader reader) {
        long[] list = keys.keySet().stream().mapToLong(Long::longValue).toArray();
        int width = layout.tables()[place.table].width();
        Part asked = new Part(place.table, place.shard, Keys.once(list, list.length), 0, list.length, width, null);
        Shard shard = shards[place.table][place.shard];
        int[] slots = shard.resolve(asked, false);
        int k = 0;
        for (int slot : keys.values()) {
            if (slots[k++] != slot) {
                reader.number++;
                break;
            }
        }
        return asked.with(shard.read(asked, slots));
    }
}
