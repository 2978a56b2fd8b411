package tandem.client;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import tandem.consistency.After;
import tandem.wire.Address;
import tandem.wire.Layout;
import tandem.wire.Lease;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.Party;

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
    private final TreeMap<Integer, Stream> streams = new TreeMap<>();
    private final TreeMap<Long, Request> pulls = new TreeMap<>();
    private final Staleness staleness = new Staleness();
    private final KnownLists known = new KnownLists();
    private Layout layout = Layout.NONE;

    /// Those of the layout, ascending.
    private int[] servers = {};

    private long lastRequest;
    private long[] heardNanos = {};
    private boolean ticking;

    /// A stream that this worker holds: its updates under way, by number.
    private static final class Stream {
        long lease;
        long sent;
        long clock;
        final TreeMap<Long, Request> updates = new TreeMap<>();
    }

    /// @param resendNanos how long to wait for an answer before asking again, the first time
    public Client(long resendNanos) {
        this.resendNanos = resendNanos;
        this.tickNanos = Math.min(resendNanos, LIFE_SIGN_NANOS);
    }

    public Layout layout() {
        return layout;
    }

    private void hold(Lease lease) {
        Stream held = streams.computeIfAbsent(lease.stream(), _ -> new Stream());
        if (lease.number() > held.lease) {
            held.lease = lease.number();
            held.sent = lease.sequence();
            held.clock = lease.clock();
            held.updates.clear();
        }
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

    /// Sends the next update of a stream, with which it reaches `clock`.
    public Ticket update(int stream, long clock, long nowNanos, Outbox out, Slice... slices) {
        Stream held = stream(stream);
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
        Request request = new Request.Update(stream, held.sent, slices, held.lease, clock);
        held.updates.put(held.sent, request);
        start(request, nowNanos, out);
        return request.ticket;
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
        Request request = new Request.Pull(stream, ++lastRequest, slices, after, make);
        pulls.put(lastRequest, request);
        start(request, nowNanos, out);
        return request.ticket;
    }

    private void start(Request request, long nowNanos, Outbox out) {
        request.plan(layout, servers);
        if (request.missing == 0) {
            finish(request);
            return;
        }
        request.waitNanos = resendNanos;
        send(request, nowNanos, out);
        if (!ticking) {
            ticking = true;
            out.wakeAt(nowNanos + tickNanos, 0);
        }
    }

    private void send(Request request, long nowNanos, Outbox out) {
        request.sentNanos = nowNanos;
        for (int server = 0; server < request.awaited.length; server++) {
            if (request.awaited[server]) {
                send(request, server, out);
            }
        }
    }

    private void send(Request request, int server, Outbox out) {
        Part[] parts = known.shortened(server, request.parts(server));
        out.send(Address.server(server), request.to(server, layout.epoch(), parts));
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        heard(from, nowNanos);
        switch (message) {
            case Message.Applied(int stream, long sequence) -> onApplied(from.number(), stream, sequence);
            case Message.Rows rows -> onRows(from.number(), rows);
            case Message.Held _ -> {}
            case Message.UnknownKeys unknown -> onUnknownKeys(from.number(), unknown, out);
            case Message.Fenced fenced -> onFenced(fenced, out);
            case Message.Placed(Layout placed, var _, Lease[] leases) -> onPlaced(placed, leases, nowNanos, out);
            case Message.Heartbeat _ -> {}
            default -> throw new IllegalArgumentException("a worker was sent " + message);
        }
    }

    /// Asks again what has waited too long, each time with twice the patience.
    @Override
    public void wake(long tag, long nowNanos, Outbox out) {
        boolean busy = resend(pulls, nowNanos, out);
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
                    && pulls.values().stream().anyMatch(pull -> pull.isAwaited(asked))) {
                out.send(Address.server(server), new Message.Heartbeat(layout.epoch(), 0, 0));
            }
        }
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

    private void onApplied(int server, int stream, long sequence) {
        Stream held = streams.get(stream);
        Request request = held == null ? null : held.updates.get(sequence);
        if (request != null && request.heard(server)) {
            known.heard(server, request.parts(server));
            if (request.missing == 0) {
                finish(request);
            }
        }
    }

    private void onRows(int server, Message.Rows rows) {
        Request request = pulls.get(rows.request());
        if (!(request instanceof Request.Pull pull) || !pull.isAwaited(server)) {
            return;
        }
        if (rows.values().length != pull.parts(server).length) {
            throw new IllegalArgumentException("server " + server + " answered with " + rows.values().length
                    + " pieces of rows where " + pull.parts(server).length + " were asked for");
        }
        pull.take(server, rows.values());
        pull.heard(server);
        if (pull.makes()) {
            known.heard(server, pull.parts(server));
        }
        if (pull.stream >= 0) {
            staleness.add(clock(pull.stream) - rows.slowest());
        }
        if (pull.missing == 0) {
            finish(pull);
        }
    }

    private void onUnknownKeys(int server, Message.UnknownKeys unknown, Outbox out) {
        Stream held = streams.get(unknown.stream());
        Request request = unknown.inPull()
                ? pulls.get(unknown.number())
                : held == null ? null : held.updates.get(unknown.number());
        if (request != null && request.isAwaited(server)) {
            known.forget(server, request.parts(server));
            send(request, server, out);
        }
    }

    private void onFenced(Message.Fenced fenced, Outbox out) {
        Stream held = streams.get(fenced.stream());
        if (held != null && fenced.lease() > held.lease) {
            throw new IllegalStateException("stream " + fenced.stream() + " is worked on by another worker now");
        }
        if (fenced.epoch() > layout.epoch()) {
            out.send(Address.COORDINATOR, new Message.Heartbeat(layout.epoch(), 0, 0));
        }
    }

    private void onPlaced(Layout placed, Lease[] leases, long nowNanos, Outbox out) {
        if (placed.epoch() <= layout.epoch()) {
            return;
        }
        layout = placed;
        servers = placed.servers();
        for (Lease lease : leases) {
            hold(lease);
        }
        heardNanos = Arrays.copyOf(
                heardNanos, Math.max(heardNanos.length, servers.length == 0 ? 0 : servers[servers.length - 1] + 1));
        pulls.values().forEach(request -> again(request, nowNanos, out));
        streams.values().forEach(stream -> stream.updates.values().forEach(request -> again(request, nowNanos, out)));
    }

    private void again(Request request, long nowNanos, Outbox out) {
        request.plan(layout, servers);
        send(request, nowNanos, out);
    }

    private void finish(Request request) {
        switch (request) {
            case Request.Update update -> stream(update.stream).updates.remove(update.number);
            case Request.Pull pull -> pulls.remove(pull.number);
        }
        request.ticket.complete();
    }

    /// When a server was last heard; 0 for never.
    long heardNanos(Address server) {
        return server.number() < heardNanos.length ? heardNanos[server.number()] : 0;
    }

    private void heard(Address from, long nowNanos) {
        if (from.role() == Address.Role.SERVER && from.number() < heardNanos.length) {
            heardNanos[from.number()] = nowNanos;
        }
    }

    private Stream stream(int stream) {
        Stream held = streams.get(stream);
        if (held == null) {
            throw new IllegalArgumentException("this worker does not hold stream " + stream);
        }
        return held;
    }
}
