package tandem.client;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import tandem.consistency.After;
import tandem.consistency.Consistency;
import tandem.wire.Age;
import tandem.wire.Keys;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// Rows of tables as memory that workers share: `get` a row, `inc` it, and `clock` when a piece of work is done.
///
/// Rows that were read are kept. A read at clock *c* with staleness *s* is answered from what is kept if the
/// row has everyone's updates of clocks below *c* − *s*, and else asked for; a consistency without such a
/// bound asks every time. One's own increments are in every read, whether sent or not (Ho et al. 2013:
/// read-my-writes). Where the rule of a table is not `add` they cannot be worked out here: then a row that
/// one has changed is asked for again, and what was not sent yet is not in it.
///
/// With an eager consistency servers tell of rows that changed (Dai et al. 2015). Belongs to one thread.
public final class SharedRows {

    /// Memory for the rows of a worker, unless said otherwise.
    public static final long USUAL_BYTES = 256L << 20;

    private final Session session;
    private final Client client;
    private final int stream;
    private final Consistency consistency;

    /// By table and key, what was added since the last clock.
    private final TreeMap<Integer, TreeMap<Long, double[]>> added = new TreeMap<>();

    /// @param stream     the stream that the increments are of
    /// @param cacheBytes about how much memory kept rows may take
    public SharedRows(Session session, int stream, Consistency consistency, long cacheBytes) {
        this.session = session;
        this.client = session.client();
        this.stream = stream;
        this.consistency = consistency;
        session.station().turn((_, _) -> {
            client.rows().limit(cacheBytes);
            return null;
        });
    }

    /// A row as it is here and now; a row that nobody has changed is as its table's rule makes it, mostly zeros.
    public double[] get(int table, long key) {
        return get(table, new long[] {key})[0];
    }

    /// Rows in the order of their keys, which may be any: one question for all that have to be asked for.
    public double[][] get(int table, long... keys) {
        long[] sorted = Arrays.stream(keys)
                .boxed()
                .sorted(Long::compareUnsigned)
                .distinct()
                .mapToLong(Long::longValue)
                .toArray();
        TableSpec spec = spec(table);
        Values values = RowValues.room(spec, sorted.length);
        session.await(read(after(), new Slice(table, Keys.once(sorted, sorted.length), values)));
        double[][] rows = new double[keys.length][];
        for (int k = 0; k < keys.length; k++) {
            int place = Keys.once(sorted, sorted.length).positionOf(keys[k], 0, sorted.length);
            rows[k] = RowValues.get(values, place * spec.width(), new double[spec.width()]);
            double[] more = RowValues.isAdded(spec) ? pending(table).get(keys[k]) : null;
            for (int v = 0; more != null && v < more.length; v++) {
                rows[k][v] += more[v];
            }
        }
        return rows;
    }

    /// Adds to a row; others see it after the next [#clock].
    public void inc(int table, long key, double... delta) {
        TableSpec spec = spec(table);
        int width = spec.width();
        if (delta.length != width) {
            throw new IllegalArgumentException("table " + spec.name() + " was given an increment of " + delta.length
                    + " numbers for a row of " + width + "; give one for each");
        }
        Gate.checkKey(spec, key);
        double[] sum = pending(table).computeIfAbsent(key, _ -> new double[width]);
        for (int v = 0; v < width; v++) {
            sum[v] += delta[v];
        }
    }

    /// Ends a clock: sends what was added in it. Waits only if too many updates are under way.
    public void clock() {
        Slice[] slices = new Slice[added.size()];
        int s = 0;
        for (Map.Entry<Integer, TreeMap<Long, double[]>> table : added.entrySet()) {
            slices[s++] = slice(table.getKey(), table.getValue());
        }
        added.clear();
        update(session.clock(stream) + 1, slices);
    }

    /// How far this worker has come.
    public long clocks() {
        return session.clock(stream);
    }

    /// Reads rows, with one's own updates, into the arrays of `slices`; those that are kept and good `after` that are
    /// not asked for.
    public Ticket read(After after, Slice... slices) {
        return session.station()
                .turn((now, out) -> new RowReader(client, stream, after).read(consistency.isEager(), now, out, slices));
    }

    /// Sends an update that [#read] knows of from then on.
    public Ticket update(long clock, Slice... slices) {
        return session.update(stream, clock, Age.UNKNOWN, sequence -> wrote(sequence, slices), slices);
    }

    private void wrote(long sequence, Slice... slices) {
        for (Slice slice : slices) {
            int width = client.layout().tables()[slice.table()].width();
            for (int k = 0; k < slice.keys().count(); k++) {
                double[] delta = RowValues.get(slice.values(), k * width, new double[width]);
                client.rows().wrote(slice.table(), slice.keys().at(k), sequence, delta);
            }
        }
    }

    private After after() {
        return consistency.after(session.clock(stream), session.sent(stream));
    }

    private TreeMap<Long, double[]> pending(int table) {
        return added.computeIfAbsent(table, _ -> new TreeMap<>(Long::compareUnsigned));
    }

    private Slice slice(int table, TreeMap<Long, double[]> increments) {
        TableSpec spec = spec(table);
        long[] keys = increments.keySet().stream().mapToLong(Long::longValue).toArray();
        Values values = RowValues.room(spec, keys.length);
        int at = 0;
        for (double[] row : increments.values()) {
            RowValues.put(row, values, at);
            at += spec.width();
        }
        return new Slice(table, Keys.once(keys, keys.length), values);
    }

    private TableSpec spec(int table) {
        TableSpec spec = session.layout().spec(table);
        if (spec.variable()) {
            throw new IllegalArgumentException("table " + spec.name()
                    + " has rows of lengths of their own, which are not kept; pull and push them instead");
        }
        return spec;
    }
}
