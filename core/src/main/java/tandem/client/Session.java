package tandem.client;

import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.LongConsumer;
import tandem.consistency.After;
import tandem.filter.Tally;
import tandem.wire.Address;
import tandem.wire.Age;
import tandem.wire.Figures;
import tandem.wire.Layout;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// The calls of a worker's loop: ordinary blocking Java over a [Client], in whatever runtime the [Station] is of.
/// Belongs to one thread.
public final class Session {

    /// For [#sendWhile]: always.
    public static final long WHATEVER_MOVES = -1;

    private final Client client;
    private final Station station;
    private final Waiting waiting;
    private long sendWhile = WHATEVER_MOVES;
    private long sentNanos;

    /// @param silenceNanos how long somebody that is waited for may be silent
    public Session(Address self, Client client, Station station, long silenceNanos) {
        this.client = client;
        this.station = station;
        this.waiting = new Waiting(self, station, silenceNanos, client::heardNanos);
    }

    public Layout layout() {
        return station.turn((_, _) -> client.layout());
    }

    /// The streams that this worker holds, ascending. Waits until those are taken over that somebody else worked on.
    public int[] streams() {
        station.turn((_, _) -> client.claims()).forEach(this::await);
        return station.turn((_, _) -> client.streams());
    }

    /// Has updates sent only while [#moves] is so; what is sent after that goes nowhere, and its ticket is done.
    /// Whoever works for several streams may not have noticed yet that one of them is somebody else's, or was
    /// meanwhile.
    public void sendWhile(long moved) {
        sendWhile = moved;
    }

    private boolean sends() {
        return sendWhile == WHATEVER_MOVES || client.moves() == sendWhile;
    }

    /// Whether some table has a filter that keeps changes back, and sends them later as updates of their own.
    public boolean holdsBack() {
        return station.turn((_, _) -> client.holdsBack());
    }

    /// How often streams came to this worker or went from it.
    public long moves() {
        return station.turn((_, _) -> client.moves());
    }

    /// Whether whoever had a stream before is gone and has not told what it did; true once.
    public boolean takeOrphaned(int stream) {
        return station.turn((_, _) -> client.takeOrphaned(stream));
    }

    /// Sends an update of `stream`, with which it reaches `clock`; waits first if too many are under way.
    public Ticket update(int stream, long clock, Slice... slices) {
        return update(stream, clock, Age.UNKNOWN, slices);
    }

    /// The same of this age.
    public Ticket update(int stream, long clock, Age age, Slice... slices) {
        return update(stream, clock, age, _ -> {}, slices);
    }

    /// The same; `sentAs` is told its number in the turn that sends it, before anything can come of it.
    Ticket update(int stream, long clock, Age age, LongConsumer sentAs, Slice... slices) {
        awaitRoom(stream);
        return sending((now, out) -> {
            if (!sends()) {
                return done();
            }
            Ticket ticket = client.update(stream, clock, age, now, out, slices);
            sentAs.accept(client.sent(stream));
            return ticket;
        });
    }

    /// Sends an update of `stream` that belongs to the clock it is in, and once that is with all servers another
    /// one, of nothing, with which the stream reaches `clock`. Waits first if too many are under way. Done when the
    /// first is.
    public Ticket updateThenTick(int stream, long clock, Age age, Slice... slices) {
        long[] number = {0};
        Ticket sent = update(stream, clock(stream), age, last -> number[0] = last, slices);
        whenDone(sent, () -> {
            // Unless the stream has passed to somebody else.
            if (sent.failure() == null && client.sent(stream) == number[0]) {
                tick(stream, clock);
            }
        });
        return sent;
    }

    /// The same, where that other one does not wait for the first to be with all servers. Waits before each of both if
    /// too many are under way.
    public Ticket updateAndTick(int stream, long clock, Age age, Slice... slices) {
        Ticket sent = update(stream, clock(stream), age, slices);
        awaitRoom(stream);
        tick(stream, clock);
        return sent;
    }

    /// Has `stream` reach `clock` without a change; the updates it still waits for must leave room for one.
    public void tick(int stream, long clock) {
        station.turn((now, out) -> sends() ? client.update(stream, clock, now, out) : done());
    }

    private static Ticket done() {
        Ticket done = new Ticket(() -> null);
        done.complete();
        return done;
    }

    /// Sends an update of `stream` and has its rows come back, as they are after it, into `back`: one round trip. Does
    /// not wait for anybody else's updates.
    public Ticket pushPull(int stream, long clock, Slice slice, Values back) {
        awaitRoom(stream);
        return sending((now, out) -> client.pushPull(stream, clock, slice, back, now, out));
    }

    /// Has servers change the rows of a table by a function, as an update of `stream`.
    public Ticket change(int stream, long clock, Call call) {
        awaitRoom(stream);
        return sending((now, out) -> sends() ? client.change(stream, clock, call, now, out) : done());
    }

    /// A turn that packs and sends something.
    private Ticket sending(Station.Turn<Ticket> turn) {
        long start = station.nowNanos();
        Ticket sent = station.turn(turn);
        sentNanos += station.nowNanos() - start;
        return sent;
    }

    private void awaitRoom(int stream) {
        Ticket oldest = station.turn((_, _) -> client.isOpen(stream) ? null : client.oldest(stream));
        if (oldest != null) {
            waiting.settle(oldest);
        }
    }

    /// Waits until all updates of a stream are applied, and sends what filters hold back of it. One that
    /// failed has told its own ticket.
    public void flush(int stream) {
        settle(stream);
        for (Ticket rest; (rest = station.turn((now, out) -> client.rest(stream, now, out))) != null; ) {
            await(rest);
        }
    }

    private void settle(int stream) {
        for (Ticket next; (next = station.turn((_, _) -> client.oldest(stream))) != null; ) {
            waiting.settle(next);
        }
    }

    /// Says that a stream is over, and waits until all its updates are applied.
    public void end(int stream) {
        flush(stream);
        update(stream, Client.OVER);
        settle(stream);
    }

    /// Asks for rows of keys that an update will follow.
    public Ticket pull(int stream, After after, Slice... slices) {
        return sending((now, out) -> client.pull(stream, after, true, now, out, slices));
    }

    /// The same where the slices have the rows as they were before their last step: those that filters leave out stay.
    public Ticket pullHeld(int stream, After after, Slice... slices) {
        return sending((now, out) -> client.pullHeld(stream, after, now, out, slices));
    }

    /// Reads rows as they are now.
    public void read(Slice... slices) {
        await(station.turn((now, out) -> client.pull(-1, After.NOTHING, false, now, out, slices)));
    }

    /// Reads rows as all copies have them. Each row has every update that was acknowledged before, and whoever reads it
    /// so later, in whatever session, finds no fewer: single rows are linearizable.
    public void readSettled(Slice... slices) {
        await(station.turn((now, out) -> client.settled(-1, After.NOTHING, now, out, slices)));
    }

    /// Asks for what a function makes of the rows of a table, once what it comes `after` is finished.
    ///
    /// @param stream the stream that asks, or a negative number for none
    /// @param merge  puts the results of two shards together: that of the function
    public Answer compute(int stream, After after, Call call, BinaryOperator<Figures> merge) {
        return station.turn((now, out) -> client.compute(stream, after, call, merge, now, out));
    }

    /// What a function makes of the rows of a table as they are now.
    public Figures compute(Call call, BinaryOperator<Figures> merge) {
        Answer answer = compute(-1, After.NOTHING, call, merge);
        await(answer.ticket());
        return answer.figures();
    }

    /// Adds a table while everything goes on, and waits until everyone knows it; its number is that of the layout.
    public int create(TableSpec table) {
        await(station.turn((now, out) -> client.create(table, now, out)));
        return layout().table(table.name());
    }

    /// Drops a table while everything goes on, and waits until everyone knows. What is under way for it fails.
    public void drop(String table) {
        await(station.turn((now, out) -> client.drop(table, now, out)));
    }

    /// The updates of a stream sent so far.
    public long sent(int stream) {
        return station.turn((_, _) -> client.sent(stream));
    }

    /// The clocks of a stream finished so far.
    public long clock(int stream) {
        return station.turn((_, _) -> client.clock(stream));
    }

    /// Waits until a request is done; says who is silent if that takes too long.
    public void await(Ticket ticket) {
        waiting.await(ticket);
    }

    /// Has `action` run when the ticket is done, well or badly (see [Ticket#failure]), on whichever thread brings the
    /// last answer; at once if it is done already. It may send further requests, and may not wait.
    public void whenDone(Ticket ticket, Runnable action) {
        station.turn((_, _) -> {
            ticket.whenDone(action);
            return null;
        });
    }

    /// How far behind the reader what it read was, over all reads so far. To be used between requests.
    public Staleness staleness() {
        return client.staleness();
    }

    /// What each filter was given and made of it so far, in bytes, by name.
    public Map<String, Tally.Bytes> filtered() {
        return station.turn((_, _) -> client.filtered());
    }

    /// How long this session has waited so far.
    public long waitedNanos() {
        return waiting.waitedNanos();
    }

    /// How long this session has packed and sent updates and pulls so far.
    public long sentNanos() {
        return sentNanos;
    }

    Client client() {
        return client;
    }

    public Station station() {
        return station;
    }
}
