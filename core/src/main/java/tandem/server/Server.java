package tandem.server;

import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tandem.filter.Filters;
import tandem.wire.Address;
import tandem.wire.Chain;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.Party;
import tandem.wire.Reached;
import tandem.wire.Rights;
import tandem.wire.Values;

/// A server: a copy of each seat that the layout gives it. What is said about a seat goes to the copy.
public final class Server implements Party {

    /// The usual memory for key lists.
    public static final long LIST_BYTES = 256L << 20;

    /// How long updates usually wait for each other where they are passed on as one.
    public static final long GATHER_NANOS = 250_000_000;

    /// How often to look after what is under way, where no message is lost.
    private static final long LIFE_SIGN_NANOS = 200_000_000;

    private final int number;
    private final long tickNanos;
    private final Seat.Means means;
    private final ReadLease reads;
    private final TreeMap<Integer, Seat> seats = new TreeMap<>();
    private Layout layout = Layout.NONE;
    private boolean ticking;

    /// What its work depends on besides rules and filters.
    ///
    /// @param salt        decides where keys go that someone chose to crowd; nothing else depends on it
    /// @param listBytes   the most memory that remembered key lists may take
    /// @param resendNanos how long to wait for another server's answer before asking again
    /// @param leaseNanos  how long it may answer reads without a word from the coordinator; less than the silence
    ///                    after which that takes it for lost
    /// @param inOrder     whether updates are applied when every stream has finished their clock, stream by
    ///                    stream, so that rows have the same bits in whatever order updates come
    /// @param gatherNanos how long the first server of a chain waits for an update of each stream, to pass them on
    ///                    as one, their sum; 0 if each goes on by itself
    /// @param reached     how far streams came before
    public record Ways(
            long salt,
            long listBytes,
            long resendNanos,
            long leaseNanos,
            boolean inOrder,
            long gatherNanos,
            Reached reached) {

        /// Sums come out otherwise if somebody was late, so that there is no order to keep.
        public Ways {
            if (inOrder && gatherNanos > 0) {
                throw new IllegalArgumentException(
                        "updates that are gathered are applied when enough of them have come,"
                                + " which is not always the same; have them gathered, or applied in order");
            }
        }

        /// Where all streams begin anew, and each update goes on by itself.
        public Ways(long salt, long listBytes, long resendNanos, long leaseNanos, boolean inOrder) {
            this(salt, listBytes, resendNanos, leaseNanos, inOrder, 0, Reached.NOTHING);
        }

        /// Where no message is lost.
        public static Ways usual(long salt) {
            return new Ways(salt, LIST_BYTES, Long.MAX_VALUE, Long.MAX_VALUE, false);
        }

        public Ways withListBytes(long bytes) {
            return new Ways(salt, bytes, resendNanos, leaseNanos, inOrder, gatherNanos, reached);
        }

        /// The same with updates passed on as one, whenever there is one of each stream or some have waited so long.
        public Ways gathering(long nanos) {
            return new Ways(salt, listBytes, resendNanos, leaseNanos, inOrder, nanos, reached);
        }

        boolean gathers() {
            return gatherNanos > 0;
        }
    }

    /// The same with the usual filters, where no message is lost.
    public Server(int number, Rules rules, long salt) {
        this(number, rules, new Filters(), Ways.usual(salt));
    }

    public Server(int number, Rules rules, Filters filters, Ways ways) {
        this.number = number;
        this.tickNanos = Math.min(
                Math.min(ways.resendNanos, ways.leaseNanos / 4),
                ways.gathers() ? Math.min(ways.gatherNanos, LIFE_SIGN_NANOS) : LIFE_SIGN_NANOS);
        this.reads = new ReadLease(ways.leaseNanos);
        this.means = new Seat.Means(number, rules, filters, ways, new KeyLists(ways.listBytes), reads);
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        switch (message) {
            case Message.Seated(int seat, Message about) -> onSeated(from, seat, about, nowNanos, out);
            case Message.Placed placed
            when from.equals(Address.COORDINATOR) -> onPlaced(placed.layout(), nowNanos, out);
            case Message.Renewed(long stamp) when from.equals(Address.COORDINATOR) -> reads.renew(stamp);
            case Message.Heartbeat _ -> onHeartbeat(from, out);
            default -> throw new IllegalArgumentException("a server was sent " + message);
        }
    }

    /// Who waits for an answer wants to know whether anybody is there.
    private void onHeartbeat(Address from, Outbox out) {
        if (from.role() == Address.Role.WORKER || from.role() == Address.Role.READER) {
            out.send(from, new Message.Heartbeat(layout.epoch(), 0, 0));
        }
    }

    /// Has its seats send again what nobody has answered.
    @Override
    public void wake(long tag, long nowNanos, Outbox out) {
        ticking = false;
        renew(nowNanos, out);
        seats.forEach((seat, copy) -> {
            if (copy.resend(nowNanos, new SeatOutbox(seat, out))) {
                tick(nowNanos, out);
            }
        });
    }

    private void renew(long nowNanos, Outbox out) {
        if (reads.isNeeded() && !seats.isEmpty()) {
            out.send(Address.COORDINATOR, new Message.Renew(layout.epoch(), nowNanos));
            tick(nowNanos, out);
        }
    }

    private void tick(long nowNanos, Outbox out) {
        if (!ticking) {
            ticking = true;
            out.wakeAt(nowNanos + tickNanos, 0);
        }
    }

    private void onSeated(Address from, int number, Message about, long nowNanos, Outbox out) {
        Outbox answers = new SeatOutbox(number, out);
        Seat seat = seats.get(number);
        if (seat == null && from.role() != Address.Role.SERVER) {
            answers.send(from, new Message.Fenced(layout.epoch(), -1, 0));
        } else if (seat != null) {
            seat.receive(from, about, nowNanos, answers);
            if (layout.chains()[number].servers().length > 1) {
                tick(nowNanos, out); // there may be something to send again
            }
        }
    }

    /// Says for a seat what it sends.
    private record SeatOutbox(int seat, Outbox out) implements Outbox {

        @Override
        public void send(Address to, Message message) {
            out.send(to, Rights.isOfSeat(message) ? new Message.Seated(seat, message) : message);
        }

        @Override
        public boolean takesAtOnce(Address to) {
            return out.takesAtOnce(to);
        }

        @Override
        public void release(Values values) {
            out.release(values);
        }

        @Override
        public void wakeAt(long nanos, long tag) {
            out.wakeAt(nanos, tag);
        }
    }

    private void onPlaced(Layout placed, long nowNanos, Outbox out) {
        if (placed.epoch() <= layout.epoch()) {
            return;
        }
        layout = placed;
        for (int seat = 0; seat < placed.seats(); seat++) {
            int position = placed.chains()[seat].position(number);
            if (position < 0) {
                drop(seat);
            } else {
                hold(seat, position).place(placed, nowNanos, new SeatOutbox(seat, out));
            }
        }
        renew(nowNanos, out);
    }

    /// The copy of a seat. Whoever was put out of a chain and came back begins anew, whether it noticed or not.
    private Seat hold(int seat, int position) {
        Chain chain = layout.chains()[seat];
        long since = chain.since()[position];
        if (seats.containsKey(seat) && seats.get(seat).since() != since) {
            drop(seat);
        }
        return seats.computeIfAbsent(
                seat, _ -> new Seat(seat, layout.streams(), since, position < chain.whole(), means));
    }

    private void drop(int seat) {
        Seat dropped = seats.remove(seat);
        if (dropped != null) {
            dropped.shards().forEach(Shard::forgetLists);
        }
    }

    /// The epoch it knows.
    public long epoch() {
        return layout.epoch();
    }

    /// The first weight of a row, of a shard that is here; 0 if there is no such row.
    public double value(int table, long key) {
        Row row = held(table, layout.tables()[table].shardOf(key)).find(key);
        return row == null ? 0 : row.weight(0);
    }

    /// What its copy of a seat holds, in short: equal where copies are; null if it has none, or not all of it yet.
    public Print print(int seat) {
        Seat copy = seats.get(seat);
        return copy == null ? null : copy.print();
    }

    /// How many updates have passed through its copy of a seat; −1 if it has none, or not all of it yet.
    public long passed(int seat) {
        Seat copy = seats.get(seat);
        return copy == null ? -1 : copy.passed();
    }

    /// @param updates how many updates have passed through it
    /// @param rows    a hash of its rows with all that their rules remember, in whatever order they lie
    /// @param applied a hash of which updates of which stream are in them
    public record Print(long updates, long rows, long applied) {}

    /// How many rows it holds.
    public long size() {
        return held().mapToLong(Shard::size).sum();
    }

    /// Shows the weights of the rows that are here of one shard; nothing if the shard is elsewhere.
    public void forEach(int table, int shard, Consumer<Row> visitor) {
        Shard held = held(table, shard);
        if (held != null) {
            held.forEach(visitor);
        }
    }

    /// The shards of a table for which this server speaks, ascending: where others have copies, one does.
    public int[] led(int table) {
        return IntStream.of(shards(table))
                .filter(shard -> seats.get(layout.owners()[table][shard]).isHead())
                .toArray();
    }

    /// The shards of a table that are here, ascending.
    public int[] shards(int table) {
        return IntStream.range(0, layout.tables()[table].shards())
                .filter(shard -> held(table, shard) != null)
                .toArray();
    }

    /// How many rows one shard has; −1 if it is elsewhere.
    public int size(int table, int shard) {
        Shard held = held(table, shard);
        return held == null ? -1 : held.size();
    }

    /// Makes the row of a key, which is of a shard that is here, stand for `weight` as if that had been learned.
    public void start(int table, long key, double weight) {
        held(table, layout.tables()[table].shardOf(key)).start(key, weight);
    }

    /// Makes what such a row has beside its weight, in a table of rows of lengths of their own, the numbers of
    /// `beside` from `from` on.
    public void start(int table, long key, float[] beside, int from) {
        held(table, layout.tables()[table].shardOf(key)).start(key, beside, from);
    }

    /// All rows of a shard that is here as they are now, with all that its rule remembers of them.
    public List<Part> copied(int table, int shard) {
        return held(table, shard).copied();
    }

    /// Makes rows, which are of a shard that is here, what they were where they were [#copied].
    public void put(Part rows) {
        held(rows.table(), rows.shard()).put(rows);
    }

    /// How often a shard that is here has been changed: while this stays the same, so do its rows.
    public long changes(int table, int shard) {
        return held(table, shard).changes();
    }

    private Shard held(int table, int shard) {
        Seat seat = seats.get(layout.owners()[table][shard]);
        return seat == null ? null : seat.shard(table, shard);
    }

    private Stream<Shard> held() {
        return seats.values().stream().flatMap(seat -> seat.shards().stream());
    }

    /// What it holds, and the memory that takes: rows with what their rules remember, the index that finds them, and
    /// remembered key lists.
    public Memory memory() {
        return new Memory(
                size(),
                held().mapToLong(Shard::rowBytes).sum(),
                held().mapToLong(Shard::indexBytes).sum(),
                means.lists().bytes() + held().mapToLong(Shard::listBytes).sum());
    }

    public record Memory(long rows, long rowBytes, long indexBytes, long listBytes) {}

    /// How many keys got a row, were refused one, and lost it, in tables where that can be.
    public Upkept upkept() {
        return held().map(Shard::tally)
                .filter(tally -> tally != null)
                .map(tally -> new Upkept(tally.admitted(), tally.refused(), tally.evicted()))
                .reduce(new Upkept(0, 0, 0), Upkept::plus);
    }

    /// @param admitted keys that got a row
    /// @param refused  times that a key was in an update, had no row and got none
    /// @param evicted  rows that made room for others
    public record Upkept(long admitted, long refused, long evicted) {

        Upkept plus(Upkept other) {
            return new Upkept(admitted + other.admitted, refused + other.refused, evicted + other.evicted);
        }
    }

    @Override
    public String toString() {
        return "server " + number + " in epoch " + layout.epoch() + " with " + seats;
    }
}
