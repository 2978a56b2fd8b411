package tandem.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.TreeSet;
import tandem.client.Ticket;
import tandem.wire.Address;
import tandem.wire.Codec;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;
import tandem.wire.Values;

/// A worker's side of sums with the other workers: arrays in, their sum over all workers out. Everything that is not
/// about sums goes to the node itself.
///
/// Sums are numbered in the order they are begun, which has to be the same at all workers; several may be under way.
/// Nobody acknowledges a piece: who misses one asks for it, and what it can be made from is kept until its receiver
/// says that it has everything.
public final class AllReduce implements Party {

    /// How many sums of a worker may be under way.
    public static final int WINDOW = 64;

    /// Numbers a message, at most.
    static final int SEGMENT = 1 << 16;

    /// Sums that are numbered anew begin at multiples of this.
    private static final int GENERATION_BITS = 32;

    private static final long REMIND = -2;

    /// What may wait here of sums that others have begun and this worker has not.
    private static final long EARLY_BYTES = 64L << 20;

    private final Party node;
    private final int self;
    private final long askNanos;
    private final int segment;

    /// How many workers there are; 0 before the coordinator has said where they are.
    private int workers;

    private long begun;
    private final Queue<Asked> waiting = new ArrayDeque<>();
    private final TreeMap<Long, Sum> sums = new TreeMap<>();

    /// Pieces of sums that were not begun here when they came, and sums of which some could not be kept.
    private final TreeMap<Long, List<Early>> early = new TreeMap<>();

    private final TreeSet<Long> dropped = new TreeSet<>();
    private long earlyBytes;
    private final Map<Address, Long> heardNanos = new TreeMap<>();
    private boolean ticking;
    private boolean over;

    /// Who waits for room; null if nobody does.
    private Ticket wantsRoom;

    /// A sum that was asked for, and what became of it; null before it is known with whom.
    private static final class Asked {
        final Topology topology;
        final Values values;
        final Ticket ticket = new Ticket(this::awaited);
        Sum sum;

        Asked(Topology topology, Values values) {
            this.topology = topology;
            this.values = values;
        }

        Address awaited() {
            return sum == null ? Address.COORDINATOR : sum.awaited();
        }
    }

    private record Early(int from, Message.Piece piece, long bytes) {}

    /// @param node     who gets all other messages
    /// @param self     the number of this worker
    /// @param askNanos how long to wait before asking for what has not come
    public AllReduce(Party node, int self, long askNanos) {
        this(node, self, askNanos, SEGMENT);
    }

    AllReduce(Party node, int self, long askNanos, int segment) {
        this.node = node;
        this.self = self;
        this.askNanos = askNanos;
        this.segment = segment;
    }

    /// Whether [#sum] may be called: not too many are under way.
    boolean isOpen() {
        return sums.size() + waiting.size() < WINDOW;
    }

    /// Done when there is room for another sum.
    Ticket room() {
        Ticket ticket = new Ticket(() -> sums.isEmpty()
                ? Address.COORDINATOR
                : sums.firstEntry().getValue().awaited());
        if (isOpen()) {
            ticket.complete();
        } else {
            wantsRoom = ticket;
        }
        return ticket;
    }

    /// Adds up `values` over all workers, each of which has to call this; they are replaced by the sum when the ticket
    /// is done, and are not to be touched before.
    public Ticket sum(Topology topology, Values values, long nowNanos, Outbox out) {
        Asked asked = new Asked(topology, values);
        if (workers == 0) {
            waiting.add(asked);
            out.send(Address.COORDINATOR, new Message.Meet());
        } else {
            begin(asked, nowNanos, out);
        }
        if (!ticking) {
            ticking = true;
            out.wakeAt(nowNanos + askNanos, REMIND);
        }
        return asked.ticket;
    }

    /// Forgets the sums under way and numbers those to come anew, together with all workers that do so for the same
    /// `generation`, which rises: for when somebody was lost in the middle of a sum. What has come of later sums is
    /// kept.
    void renumber(long generation) {
        sums.clear();
        waiting.clear();
        workers = 0;
        begun = generation << GENERATION_BITS;
        early.headMap(begun, true).values().forEach(pieces -> pieces.forEach(one -> earlyBytes -= one.bytes));
        early.headMap(begun, true).clear();
        dropped.headSet(begun, true).clear();
        if (wantsRoom != null) {
            wantsRoom.complete();
            wantsRoom = null;
        }
    }

    /// Takes part in no more sums: who waits here for another is not told that this worker is there.
    void end() {
        over = true;
    }

    private void begin(Asked asked, long nowNanos, Outbox out) {
        begun++;
        Sum.Mine mine = new Sum.Mine(begun, asked.topology, asked.values, asked.ticket);
        Cut cut = Cut.of(length(asked.values), workers, segment);
        Sum sum = asked.topology.sum(cut, self, mine);
        asked.sum = sum;
        sums.put(begun, sum);
        sum.begin(nowNanos, out);
        List<Early> before = early.remove(begun);
        for (Early one : before == null ? List.<Early>of() : before) {
            earlyBytes -= one.bytes;
            take(sum, one.from, one.piece, nowNanos, out);
        }
        if (dropped.remove(begun)) {
            sum.remind(nowNanos + askNanos, askNanos, out);
        }
        settle(sum);
    }

    private static int length(Values values) {
        return switch (values) {
            case Values.Floats floats -> floats.length();
            case Values.Doubles doubles -> doubles.length();
            case Values.Packed _, Values.Ragged _ ->
                throw new IllegalArgumentException("packed values and rows of several lengths cannot be summed");
        };
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        heardNanos.put(from, nowNanos);
        switch (message) {
            case Message.Met met -> onMet(met, nowNanos, out);
            case Message.Piece piece -> onPiece(peer(from), piece, nowNanos, out);
            case Message.Wanted wanted -> onWanted(from, wanted, out);
            case Message.Got(long number) -> onGot(peer(from), number);
            case Message.Sent(long number) -> onSent(from, number, out);
            default -> node.receive(from, message, nowNanos, out);
        }
    }

    /// Reminds those who are waited for, and stays in touch with them.
    @Override
    public void wake(long tag, long nowNanos, Outbox out) {
        if (tag != REMIND) {
            node.wake(tag, nowNanos, out);
            return;
        }
        if (!waiting.isEmpty()) {
            out.send(Address.COORDINATOR, new Message.Meet());
        }
        sums.values().forEach(sum -> sum.remind(nowNanos, askNanos, out));
        ticking = !waiting.isEmpty() || !sums.isEmpty();
        if (ticking) {
            out.wakeAt(nowNanos + askNanos, REMIND);
        }
    }

    /// When somebody was last heard; 0 for never.
    public long heardNanos(Address who) {
        return heardNanos.getOrDefault(who, 0L);
    }

    private void onMet(Message.Met met, long nowNanos, Outbox out) {
        workers = met.places().length;
        early.values().forEach(pieces -> pieces.removeIf(this::isStrange));
        while (!waiting.isEmpty()) {
            begin(waiting.poll(), nowNanos, out);
        }
    }

    private void onPiece(int from, Message.Piece piece, long nowNanos, Outbox out) {
        if (piece.number() > begun) {
            keep(from, piece);
            return;
        }
        Sum sum = sums.get(piece.number());
        if (sum == null) {
            out.send(Address.worker(from), new Message.Got(piece.number()));
            return;
        }
        take(sum, from, piece, nowNanos, out);
        settle(sum);
    }

    private void take(Sum sum, int from, Message.Piece piece, long nowNanos, Outbox out) {
        try {
            if (sum.take(from, piece, nowNanos, out)) {
                out.send(Address.worker(from), new Message.Got(piece.number()));
            }
        } catch (Sum.Mismatch e) {
            forget(sum);
            sum.mine.ticket().fail(e);
        }
    }

    /// The number of a worker that this one sums with.
    private int peer(Address from) {
        if (from.role() != Address.Role.WORKER || workers > 0 && from.number() >= workers) {
            throw new IllegalArgumentException(from + " takes no part in the sums of " + workers + " workers");
        }
        return from.number();
    }

    private boolean isStrange(Early one) {
        boolean strange = one.from >= workers;
        earlyBytes -= strange ? one.bytes : 0;
        return strange;
    }

    private void keep(int from, Message.Piece piece) {
        long bytes = Codec.length(piece);
        long generation = Math.max(begun, piece.number() >>> GENERATION_BITS << GENERATION_BITS);
        if (piece.number() > generation + WINDOW) {
            return;
        }
        if (earlyBytes + bytes > EARLY_BYTES) {
            dropped.add(piece.number());
            return;
        }
        earlyBytes += bytes;
        early.computeIfAbsent(piece.number(), _ -> new ArrayList<>()).add(new Early(from, piece, bytes));
    }

    private void onWanted(Address from, Message.Wanted wanted, Outbox out) {
        Sum sum = sums.get(wanted.number());
        if (over && wanted.number() > begun) {
            return;
        }
        if (sum == null || !sum.resend(peer(from), wanted.have(), out)) {
            out.send(from, new Message.Sent(wanted.number()));
        }
    }

    private void onGot(int from, long number) {
        Sum sum = sums.get(number);
        if (sum != null) {
            sum.got(from);
            settle(sum);
        }
    }

    private void onSent(Address from, long number, Outbox out) {
        Sum sum = sums.get(number);
        if (number <= begun && (sum == null || sum.hasAllFrom(peer(from)))) {
            out.send(from, new Message.Got(number));
        }
    }

    /// Hands the sum out once it is complete, and forgets it once nobody needs it.
    private void settle(Sum sum) {
        boolean complete = sum.isComplete();
        if (complete && !sum.mine.ticket().isDone()) {
            sum.buffer.copyTo(sum.mine.values(), 0);
            sum.mine.ticket().complete();
        }
        if (complete && sum.isReleased()) {
            forget(sum);
        }
    }

    private void forget(Sum sum) {
        sums.remove(sum.mine.number());
        if (wantsRoom != null) {
            Ticket told = wantsRoom;
            wantsRoom = null;
            told.complete();
        }
    }
}
