package tandem.wire;

import java.util.List;

/// A layout, the places of its servers and the leases that go with it as bytes.
final class LayoutCodec {

    /// Bytes of a lease, and the least bytes of a table and of a place.
    private static final int LEASE = 13;

    private static final int TABLE = 1;
    private static final int PLACE = 4;

    /// Bytes of a member of a chain, and the least bytes of a chain.
    private static final int MEMBER = Integer.BYTES + Long.BYTES;

    private static final int CHAIN = 2 * Integer.BYTES + MEMBER;

    private LayoutCodec() {}

    static void write(Message.Placed placed, Sink sink) {
        Layout layout = placed.layout();
        sink.int64(layout.epoch());
        sink.int32(layout.streams());
        sink.int32(layout.tables().length);
        for (int table = 0; table < layout.tables().length; table++) {
            boolean kept = layout.tables()[table] != null;
            sink.int8(kept ? 1 : 0);
            if (kept) {
                write(layout.tables()[table], sink);
                sink.ints(layout.owners()[table]);
            }
        }
        sink.int32(layout.seats());
        for (Chain chain : layout.chains()) {
            write(chain, sink);
        }
        sink.int32(placed.places().length);
        for (String place : placed.places()) {
            sink.text(place);
        }
        sink.int32(placed.leases().length);
        for (Lease lease : placed.leases()) {
            sink.int32(lease.stream());
            sink.int64(lease.number());
            sink.int8(lease.orphaned() ? 1 : 0);
        }
        sink.int64(placed.incarnation());
    }

    private static void write(Chain chain, Sink sink) {
        sink.int32(chain.servers().length);
        sink.ints(chain.servers());
        for (long since : chain.since()) {
            sink.int64(since);
        }
        sink.int32(chain.whole());
    }

    static void write(TableSpec table, Sink sink) {
        sink.text(table.name());
        sink.int64(table.rows());
        sink.int32(table.width());
        sink.int8(table.doubles() ? 1 : 0);
        sink.int32(table.shards());
        sink.text(table.rule());
        sink.int32(table.settings().length);
        sink.doubles(table.settings(), 0, table.settings().length);
        sink.int8(table.variable() ? 1 : 0);
        sink.int32(table.upkeep().admitAt());
        sink.int64(table.upkeep().sketchBytes());
        sink.int64(table.upkeep().mostBytes());
        write(table.push(), sink);
        write(table.pull(), sink);
    }

    private static void write(List<String> names, Sink sink) {
        sink.int32(names.size());
        names.forEach(sink::text);
    }

    static Message.Placed read(Source source) {
        Layout layout = layout(source);
        String[] places = new String[source.count(source.limits().nodes(), PLACE, "places")];
        for (int node = 0; node < places.length; node++) {
            places[node] = source.textOrNull();
        }
        Lease[] leases = new Lease[source.count(source.limits().nodes(), LEASE, "leases")];
        for (int l = 0; l < leases.length; l++) {
            leases[l] = new Lease(source.int32(), source.int64(), source.bool());
        }
        return new Message.Placed(layout, places, leases, source.int64());
    }

    private static Layout layout(Source source) {
        long epoch = source.int64();
        int streams = source.int32();
        if (streams < 0 || streams > source.limits().nodes()) {
            throw new ProtocolError(
                    streams + " streams; at most " + source.limits().nodes());
        }
        int count = source.count(source.limits().tables(), TABLE, "tables");
        TableSpec[] tables = new TableSpec[count];
        int[][] owners = new int[count][];
        for (int table = 0; table < count; table++) {
            if (source.bool()) {
                tables[table] = table(source);
                owners[table] = source.ints(tables[table].shards());
            }
        }
        Chain[] chains = new Chain[source.count(source.limits().nodes(), CHAIN, "seats")];
        for (int seat = 0; seat < chains.length; seat++) {
            chains[seat] = chain(source);
        }
        checkOwners(owners, chains.length);
        return new Layout(epoch, tables, owners, streams, chains);
    }

    private static Chain chain(Source source) {
        int[] servers = source.ints(source.count(source.limits().nodes(), MEMBER, "members of a chain"));
        for (int server : servers) {
            if (server < 0 || server >= source.limits().nodes()) {
                throw new ProtocolError("server " + server + " of a layout; servers are numbered from 0 to "
                        + (source.limits().nodes() - 1));
            }
        }
        long[] since = source.longs(servers.length);
        int whole = source.int32();
        if (whole < 1 || whole > servers.length) {
            throw new ProtocolError(whole + " of the " + servers.length + " members of a chain have everything");
        }
        return new Chain(servers, since, whole);
    }

    private static void checkOwners(int[][] owners, int seats) {
        for (int[] byShard : owners) {
            for (int shard = 0; byShard != null && shard < byShard.length; shard++) {
                if (byShard[shard] < 0 || byShard[shard] >= seats) {
                    throw new ProtocolError("seat " + byShard[shard] + " of a layout; there are " + seats + " seats");
                }
            }
        }
    }

    static TableSpec table(Source source) {
        String name = source.text();
        long rows = source.int64();
        int width = source.int32();
        boolean doubles = source.bool();
        int shards = source.int32();
        String rule = source.text();
        double[] settings = source.doubles(source.count(source.limits().textBytes(), Double.BYTES, "settings"));
        boolean variable = source.bool();
        int admitAt = source.int32();
        long sketchBytes = source.int64();
        long mostBytes = source.int64();
        List<String> push = names(source);
        List<String> pull = names(source);
        if (shards > source.limits().shards()) {
            throw new ProtocolError("a table of " + shards + " shards; at most "
                    + source.limits().shards());
        }
        try {
            Upkeep upkeep = new Upkeep(admitAt, sketchBytes, mostBytes);
            return new TableSpec(name, rows, width, doubles, shards, rule, settings, variable, upkeep, push, pull);
        } catch (IllegalArgumentException e) {
            throw new ProtocolError(e.getMessage(), e);
        }
    }

    private static List<String> names(Source source) {
        String[] names = new String[source.count(source.limits().textBytes(), Integer.BYTES, "filters")];
        for (int n = 0; n < names.length; n++) {
            names[n] = source.text();
        }
        return List.of(names);
    }
}
