package tandem.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import tandem.wire.Lease;

/// The streams that a worker holds, and the updates of each that are under way.
final class Streams {

    private final long resendNanos;
    private final TreeMap<Integer, Held> streams = new TreeMap<>();

    /// Streams that this worker held once, and somebody else works on now.
    private final TreeSet<Integer> left = new TreeSet<>();

    private long moves;

    /// A stream that this worker holds: its updates under way, by number. One that somebody else worked on before is
    /// claimed first, which has a number below 0.
    static final class Held {
        long lease;
        boolean orphaned;
        long sent;
        long clock;
        Request.Claim claim;
        final TreeMap<Long, Request> updates = new TreeMap<>();

        private boolean isOpen() {
            return updates.isEmpty() || sent - updates.firstKey() < Client.WINDOW - 1;
        }

        /// Ends what is under way: it is for somebody else to do, or done.
        private void leave() {
            List<Request> under = List.copyOf(updates.values());
            updates.clear();
            claim = null;
            under.forEach(Request::end);
        }
    }

    /// @param resendNanos how long to wait for what becomes of a claim before asking again, the first time
    Streams(long resendNanos) {
        this.resendNanos = resendNanos;
    }

    /// Holds these and no others; whether streams came or went.
    boolean place(Lease[] leases) {
        long before = moves;
        letGo(leases);
        for (Lease lease : leases) {
            left.remove(lease.stream());
            hold(lease);
        }
        return moves != before;
    }

    private void letGo(Lease[] kept) {
        List<Integer> gone = streams.keySet().stream()
                .filter(stream -> Arrays.stream(kept).noneMatch(lease -> lease.stream() == stream))
                .toList();
        for (int stream : gone) {
            moves++;
            left.add(stream);
            streams.remove(stream).leave();
        }
    }

    private void hold(Lease lease) {
        Held held = streams.computeIfAbsent(lease.stream(), _ -> new Held());
        if (lease.number() > held.lease) {
            moves++;
            held.lease = lease.number();
            held.orphaned = lease.orphaned();
            held.sent = 0;
            held.clock = 0;
            held.leave();
            if (lease.number() > 1) {
                held.claim = new Request.Claim(lease.stream(), lease.number());
                held.claim.waitNanos = resendNanos;
                held.updates.put(held.claim.number, held.claim);
            }
        }
    }

    /// How often streams came or went.
    long moves() {
        return moves;
    }

    /// Their numbers, ascending.
    int[] numbers() {
        return streams.keySet().stream().mapToInt(Integer::intValue).toArray();
    }

    /// The one of this number; null if this worker does not hold it.
    Held find(int stream) {
        return streams.get(stream);
    }

    /// The same of one that must be here, or have been: of one that somebody else works on there is nothing.
    Held get(int stream) {
        Held held = hasLeft(stream) ? new Held() : streams.get(stream);
        if (held == null) {
            throw new IllegalArgumentException("this worker does not hold stream " + stream);
        }
        return held;
    }

    /// Whether it has passed to somebody else.
    boolean hasLeft(int stream) {
        return left.contains(stream);
    }

    /// Whether another update may be sent: not too many of the stream are under way.
    boolean isOpen(int stream) {
        return get(stream).isOpen();
    }

    /// Gives out the next number of a stream.
    Held advance(int stream, long clock) {
        Held held = get(stream);
        if (held.claim != null) {
            throw new IllegalStateException("stream " + stream + " is still being taken over; wait for that");
        }
        if (!held.isOpen()) {
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

    /// Whether whoever had a stream before is gone and has not told what it did; true once.
    boolean takeOrphaned(int stream) {
        Held held = streams.get(stream);
        boolean orphaned = held != null && held.orphaned;
        if (orphaned) {
            held.orphaned = false;
        }
        return orphaned;
    }

    /// A ticket for each stream that is still to be taken over from whoever worked on it before.
    List<Ticket> claims() {
        return streams.values().stream()
                .filter(stream -> stream.claim != null)
                .map(stream -> stream.claim.ticket)
                .toList();
    }

    /// The oldest update of a stream that is under way, or null.
    Ticket oldest(int stream) {
        Map.Entry<Long, Request> first = get(stream).updates.firstEntry();
        return first == null ? null : first.getValue().ticket;
    }

    /// An update that is under way, or null.
    Request update(int stream, long sequence) {
        Held held = streams.get(stream);
        return held == null ? null : held.updates.get(sequence);
    }

    /// All updates that are under way, stream after stream.
    List<Request> updates() {
        List<Request> all = new ArrayList<>();
        streams.values().forEach(stream -> all.addAll(stream.updates.values()));
        return all;
    }
}
