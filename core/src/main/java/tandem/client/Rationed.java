package tandem.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Values;

/// Updates of a stream that are sent within a budget of bytes a second, the largest relative changes first (managed
/// communication, Wei et al. 2015). Changes are summed by key and kept back; within a clock as many rows go as the
/// budget allows, and at its end everything goes, whatever it costs, so that what the consistency promises holds. What
/// that takes is saved from the budget of the clock after it. Belongs to one thread.
public final class Rationed {

    /// How much a row changes, next to how large it is: one that was 0 goes before all others.
    public static final DoubleBinaryOperator RELATIVE = (change, size) -> change / (size + 1e-9);

    /// What an update takes for each seat and for each shard that it changes, besides rows, at most.
    private static final int SEAT_BYTES = 64;

    private static final int SHARD_BYTES = 32;

    /// An update of fewer rows than this is not worth its bytes, unless nothing is left.
    private static final int LEAST_ROWS = 16;

    private final Session session;
    private final int stream;
    private final DoubleBinaryOperator priority;
    private final Ration ration;
    private final TreeMap<Integer, Pending> pending = new TreeMap<>();

    /// @param bytesPerSecond the budget
    /// @param priority       which rows go first, by the sizes of their change and of the row; see [#RELATIVE]
    public Rationed(Session session, int stream, double bytesPerSecond, DoubleBinaryOperator priority) {
        this.session = session;
        this.stream = stream;
        this.priority = priority;
        this.ration = new Ration(bytesPerSecond, session.station().nowNanos());
    }

    /// Adds changes to what is kept back. If the stream reaches `clock` with them, all that is kept back is sent;
    /// otherwise what the budget allows. The arrays can be used again at once.
    ///
    /// @param read   the rows that the changes were computed from, slice by slice like `change`
    /// @param change floats
    public void update(long clock, Slice[] read, Slice[] change) {
        session.station().turn((_, _) -> {
            session.client().checkPush(change);
            session.client().checkPull(read);
            return null;
        });
        for (int s = 0; s < change.length; s++) {
            add(read[s], change[s]);
        }
        if (clock > session.clock(stream)) {
            send(clock);
        } else {
            sendSome(clock);
        }
    }

    /// Sends all that is kept back, with which the stream reaches `clock`.
    public void send(long clock) {
        List<Slice> slices = new ArrayList<>();
        pending.forEach((table, rows) -> {
            if (rows.count() > 0) {
                slices.add(slice(table, rows.takeAll()));
            }
        });
        ration.allows(session.station().nowNanos());
        push(clock, slices);
    }

    /// How many rows are kept back.
    public int kept() {
        return pending.values().stream().mapToInt(Pending::count).sum();
    }

    private void add(Slice read, Slice change) {
        int table = change.table();
        Pending rows = pending.computeIfAbsent(
                table, _ -> new Pending(session.layout().tables()[table].width()));
        Keys keys = change.keys();
        long[] list = new long[keys.count()];
        for (int k = 0; k < list.length; k++) {
            list[k] = keys.at(k);
        }
        rows.add(list, list.length, floats(change.values()), floats(read.values()));
    }

    private static float[] floats(Values values) {
        if (values instanceof Values.Floats(float[] array, int at, int length)) {
            return at == 0 ? array : Arrays.copyOfRange(array, at, at + length);
        }
        throw new IllegalArgumentException("updates within a budget are floats; push doubles without one");
    }

    private void sendSome(long clock) {
        double bytes = ration.allows(session.station().nowNanos());
        List<Slice> slices = new ArrayList<>();
        for (var entry : pending.entrySet()) {
            Pending rows = entry.getValue();
            int width = session.layout().tables()[entry.getKey()].width();
            double left = bytes - cost(slices) - overhead(entry.getKey(), slices.isEmpty());
            int most = (int) Math.min(rows.count(), Math.max(0, left / rowBytes(width)));
            if (most > 0 && (most >= LEAST_ROWS || most == rows.count())) {
                slices.add(slice(entry.getKey(), rows.take(most, priority)));
            }
        }
        if (!slices.isEmpty()) {
            push(clock, slices);
        }
    }

    private void push(long clock, List<Slice> slices) {
        ration.spend(cost(slices));
        session.update(stream, clock, slices.toArray(Slice[]::new));
    }

    private static Slice slice(int table, Pending.Rows rows) {
        return new Slice(table, Keys.once(rows.keys(), rows.keys().length), rows.changes());
    }

    /// Bytes that slices take, at most.
    private double cost(List<Slice> slices) {
        double bytes = slices.isEmpty() ? seats() * SEAT_BYTES : 0;
        for (int s = 0; s < slices.size(); s++) {
            Slice slice = slices.get(s);
            int width = session.layout().tables()[slice.table()].width();
            bytes += overhead(slice.table(), s == 0) + slice.keys().count() * rowBytes(width);
        }
        return bytes;
    }

    private double overhead(int table, boolean first) {
        Layout layout = session.layout();
        return (first ? seats() * SEAT_BYTES : 0) + layout.tables()[table].shards() * SHARD_BYTES;
    }

    private int seats() {
        return session.layout().seats();
    }

    private static double rowBytes(int width) {
        return Long.BYTES + (double) Float.BYTES * width;
    }
}
