package tandem.server;

import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tandem.filter.Filters;
import tandem.wire.Address;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;

/// A server: a copy of each seat that the layout gives it. What is said about a seat goes to the copy.
public final class Server implements Party {

    private static final long LIST_BYTES = 256L << 20;

    private final int number;
    private final Seat.Means means;
    private final TreeMap<Integer, Seat> seats = new TreeMap<>();
    private Layout layout = Layout.NONE;

    /// The same with the usual filters, and memory for key lists.
    public Server(int number, Rules rules, long salt) {
        this(number, rules, new Filters(), salt, LIST_BYTES);
    }

    /// The same with the usual memory for key lists.
    public Server(int number, Rules rules, Filters filters, long salt) {
        this(number, rules, filters, salt, LIST_BYTES);
    }

    /// @param listBytes the most memory that remembered key lists may take
    /// @param salt decides where keys go that someone chose to crowd; nothing else depends on it
    public Server(int number, Rules rules, Filters filters, long salt, long listBytes) {
        this.number = number;
        this.means = new Seat.Means(number, rules, filters, salt, new KeyLists(listBytes));
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        switch (message) {
            case Message.Seated(int seat, Message about) -> onSeated(from, seat, about, out);
            case Message.Placed placed when from.equals(Address.COORDINATOR) -> onPlaced(placed.layout());
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

    private void onSeated(Address from, int number, Message about, Outbox out) {
        Outbox answers = new SeatOutbox(number, out);
        Seat seat = seats.get(number);
        if (seat == null) {
            answers.send(from, new Message.Fenced(layout.epoch(), -1, 0));
        } else {
            seat.receive(from, about, answers);
        }
    }

    /// Says for a seat what it sends.
    private record SeatOutbox(int seat, Outbox out) implements Outbox {

        @Override
        public void send(Address to, Message message) {
            out.send(to, new Message.Seated(seat, message));
        }

        @Override
        public void wakeAt(long nanos, long tag) {
            out.wakeAt(nanos, tag);
        }
    }

    private void onPlaced(Layout placed) {
        if (placed.epoch() <= layout.epoch()) {
            return;
        }
        layout = placed;
        for (int seat = 0; seat < placed.seats(); seat++) {
            if (placed.chains()[seat].has(number)) {
                int added = seat;
                seats.computeIfAbsent(seat, _ -> new Seat(added, placed.streams(), means))
                        .place(placed);
            } else {
                seats.remove(seat);
            }
        }
    }

    /// How many rows it holds.
    public long size() {
        return held().mapToLong(Shard::size).sum();
    }

    /// Shows the weights of the rows that are here of one shard; nothing if the shard is elsewhere.
    public void forEach(int table, int shard, Visitor visitor) {
        Shard held = held(table, shard);
        if (held != null) {
            held.forEach(visitor);
        }
    }

    /// The shards of a table that are here, ascending.
    public int[] shards(int table) {
        return IntStream.range(0, layout.tables()[table].shards())
                .filter(shard -> held(table, shard) != null)
                .toArray();
    }

    /// How many rows one shard has, which is here.
    public int size(int table, int shard) {
        return held(table, shard).size();
    }

    /// Makes the row of a key, which is of a shard that is here, stand for `weight` as if that had been learned.
    public void start(int table, long key, float weight) {
        held(table, layout.tables()[table].shardOf(key)).start(key, weight);
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
                means.lists().bytes());
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

    /// Sees a key, and where the weights of its row are: `count` of them from `at` on, `step` apart.
    @FunctionalInterface
    public interface Visitor {
        void visit(long key, float[] entries, int at, int step, int count);
    }
}
