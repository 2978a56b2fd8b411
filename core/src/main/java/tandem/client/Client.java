package tandem.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import tandem.consistency.After;
import tandem.filter.Filters;
import tandem.filter.Tally;
import tandem.wire.Address;
import tandem.wire.Age;
import tandem.wire.Figures;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// A worker's side of the protocol: numbers the updates of its streams, asks again until it is answered, and
/// follows the layout from epoch to epoch. What a request refers to must stay as it is until its ticket is done.
public final class Client implements Party {

    /// How many updates of a stream may be under way.
    public static final int WINDOW = 1024;

    /// However often nothing came, it is asked again after so many times the first wait: an answer to that, even that
    /// the pull is held back, shows that the server is alive.
    private static final int MOST_RESENDS = 4;

    /// The clock of a stream that is over, so that nobody waits for it.
    public static final long OVER = Long.MAX_VALUE - 1;

    /// How long to wait for a sign of life from a server that holds an answer back, where nothing is asked twice.
    private static final long LIFE_SIGN_NANOS = 200_000_000;

    private final long resendNanos;
    private final long tickNanos;
    private final Streams streams;
    private final UnderWay underWay;
    private final TreeMap<Long, Wish> wishes = new TreeMap<>();
    private final Staleness staleness = new Staleness();
    private final RowCache rows = new RowCache();
    private final Filtering filtering;
    private final Seats seats;
    private final LifeSigns signs = new LifeSigns();
    private final Gate gate = new Gate();
    private final Replies replies;
    private boolean ticking;
    private Reads readsFrom = Reads.HEAD;

    /// The same with the usual filters.
    public Client(long resendNanos) {
        this(resendNanos, new Filters());
    }

    /// @param resendNanos how long to wait for an answer before asking again, the first time
    /// @param filters     what tables may name as their filters; servers have the same
    public Client(long resendNanos, Filters filters) {
        this.filtering = new Filtering(filters);
        this.seats = new Seats(filtering);
        this.streams = new Streams(resendNanos);
        this.underWay = new UnderWay(streams);
        this.replies = new Replies(underWay, streams, seats, rows, filtering, staleness);
        this.resendNanos = resendNanos;
        this.tickNanos = Math.min(resendNanos, LIFE_SIGN_NANOS);
    }

    /// Says which life of its node this is, before anything else: requests are numbered apart from those of lives
    /// before, because answers to those may still come.
    public void inLife(long life) {
        underWay.inLife(life);
    }

    /// Has the server of a chain answer reads that are for one use.
    public void readsFrom(Reads server) {
        readsFrom = server;
    }

    /// Has parts of an update go to a chain ahead of the rest as soon as there are so many bytes.
    public void sendsAhead(long bytes) {
        seats.sendsAhead(bytes);
    }

    public Layout layout() {
        return seats.layout();
    }

    /// Whether some table has a filter that keeps changes back, and sends them later.
    boolean holdsBack() {
        return filtering.holdsBack();
    }

    /// How often streams came or went.
    public long moves() {
        return streams.moves();
    }

    /// The number of the lease by which this worker holds `stream`; 0 if it does not.
    public long lease(int stream) {
        Streams.Held held = streams.find(stream);
        return held == null ? 0 : held.lease;
    }

    /// Whether whoever had a stream before is gone and has not told what it did; true once.
    boolean takeOrphaned(int stream) {
        return streams.takeOrphaned(stream);
    }

    /// A ticket for each stream that is still to be taken over from whoever worked on it before.
    public List<Ticket> claims() {
        return streams.claims();
    }

    /// The streams that this worker holds, ascending.
    public int[] streams() {
        return streams.numbers();
    }

    /// The updates of `stream` sent so far.
    public long sent(int stream) {
        return streams.get(stream).sent;
    }

    /// The clocks of `stream` finished so far.
    public long clock(int stream) {
        return streams.get(stream).clock;
    }

    /// How far behind the reader what it read was.
    public Staleness staleness() {
        return staleness;
    }

    /// What each filter was given and made of it so far, in bytes, by name.
    public Map<String, Tally.Bytes> filtered() {
        return filtering.counted();
    }

    /// Sends the next update of a stream, with which it reaches `clock`. Of a stream that has passed to somebody else
    /// there is nothing to send.
    public Ticket update(int stream, long clock, long nowNanos, Outbox out, Slice... slices) {
        return update(stream, clock, Age.UNKNOWN, nowNanos, out, slices);
    }

    /// The same of this age.
    public Ticket update(int stream, long clock, Age age, long nowNanos, Outbox out, Slice... slices) {
        if (streams.hasLeft(stream)) {
            Ticket none = new Ticket(() -> null);
            none.complete();
            return none;
        }
        gate.checkPush(layout(), slices);
        Streams.Held held = streams.advance(stream, clock);
        return send(held, update(stream, held, age, slices, null).chosen(), nowNanos, out);
    }

    /// Sends something of what filters hold back of a stream; null if they hold back nothing.
    public Ticket rest(int stream, long nowNanos, Outbox out) {
        Slice[] rest = streams.hasLeft(stream) ? null : filtering.rest(stream);
        if (rest == null) {
            return null;
        }
        Streams.Held held = streams.advance(stream, clock(stream));
        return send(held, update(stream, held, Age.UNKNOWN, rest, null), nowNanos, out);
    }

    private Request.Update update(int stream, Streams.Held held, Age age, Slice[] slices, Values[] back) {
        return new Request.Update(stream, held.sent, slices, held.lease, held.clock, age, back, filtering);
    }

    /// The same, with its rows coming back as they are after it, into `back`.
    public Ticket pushPull(int stream, long clock, Slice slice, Values back, long nowNanos, Outbox out) {
        gate.checkPush(layout(), slice);
        gate.checkPull(layout(), new Slice(slice.table(), slice.keys(), back));
        Streams.Held held = streams.advance(stream, clock);
        Slice[] slices = {slice};
        Values[] places = {back};
        return send(held, update(stream, held, Age.UNKNOWN, slices, places).chosen(), nowNanos, out);
    }

    /// Sends the next update of a stream, made by a function that servers run over their rows.
    public Ticket change(int stream, long clock, Call call, long nowNanos, Outbox out) {
        layout().spec(call.table());
        Streams.Held held = streams.advance(stream, clock);
        return send(held, new Request.Change(stream, held.sent, held.lease, clock, call), nowNanos, out);
    }

    private Ticket send(Streams.Held held, Request request, long nowNanos, Outbox out) {
        held.updates.put(request.number, request);
        start(request, nowNanos, out);
        return request.ticket;
    }

    /// Refuses slices that could not be sent as an update.
    void checkPush(Slice... slices) {
        gate.checkPush(layout(), slices);
    }

    /// Refuses slices that rows could not go to.
    void checkPull(Slice... slices) {
        gate.checkPull(layout(), slices);
    }

    /// Whether [#update] may be called: not too many of the stream are under way.
    public boolean isOpen(int stream) {
        return streams.isOpen(stream);
    }

    /// The oldest update of a stream that is under way, or null.
    Ticket oldest(int stream) {
        return streams.oldest(stream);
    }

    /// Asks for rows, into the arrays of the slices.
    ///
    /// @param stream the stream that reads, or a negative number for none
    public Ticket pull(int stream, After after, boolean make, long nowNanos, Outbox out, Slice... slices) {
        return pull(stream, after, make, false, useOfReads(), nowNanos, out, slices);
    }

    /// The same of keys that an update will follow, where the slices have the rows as they were before their last step:
    /// those that filters leave out stay.
    public Ticket pullHeld(int stream, After after, long nowNanos, Outbox out, Slice... slices) {
        return pull(stream, after, true, true, useOfReads(), nowNanos, out, slices);
    }

    private Request.Pull.Use useOfReads() {
        return readsFrom == Reads.TAIL ? Request.Pull.Use.SETTLED : Request.Pull.Use.ONCE;
    }

    /// Asks for rows as all copies have them: each row has every update that was acknowledged before, and no later read
    /// of this kind has fewer.
    public Ticket settled(int stream, After after, long nowNanos, Outbox out, Slice... slices) {
        return pull(stream, after, false, false, Request.Pull.Use.SETTLED, nowNanos, out, slices);
    }

    /// Asks for rows that are kept for later reads; followed rows are told of as they change.
    Ticket fetch(int stream, After after, boolean follow, long nowNanos, Outbox out, Slice... slices) {
        // First, because a row that comes back must not be forgotten at its server.
        unfollow(out);
        Request.Pull.Use use = follow ? Request.Pull.Use.FOLLOW : Request.Pull.Use.KEEP;
        return pull(stream, after, follow, false, use, nowNanos, out, slices);
    }

    private Ticket pull(
            int stream,
            After after,
            boolean make,
            boolean held,
            Request.Pull.Use use,
            long nowNanos,
            Outbox out,
            Slice... slices) {
        gate.checkPull(layout(), slices);
        Request request = new Request.Pull(stream, underWay.nextNumber(), slices, after, make, held, use, filtering);
        underWay.add(request);
        start(request, nowNanos, out);
        return request.ticket;
    }

    /// Tells servers which rows are not kept any more.
    private void unfollow(Outbox out) {
        TreeMap<Integer, TreeSet<Long>> dropped = rows.takeDropped();
        if (dropped.isEmpty()) {
            return;
        }
        List<Slice> slices = new ArrayList<>();
        dropped.forEach((table, keys) -> {
            long[] list = keys.stream().mapToLong(Long::longValue).toArray();
            slices.add(new Slice(table, Keys.once(list, list.length), new float[0]));
        });
        Plan plan = Plan.of(layout(), slices.toArray(Slice[]::new), false, part -> part);
        for (int seat = 0; seat < plan.seats(); seat++) {
            if (plan.parts(seat).length > 0) {
                seats.tell(seat, new Message.Unfollow(layout().epoch(), underWay.lastNumber(), plan.parts(seat)), out);
            }
        }
    }

    /// The rows that this worker keeps.
    RowCache rows() {
        return rows;
    }

    /// Asks for what a function makes of the rows of a table.
    ///
    /// @param merge puts the results of two shards together
    public Answer compute(
            int stream, After after, Call call, BinaryOperator<Figures> merge, long nowNanos, Outbox out) {
        layout().spec(call.table());
        Request.Compute request = new Request.Compute(stream, underWay.nextNumber(), after, call);
        underWay.add(request);
        start(request, nowNanos, out);
        return new Answer(request.ticket, request::results, merge);
    }

    /// Asks for another table; done when everyone knows it.
    public Ticket create(TableSpec table, long nowNanos, Outbox out) {
        return wish(new Message.Create(underWay.nextNumber(), table), nowNanos, out);
    }

    /// Asks that a table be dropped; done when everyone knows.
    public Ticket drop(String table, long nowNanos, Outbox out) {
        return wish(new Message.Drop(underWay.nextNumber(), table), nowNanos, out);
    }

    private Ticket wish(Message message, long nowNanos, Outbox out) {
        Wish wish = new Wish(message, nowNanos);
        wishes.put(underWay.lastNumber(), wish);
        out.send(Address.COORDINATOR, message);
        tick(nowNanos, out);
        return wish.ticket;
    }

    private void start(Request request, long nowNanos, Outbox out) {
        request.plan(layout());
        if (request.missing == 0) {
            underWay.finish(request);
            return;
        }
        request.waitNanos = resendNanos;
        request.sentNanos = nowNanos;
        seats.sendFirst(request, out);
        tick(nowNanos, out);
    }

    private void tick(long nowNanos, Outbox out) {
        if (!ticking) {
            ticking = true;
            out.wakeAt(nowNanos + tickNanos, 0);
        }
    }

    private void send(Request request, long nowNanos, Outbox out) {
        request.sentNanos = nowNanos;
        seats.send(request, out);
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        signs.heard(from, nowNanos);
        switch (message) {
            case Message.Seated(int seat, Message about) -> replies.receive(seat, about, out);
            case Message.Laid laid -> onLaid(laid);
            case Message.Placed(Layout placed, var _, Lease[] leases, long _) ->
                onPlaced(placed, leases, nowNanos, out);
            case Message.Heartbeat _ -> {}
            default -> throw new IllegalArgumentException("a worker was sent " + message);
        }
    }

    /// Asks again what has waited too long, each time with twice the patience.
    @Override
    public void wake(long tag, long nowNanos, Outbox out) {
        boolean busy = resend(underWay.reads(), nowNanos, out) || !wishes.isEmpty();
        wishes.values().forEach(wish -> wish.repeat(nowNanos, resendNanos, out));
        ticking = resend(streams.updates(), nowNanos, out) || busy;
        if (ticking) {
            askForLife(nowNanos, out);
            out.wakeAt(nowNanos + tickNanos, 0);
        }
    }

    /// Asks servers that are waited for whether they are there, where requests are not repeated.
    private void askForLife(long nowNanos, Outbox out) {
        if (tickNanos == resendNanos) {
            return;
        }
        for (int number = 0; number < signs.servers(); number++) {
            Address server = Address.server(number);
            if (nowNanos - signs.heardNanos(server) >= tickNanos
                    && underWay.reads().stream().anyMatch(read -> awaits(read, server))) {
                out.send(server, new Message.Heartbeat(layout().epoch(), 0, 0));
            }
        }
    }

    private boolean awaits(Request read, Address server) {
        for (int seat = 0; seat < layout().seats(); seat++) {
            if (read.isAwaited(seat) && read.answerer(seat).equals(server)) {
                return true;
            }
        }
        return false;
    }

    private boolean resend(Collection<Request> requests, long nowNanos, Outbox out) {
        for (Request request : requests) {
            if (nowNanos - request.sentNanos >= request.waitNanos) {
                request.waitNanos = Math.min(2 * request.waitNanos, MOST_RESENDS * resendNanos);
                send(request, nowNanos, out);
            }
        }
        return !requests.isEmpty();
    }

    private void onLaid(Message.Laid laid) {
        Wish wish = wishes.remove(laid.request());
        if (wish != null) {
            wish.end(laid.refused());
        }
    }

    private void onPlaced(Layout placed, Lease[] leases, long nowNanos, Outbox out) {
        Layout before = layout();
        if (placed.epoch() <= before.epoch()) {
            return;
        }
        seats.place(placed);
        rows.clear();
        filtering.place(placed);
        if (streams.place(leases)) {
            underWay.endReadsOfStreams();
        }
        signs.place(placed);
        List<Request> under = new ArrayList<>(underWay.takeReads());
        under.addAll(streams.updates());
        under.forEach(request -> again(request, before, nowNanos, out));
        if (!under.isEmpty()) {
            tick(nowNanos, out);
        }
    }

    /// Asks the servers of a new layout from the start. What read or changed a table that was dropped fails: a read at
    /// once; an update once everyone knows its number, because the other tables count it.
    private void again(Request request, Layout before, long nowNanos, Outbox out) {
        boolean lost = request.uses(table -> !layout().has(table));
        if (lost) {
            request.refuse("a table was dropped while it was in use: " + dropped(request, before));
        }
        if (request.isUpdate()) {
            request.plan(layout());
            send(request, nowNanos, out);
        } else if (lost) {
            request.end();
        } else {
            // Under a new number, so that what is still under way for the old layout is not taken for an answer.
            request.number = underWay.nextNumber();
            underWay.add(request);
            request.plan(layout());
            send(request, nowNanos, out);
        }
    }

    private String dropped(Request request, Layout before) {
        return IntStream.range(0, before.tables().length)
                .filter(table -> before.has(table) && !layout().has(table) && request.uses(used -> used == table))
                .mapToObj(table -> before.tables()[table].name())
                .collect(Collectors.joining(", "));
    }

    /// When a server or the coordinator was last heard; 0 for never.
    long heardNanos(Address node) {
        return signs.heardNanos(node);
    }
}
