package tandem.server;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.Values;

/// Tells workers of the rows they keep: whenever the slowest stream has moved on, each hears which of its rows changed,
/// and so that the others are still good. Belongs to one server.
///
/// A refresh that is lost leaves a gap in the reader's count, which then asks again for what it needs; so nothing is
/// repeated here.
final class Followers {

    /// The most rows that are remembered to be kept, counted for each worker that does.
    static final long MOST = 1L << 22;

    private final long most;
    private final Filtering filtering;
    private final TreeMap<Address, Reader> readers = new TreeMap<>();
    private long rows;

    /// A worker that keeps rows: the stream it works on, and how often it was told.
    private static final class Reader {
        int stream;
        long number;
        long rows;

        /// The rows to tell of next time: those that changed, and those that nobody watches any more.
        final TreeMap<Place, TreeSet<Long>> changed = new TreeMap<>();

        final TreeMap<Place, TreeSet<Long>> gone = new TreeMap<>();

        void note(Place place, long key, boolean isGone) {
            (isGone ? gone : changed)
                    .computeIfAbsent(place, _ -> new TreeSet<>(Long::compareUnsigned))
                    .add(key);
        }
    }

    /// A shard.
    private record Place(int table, int shard) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            return table != other.table ? Integer.compare(table, other.table) : Integer.compare(shard, other.shard);
        }
    }

    /// @param filtering what refreshes are packed by, as pulls are
    Followers(long most, Filtering filtering) {
        this.most = most;
        this.filtering = filtering;
    }

    boolean isEmpty() {
        return rows == 0;
    }

    /// What is remembered of a pull.
    ///
    /// @param refreshes how often its reader was told before, or −1 if nothing is remembered
    /// @param absent    of all its rows, counted on from part to part, those that are not there to be followed
    record Kept(long refreshes, BitSet absent) {

        static final Kept NOTHING = new Kept(-1, new BitSet());
    }

    /// Remembers that the rows of a pull are kept, all that are there, if there is room for them.
    Kept follow(Address from, Message.Pull pull, Shard[][] shards, int[][] slots) {
        BitSet absent = new BitSet();
        long more = 0;
        for (int p = 0, row = 0; p < slots.length; p++) {
            Part part = pull.parts()[p];
            if (part.keys().isBare() || slots[p].length < part.count()) {
                return Kept.NOTHING;
            }
            Watched watched = shards[part.table()][part.shard()].watched;
            for (int k = 0; k < part.count(); k++, row++) {
                absent.set(row, slots[p][k] < 0);
                more += slots[p][k] < 0 || watched.has(slots[p][k], part.key(k), from) ? 0 : 1;
            }
        }
        if (rows + more > most) {
            return Kept.NOTHING;
        }
        Reader reader = readers.computeIfAbsent(from, _ -> new Reader());
        reader.stream = pull.stream();
        reader.rows += more;
        rows += more;
        for (int p = 0; p < slots.length; p++) {
            Part part = pull.parts()[p];
            Watched watched = shards[part.table()][part.shard()].watched;
            for (int k = 0; k < part.count(); k++) {
                if (slots[p][k] >= 0) {
                    watched.add(slots[p][k], part.key(k), from, pull.request());
                }
            }
        }
        return new Kept(reader.number, absent);
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
                    take(new Place(table, shard), shards[table][shard].watched);
                }
            }
        }
        readers.forEach((who, reader) -> {
            if (reader.rows > 0 || !reader.gone.isEmpty()) {
                reader.number++;
                Part[] parts = parts(layout, shards, reader);
                long[] beyond = past.beyond(reader.stream);
                out.send(
                        who,
                        new Message.Refresh(
                                layout.epoch(), reader.number, slowest, past.upTo(reader.stream), beyond, parts));
            }
            reader.changed.clear();
            reader.gone.clear();
        });
    }

    /// Notes what happened to the rows of a shard, for everyone who keeps some of them.
    private void take(Place place, Watched watched) {
        watched.takeChanged((who, key, isGone) -> {
            Reader reader = readers.get(who);
            reader.note(place, key, isGone);
            if (isGone) {
                reader.rows--;
                rows--;
            }
        });
    }

    /// What a reader is told. Rows that are gone come first: one of them may be kept anew since.
    private Part[] parts(Layout layout, Shard[][] shards, Reader reader) {
        List<Part> parts = new ArrayList<>();
        reader.gone.forEach((place, keys) -> parts.add(filtering.keyed(part(layout, place, keys))));
        reader.changed.forEach((place, keys) -> {
            Part asked = part(layout, place, keys);
            Shard shard = shards[place.table][place.shard];
            Values rows = shard.read(asked, shard.resolve(asked, false));
            // Pulls have numbers from 1 on, so refreshes have chances of their own.
            Values packed = filtering.packed(reader.stream, -reader.number, asked, rows);
            parts.add(filtering.keyed(asked.with(packed)));
        });
        return parts.toArray(Part[]::new);
    }

    private static Part part(Layout layout, Place place, TreeSet<Long> keys) {
        long[] list = keys.stream().mapToLong(Long::longValue).toArray();
        int width = layout.tables()[place.table].width();
        return new Part(place.table, place.shard, Keys.once(list, list.length), 0, list.length, width, null);
    }
}
