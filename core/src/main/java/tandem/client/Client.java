package tandem.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
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
import tandem.wire.KnownLists;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
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

    /// The bits of a request's number below those of the life that it is made in.
    private static final int LIFE_BITS = 32;

    /// The clock of a stream that is over, so that nobody waits for it.
    public static final long OVER = Long.MAX_VALUE - 1;

    /// How long to wait for a sign of life from a server that holds an answer back, where nothing is asked twice.
    private static final long LIFE_SIGN_NANOS = 200_000_000;

    /// No rows; nobody changes it.
    private static final BitSet NONE_ABSENT = new BitSet();

    /// Parts of an update that are at least so long together go to a chain ahead of the rest.
    private static final long AHEAD_BYTES = 256 << 10;

    private final long resendNanos;
    private final long tickNanos;
    private final TreeMap<Integer, Stream> streams = new TreeMap<>();
    private final TreeMap<Long, Request> reads = new TreeMap<>();
    private final TreeMap<Long, Wish> wishes = new TreeMap<>();
    private final Staleness staleness = new Staleness();
    private final KnownLists known = new KnownLists();
    private final RowCache rows = new RowCache();
    private final Filtering filtering;
    private final Gate gate = new Gate();
    private Layout layout = Layout.NONE;
    private long lastRequest;
    private long[] heardNanos = {};
    private long coordinatorHeardNanos;
    private boolean ticking;
    private long moves;
    private Reads readsFrom = Reads.HEAD;
    private long aheadBytes = AHEAD_BYTES;

    /// Streams that this worker held once, and somebody else works on now.
    private final TreeSet<Integer> left = new TreeSet<>();

    /// A stream that this worker holds: its updates under way, by number. One that somebody else worked on before is
    /// claimed first, which has a number below 0.
    private static final class Stream {
        long lease;
        boolean orphaned;
        long sent;
        long clock;
        Request.Claim claim;
        final TreeMap<Long, Request> updates = new TreeMap<>();
    }

    /// The same with the usual filters.
    public Client(long resendNanos) {
        this(resendNanos, new Filters());
    }

    /// @param resendNanos how long to wait for an answer before asking again, the first time
    /// @param filters     what tables may name as their filters; servers have the same
    public Client(long resendNanos, Filters filters) {
        this.filtering = new Filtering(filters);
        this.resendNanos = resendNanos;
        this.tickNanos = Math.min(resendNanos, LIFE_SIGN_NANOS);
    }

    /// Says which life of its node this is, before anything else: requests are numbered apart from those of lives
    /// before,
    /// because answers to those may still come.
    public void inLife(long life) {
        lastRequest = life << LIFE_BITS;
    }

    /// Has the server of a chain answer reads that are for one use.
    public void readsFrom(Reads server) {
        readsFrom = server;
    }

    /// Has parts of an update go to a chain ahead of the rest as soon as there are so many bytes.
    public void sendsAhead(long bytes) {
        aheadBytes = bytes;
    }

    public Layout layout() {
        return layout;
    }

    private void hold(Lease lease) {
        Stream held = streams.computeIfAbsent(lease.stream(), _ -> new Stream());
        if (lease.number() > held.lease) {
            moves++;
            held.lease = lease.number();
            held.orphaned = lease.orphaned();
            held.sent = 0;
            held.clock = 0;
            leave(held);
            if (lease.number() > 1) {
                held.claim = new Request.Claim(lease.stream(), lease.number());
                held.claim.waitNanos = resendNanos;
                held.updates.put(held.claim.number, held.claim);
            }
        }
    }

    /// Lets go of streams that others work on from now on. What was under way for them is theirs to do, or done.
    private void letGo(Lease[] kept) {
        List<Integer> gone = streams.keySet().stream()
                .filter(stream -> Arrays.stream(kept).noneMatch(lease -> lease.stream() == stream))
                .toList();
        for (int stream : gone) {
            moves++;
            left.add(stream);
            leave(streams.remove(stream));
        }
    }

    /// Nobody waits any longer for what was read for streams when others were to be worked on: a read may wait for a
    /// stream that has just come here.
    private void endReads() {
        List<Request> asked =
                reads.values().stream().filter(read -> read.stream >= 0).toList();
        asked.forEach(read -> reads.remove(read.number));
        asked.forEach(Request::end);
    }

    private static void leave(Stream stream) {
        List<Request> under = List.copyOf(stream.updates.values());
        stream.updates.clear();
        stream.claim = null;
        under.forEach(Request::end);
    }

    /// Whether some table has a filter that keeps changes back, and sends them later.
    boolean holdsBack() {
        return filtering.holdsBack();
    }

    /// How often streams came or went.
    public long moves() {
        return moves;
    }

    /// The number of the lease by which this worker holds `stream`; 0 if it does not.
    public long lease(int stream) {
        Stream held = streams.get(stream);
        return held == null ? 0 : held.lease;
    }

    /// Whether whoever had a stream before is gone and has not told what it did; true once.
    boolean takeOrphaned(int stream) {
        Stream held = streams.get(stream);
        boolean orphaned = held != null && held.orphaned;
        if (orphaned) {
            held.orphaned = false;
        }
        return orphaned;
    }

    /// A ticket for each stream that is still to be taken over from whoever worked on it before.
    public List<Ticket> claims() {
        return streams.values().stream()
                .filter(stream -> stream.claim != null)
                .map(stream -> stream.claim.ticket)
                .toList();
    }

    /// The streams that this worker holds, ascending.
    public int[] streams() {
        return streams.keySet().stream().mapToInt(Integer::intValue).toArray();
    }

    /// The updates of `stream` sent so far.
    public long sent(int stream) {
        return stream(stream).sent;
    }

    /// The clocks of `stream` finished so far.
    public long clock(int stream) {
        return stream(stream).clock;
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
        if (left.contains(stream)) {
            Ticket none = new Ticket(() -> null);
            none.complete();
            return none;
        }
        gate.checkPush(layout, slices);
        Stream held = advance(stream, clock);
        return send(held, update(stream, held, age, slices, null).chosen(), nowNanos, out);
    }

    /// Sends something of what filters hold back of a stream; null if they hold back nothing.
    public Ticket rest(int stream, long nowNanos, Outbox out) {
        Slice[] rest = left.contains(stream) ? null : filtering.rest(stream);
        if (rest == null) {
            return null;
        }
        Stream held = advance(stream, clock(stream));
        return send(held, update(stream, held, Age.UNKNOWN, rest, null), nowNanos, out);
    }

    private Request.Update update(int stream, Stream held, Age age, Slice[] slices, Values[] back) {
        return new Request.Update(stream, held.sent, slices, held.lease, held.clock, age, back, filtering);
    }

    /// The same, with its rows coming back as they are after it, into `back`.
    public Ticket pushPull(int stream, long clock, Slice slice, Values back, long nowNanos, Outbox out) {
        gate.checkPush(layout, slice);
        gate.checkPull(layout, new Slice(slice.table(), slice.keys(), back));
        Stream held = advance(stream, clock);
        Slice[] slices = {slice};
        Values[] places = {back};
        return send(held, update(stream, held, Age.UNKNOWN, slices, places).chosen(), nowNanos, out);
    }

    /// Sends the next update of a stream, made by a function that servers run over their rows.
    public Ticket change(int stream, long clock, Call call, long nowNanos, Outbox out) {
        layout.spec(call.table());
        Stream held = advance(stream, clock);
        return send(held, new Request.Change(stream, held.sent, held.lease, clock, call), nowNanos, out);
    }

    private Ticket send(Stream held, Request request, long nowNanos, Outbox out) {
        held.updates.put(request.number, request);
        start(request, nowNanos, out);
        return request.ticket;
    }

    /// Gives out the next number of a stream.
    private Stream advance(int stream, long clock) {
        Stream held = stream(stream);
        if (held.claim != null) {
            throw new IllegalStateException("stream " + stream + " is still being taken over; wait for that");
        }
        if (!isOpen(stream)) {
            throw new IllegalStateException("stream " + stream + " has " + held.updates.size()
                    + " updates under way, the most there may be; wait for one");
        }
        if (clock < held.clock) {
            throw new IllegalArgumentException(
                    "stream " + stream + " is at clock " + held.clock + " and cannot go back to " + clock);
        }
        held.sent++;
        held.clock = clock;
        return held;
    }

    /// Refuses slices that could not be sent as an update.
    void checkPush(Slice... slices) {
        gate.checkPush(layout, slices);
    }

    /// Refuses slices that rows could not go to.
    void checkPull(Slice... slices) {
        gate.checkPull(layout, slices);
    }

    /// Whether [#update] may be called: not too many of the stream are under way.
    public boolean isOpen(int stream) {
        Stream held = stream(stream);
        return held.updates.isEmpty() || held.sent - held.updates.firstKey() < WINDOW - 1;
    }

    /// The oldest update of a stream that is under way, or null.
    Ticket oldest(int stream) {
        Map.Entry<Long, Request> first = stream(stream).updates.firstEntry();
        return first == null ? null : first.getValue().ticket;
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
        gate.checkPull(layout, slices);
        Request request = new Request.Pull(stream, ++lastRequest, slices, after, make, held, use, filtering);
        reads.put(lastRequest, request);
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
        Plan plan = Plan.of(layout, slices.toArray(Slice[]::new), false, part -> part);
        for (int seat = 0; seat < plan.seats(); seat++) {
            if (plan.parts(seat).length > 0) {
                tell(seat, new Message.Unfollow(layout.epoch(), lastRequest, plan.parts(seat)), out);
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
        layout.spec(call.table());
        Request.Compute request = new Request.Compute(stream, ++lastRequest, after, call);
        reads.put(lastRequest, request);
        start(request, nowNanos, out);
        return new Answer(request.ticket, request::results, merge);
    }

    /// Asks for another table; done when everyone knows it.
    public Ticket create(TableSpec table, long nowNanos, Outbox out) {
        return wish(new Message.Create(++lastRequest, table), nowNanos, out);
    }

    /// Asks that a table be dropped; done when everyone knows.
    public Ticket drop(String table, long nowNanos, Outbox out) {
        return wish(new Message.Drop(++lastRequest, table), nowNanos, out);
    }

    private Ticket wish(Message message, long nowNanos, Outbox out) {
        Wish wish = new Wish(message, nowNanos);
        wishes.put(lastRequest, wish);
        out.send(Address.COORDINATOR, message);
        tick(nowNanos, out);
        return wish.ticket;
    }

    private void start(Request request, long nowNanos, Outbox out) {
        request.plan(layout);
        if (request.missing == 0) {
            finish(request);
            return;
        }
        request.waitNanos = resendNanos;
        request.sentNanos = nowNanos;
        for (int seat = 0; seat < request.awaited.length; seat++) {
            if (request.awaited[seat] && !sentInPieces(request, seat, out)) {
                send(request, seat, out);
            }
        }
        tick(nowNanos, out);
    }

    /// Sends a long update piece by piece where a chain can pass on the first while the others are coming. If one is
    /// lost, all of it is sent again as one.
    private boolean sentInPieces(Request request, int seat, Outbox out) {
        Part[] parts = request.parts(seat);
        boolean passedOn = layout.chains()[seat].servers().length > 1;
        if (!passedOn
                || parts.length < 2
                || !(request instanceof Request.Update update)
                || update.wantsRows()
                || !(request.to(layout.epoch(), keyed(request, seat)) instanceof Message.Update all)) {
            return false;
        }
        int from = 0;
        long bytes = 0;
        for (int p = 0; p + 1 < parts.length; p++) {
            bytes += all.parts()[p].lengthBytes();
            if (bytes >= aheadBytes) {
                Part[] piece = Arrays.copyOfRange(all.parts(), from, p + 1);
                tell(seat, new Message.Ahead(all.epoch(), all.stream(), all.lease(), all.sequence(), from, piece), out);
                from = p + 1;
                bytes = 0;
            }
        }
        Part[] rest = Arrays.copyOfRange(all.parts(), from, parts.length);
        tell(seat, from == 0 ? all : new Message.Rest(from, all.with(rest)), out);
        return true;
    }

    private void tick(long nowNanos, Outbox out) {
        if (!ticking) {
            ticking = true;
            out.wakeAt(nowNanos + tickNanos, 0);
        }
    }

    private void send(Request request, long nowNanos, Outbox out) {
        request.sentNanos = nowNanos;
        for (int seat = 0; seat < request.awaited.length; seat++) {
            if (request.awaited[seat]) {
                send(request, seat, out);
            }
        }
    }

    private void send(Request request, int seat, Outbox out) {
        Message message = request.to(layout.epoch(), keyed(request, seat));
        out.send(request.answerer(seat), new Message.Seated(seat, message));
    }

    private Part[] keyed(Request request, int seat) {
        Part[] parts = request.parts(seat).clone();
        for (int p = 0; p < parts.length; p++) {
            parts[p] = filtering.keyed(request, parts[p], known.has(seat, parts[p]));
        }
        return parts;
    }

    private void tell(int seat, Message message, Outbox out) {
        out.send(layout.head(seat), new Message.Seated(seat, message));
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        heard(from, nowNanos);
        switch (message) {
            case Message.Seated(int seat, Message about) -> receive(seat, about, out);
            case Message.Laid laid -> onLaid(laid);
            case Message.Placed(Layout placed, var _, Lease[] leases, long _) ->
                onPlaced(placed, leases, nowNanos, out);
            case Message.Heartbeat _ -> {}
            default -> throw new IllegalArgumentException("a worker was sent " + message);
        }
    }

    private void receive(int seat, Message message, Outbox out) {
        switch (message) {
            case Message.Applied(int stream, long sequence) -> onApplied(seat, stream, sequence);
            case Message.Updated updated -> onUpdated(seat, updated);
            case Message.Claimed claimed -> onClaimed(seat, claimed);
            case Message.Rows answer -> onRows(seat, answer, -1, NONE_ABSENT, out);
            case Message.Followed(long refreshes, long[] absent, Message.Rows answer) ->
                onRows(seat, answer, refreshes, BitSet.valueOf(absent), out);
            case Message.Refresh refresh -> {
                if (refresh.epoch() == layout.epoch()) {
                    rows.refresh(seat, refresh, filtering.refreshed(refresh.parts()));
                }
            }
            case Message.Computed computed -> onComputed(seat, computed);
            case Message.Refused refused -> onRefused(seat, refused);
            case Message.Held _ -> {}
            case Message.UnknownKeys unknown -> onUnknownKeys(seat, unknown, out);
            case Message.Fenced fenced -> onFenced(fenced, out);
            default -> throw new IllegalArgumentException("a worker was sent " + message);
        }
    }

    /// Asks again what has waited too long, each time with twice the patience.
    @Override
    public void wake(long tag, long nowNanos, Outbox out) {
        boolean busy = resend(reads, nowNanos, out) || !wishes.isEmpty();
        wishes.values().forEach(wish -> wish.repeat(nowNanos, resendNanos, out));
        for (Stream stream : streams.values()) {
            busy |= resend(stream.updates, nowNanos, out);
        }
        ticking = busy;
        if (busy) {
            askForLife(nowNanos, out);
            out.wakeAt(nowNanos + tickNanos, 0);
        }
    }

    /// Asks servers that are waited for whether they are there, where requests are not repeated.
    private void askForLife(long nowNanos, Outbox out) {
        if (tickNanos == resendNanos) {
            return;
        }
        for (int server = 0; server < heardNanos.length; server++) {
            int asked = server;
            if (nowNanos - heardNanos[server] >= tickNanos
                    && reads.values().stream().anyMatch(read -> awaits(read, asked))) {
                out.send(Address.server(server), new Message.Heartbeat(layout.epoch(), 0, 0));
            }
        }
    }

    private boolean awaits(Request read, int server) {
        for (int seat = 0; seat < layout.seats(); seat++) {
            if (read.isAwaited(seat) && read.answerer(seat).number() == server) {
                return true;
            }
        }
        return false;
    }

    private boolean resend(Map<Long, Request> requests, long nowNanos, Outbox out) {
        for (Request request : requests.values()) {
            if (nowNanos - request.sentNanos >= request.waitNanos) {
                request.waitNanos = Math.min(2 * request.waitNanos, MOST_RESENDS * resendNanos);
                send(request, nowNanos, out);
            }
        }
        return !requests.isEmpty();
    }

    private void onApplied(int seat, int stream, long sequence) {
        Request request = update(stream, sequence);
        // An update whose rows are wanted waits for them, and not for a word that was under way before.
        if (request instanceof Request.Update update && update.wantsRows()) {
            return;
        }
        if (request != null && request.heard(seat)) {
            known.heard(seat, request.parts(seat));
            finishIfAnswered(request);
        }
    }

    private void onUpdated(int seat, Message.Updated updated) {
        if (update(updated.stream(), updated.sequence()) instanceof Request.Update update
                && update.wantsRows()
                && update.isAwaited(seat)
                && update.parts(seat).length == updated.values().length) {
            update.heard(seat);
            update.take(seat, updated.values());
            known.heard(seat, update.parts(seat));
            staleness.add(update.parts(seat), clock(update.stream) - updated.slowest());
            finishIfAnswered(update);
        }
    }

    /// Goes on after the last update that all seats have. Those above it that some have are made again, under the same
    /// numbers, and change only what they have not changed before.
    private void onClaimed(int seat, Message.Claimed claimed) {
        Stream held = streams.get(claimed.stream());
        if (held == null || held.claim == null || claimed.lease() != held.lease || !held.claim.isAwaited(seat)) {
            return;
        }
        Request.Claim claim = held.claim;
        claim.heard(seat);
        claim.take(claimed);
        if (claim.missing == 0) {
            held.sent = claim.upTo();
            held.clock = claim.clock();
            held.claim = null;
            finish(claim);
        }
    }

    private void onComputed(int seat, Message.Computed computed) {
        if (reads.get(computed.request()) instanceof Request.Compute compute && compute.heard(seat)) {
            compute.take(seat, computed.results());
            finishIfAnswered(compute);
        }
    }

    /// A refused update counts as applied, so the others must still hear of it; a refused read is over.
    private void onRefused(int seat, Message.Refused refused) {
        Request request = refused.inRead() ? reads.get(refused.number()) : update(refused.stream(), refused.number());
        if (request != null && request.heard(seat)) {
            request.refuse(refused.why());
            if (refused.inRead()) {
                finish(request);
            } else {
                finishIfAnswered(request);
            }
        }
    }

    private void finishIfAnswered(Request request) {
        if (request.missing == 0) {
            finish(request);
        }
    }

    /// An update that is under way, or null.
    private Request update(int stream, long sequence) {
        Stream held = streams.get(stream);
        return held == null ? null : held.updates.get(sequence);
    }

    private void onRows(int seat, Message.Rows answer, long refreshes, BitSet absent, Outbox out) {
        Request request = reads.get(answer.request());
        if (!(request instanceof Request.Pull pull) || !pull.isAwaited(seat)) {
            return;
        }
        if (answer.values().length != pull.parts(seat).length) {
            throw new IllegalArgumentException("seat " + seat + " answered with " + answer.values().length
                    + " pieces of rows where " + pull.parts(seat).length + " were asked for");
        }
        pull.take(seat, answer.values());
        pull.ticket.brought(answer.updates());
        pull.heard(seat);
        if (pull.makes()) {
            known.heard(seat, pull.parts(seat));
        }
        if (pull.use != Request.Pull.Use.ONCE) {
            RowCache.Told told = new RowCache.Told(answer.slowest(), pull.after.own(), refreshes, absent);
            rows.put(seat, pull.parts(seat), pull::rows, told);
        }
        if (pull.stream >= 0) {
            staleness.add(pull.parts(seat), clock(pull.stream) - answer.slowest());
        }
        for (Values values : answer.values()) {
            out.release(values);
        }
        finishIfAnswered(pull);
    }

    private void onLaid(Message.Laid laid) {
        Wish wish = wishes.remove(laid.request());
        if (wish != null) {
            wish.end(laid.refused());
        }
    }

    private void onUnknownKeys(int seat, Message.UnknownKeys unknown, Outbox out) {
        Request request = unknown.inPull() ? reads.get(unknown.number()) : update(unknown.stream(), unknown.number());
        if (request != null && request.isAwaited(seat)) {
            known.forget(seat, request.parts(seat));
            send(request, seat, out);
        }
    }

    private void onFenced(Message.Fenced fenced, Outbox out) {
        // Where somebody else has a later lease of a stream, the layout that says so is on its way.
        if (fenced.epoch() > layout.epoch()) {
            out.send(Address.COORDINATOR, new Message.Heartbeat(layout.epoch(), 0, 0));
        }
    }

    private void onPlaced(Layout placed, Lease[] leases, long nowNanos, Outbox out) {
        if (placed.epoch() <= layout.epoch()) {
            return;
        }
        Layout before = layout;
        layout = placed;
        rows.clear();
        filtering.place(placed);
        long movesBefore = moves;
        letGo(leases);
        for (Lease lease : leases) {
            left.remove(lease.stream());
            hold(lease);
        }
        if (moves != movesBefore) {
            endReads();
        }
        int servers = 1
                + Arrays.stream(placed.chains())
                        .flatMapToInt(chain -> Arrays.stream(chain.servers()))
                        .max()
                        .orElse(-1);
        heardNanos = Arrays.copyOf(heardNanos, Math.max(heardNanos.length, servers));
        List<Request> under = new ArrayList<>(reads.values());
        reads.clear();
        streams.values().forEach(stream -> under.addAll(stream.updates.values()));
        under.forEach(request -> again(request, before, nowNanos, out));
        if (!under.isEmpty()) {
            tick(nowNanos, out);
        }
    }

    /// Asks the servers of a new layout from the start. What read or changed a table that was dropped fails: a read at
    /// once; an update once everyone knows its number, because the other tables count it.
    private void again(Request request, Layout before, long nowNanos, Outbox out) {
        boolean lost = request.uses(table -> !layout.has(table));
        if (lost) {
            request.refuse("a table was dropped while it was in use: " + dropped(request, before));
        }
        if (request.isUpdate()) {
            request.plan(layout);
            send(request, nowNanos, out);
        } else if (lost) {
            request.end();
        } else {
            // Under a new number, so that what is still under way for the old layout is not taken for an answer.
            request.number = ++lastRequest;
            reads.put(request.number, request);
            request.plan(layout);
            send(request, nowNanos, out);
        }
    }

    private String dropped(Request request, Layout before) {
        return IntStream.range(0, before.tables().length)
                .filter(table -> before.has(table) && !layout.has(table) && request.uses(used -> used == table))
                .mapToObj(table -> before.tables()[table].name())
                .collect(Collectors.joining(", "));
    }

    private void finish(Request request) {
        switch (request) {
            case Request.Update _, Request.Change _, Request.Claim _ ->
                stream(request.stream).updates.remove(request.number);
            case Request.Pull _, Request.Compute _ -> reads.remove(request.number);
        }
        request.end();
    }

    /// When a server or the coordinator was last heard; 0 for never.
    long heardNanos(Address node) {
        if (node.equals(Address.COORDINATOR)) {
            return coordinatorHeardNanos;
        }
        return node.number() < heardNanos.length ? heardNanos[node.number()] : 0;
    }

    private void heard(Address from, long nowNanos) {
        if (from.equals(Address.COORDINATOR)) {
            coordinatorHeardNanos = nowNanos;
        } else if (from.role() == Address.Role.SERVER && from.number() < heardNanos.length) {
            heardNanos[from.number()] = nowNanos;
        }
    }

    private Stream stream(int stream) {
        Stream held = left.contains(stream) ? new Stream() : streams.get(stream);
        if (held == null) {
            throw new IllegalArgumentException("this worker does not hold stream " + stream);
        }
        return held;
    }
}
