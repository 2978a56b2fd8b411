package tandem.topology;

import java.util.Arrays;
import java.util.BitSet;
import tandem.client.Ticket;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Values;

/// One sum at one worker: what it has heard of it, and what it has to say.
///
/// Pieces from one worker to another are numbered. What a piece was made from stays in the buffer until its receiver
/// has used it, because what overwrites it in the end is made from what that receiver sends; so a piece can be made
/// again at any time.
abstract sealed class Sum permits RingSum, DirectSum {

    /// Each time nothing came, the wait before asking again is doubled, so often.
    private static final int MOST_DOUBLED = 2;

    final Cut cut;
    final int self;
    final Mine mine;

    /// A copy of one's own numbers to begin with, and the sum in the end.
    final Values buffer;

    /// By worker: the pieces that have come from it, how many have not, when something last came or was asked for, how
    /// often it was asked for since, and whether it has all from here.
    private final BitSet[] have;

    private final int[] missing;
    private final long[] heardNanos;
    private final int[] asked;
    private final boolean[] got;

    /// What a worker brings: its numbers, which are replaced by the sum, and the ticket that tells when.
    ///
    /// @param number counts the sums of a worker; the same number is the same sum everywhere
    record Mine(long number, Topology topology, Values values, Ticket ticket) {}

    Sum(Cut cut, int self, Mine mine) {
        this.cut = cut;
        this.self = self;
        this.mine = mine;
        this.buffer = mine.values.detached();
        have = new BitSet[cut.workers()];
        missing = new int[cut.workers()];
        heardNanos = new long[cut.workers()];
        asked = new int[cut.workers()];
        got = new boolean[cut.workers()];
        for (int worker = 0; worker < have.length; worker++) {
            have[worker] = new BitSet();
        }
    }

    /// How many pieces another worker sends here, the empty ones included.
    abstract int piecesFrom(int worker);

    abstract int piecesTo(int worker);

    /// Where the numbers of a piece from another worker go: start and size.
    abstract Range place(int from, int index);

    /// Where the numbers of a piece for another worker come from.
    abstract Range source(int to, int index);

    /// Whether a piece can be sent.
    abstract boolean isReady(int to, int index);

    /// Uses a piece that has come, and sends what follows from it.
    abstract void use(int from, int index, Values values, Outbox out);

    /// Sends what needs nothing from others.
    abstract void open(Outbox out);

    record Range(int start, int size) {}

    void begin(long nowNanos, Outbox out) {
        Arrays.fill(heardNanos, nowNanos);
        for (int worker = 0; worker < missing.length; worker++) {
            for (int index = 0; index < piecesFrom(worker); index++) {
                missing[worker] += place(worker, index).size > 0 ? 1 : 0;
            }
        }
        open(out);
    }

    /// A piece has come; whether that was the last one from there.
    boolean take(int from, Message.Piece piece, long nowNanos, Outbox out) {
        check(from, piece);
        heardNanos[from] = nowNanos;
        asked[from] = 0;
        if (!have[from].get(piece.index())) {
            have[from].set(piece.index());
            missing[from]--;
            use(from, piece.index(), piece.values(), out);
        }
        return hasAllFrom(from);
    }

    private void check(int from, Message.Piece piece) {
        if (piece.topology() != mine.topology.code()
                || piece.length() != cut.length()
                || length(piece.values(), buffer) < 0) {
            throw new Mismatch("all-reduce " + mine.number + " is of " + cut.length() + " numbers by "
                    + mine.topology + " here and of " + piece.length() + " at worker " + from
                    + ", or of another type or way; all workers have to make the same calls in the same order");
        }
        if (piece.index() < 0
                || piece.index() >= piecesFrom(from)
                || length(piece.values(), buffer) != place(from, piece.index()).size) {
            throw new IllegalArgumentException("piece " + piece.index() + " of all-reduce " + mine.number
                    + " from worker " + from + " does not fit");
        }
    }

    /// How many numbers there are; negative if they are of another type than `like`.
    private static int length(Values values, Values like) {
        return switch (values) {
            case Values.Floats floats when like instanceof Values.Floats -> floats.length();
            case Values.Doubles doubles when like instanceof Values.Doubles -> doubles.length();
            default -> -1;
        };
    }

    void send(int to, int index, Outbox out) {
        Range range = source(to, index);
        if (range.size > 0) {
            Values values = buffer.piece(range.start, range.size).detached();
            out.send(
                    Address.worker(to),
                    new Message.Piece(mine.number, mine.topology.code(), cut.length(), index, values));
        }
    }

    /// Sends again what another worker lacks, as far as it can be sent; false if there is nothing.
    boolean resend(int to, long[] there, Outbox out) {
        BitSet known = BitSet.valueOf(there);
        boolean sent = false;
        for (int index = 0; index < piecesTo(to); index++) {
            if (!known.get(index) && source(to, index).size > 0 && isReady(to, index)) {
                send(to, index, out);
                sent = true;
            }
        }
        return sent;
    }

    boolean has(int from, int index) {
        return have[from].get(index);
    }

    boolean hasAllFrom(int from) {
        return missing[from] == 0;
    }

    boolean isComplete() {
        for (int worker = 0; worker < have.length; worker++) {
            if (!hasAllFrom(worker)) {
                return false;
            }
        }
        return true;
    }

    /// Another worker has all it needs from here.
    void got(int worker) {
        got[worker] = true;
    }

    /// Whether everyone has all from here.
    boolean isReleased() {
        for (int worker = 0; worker < got.length; worker++) {
            if (!hasGot(worker)) {
                return false;
            }
        }
        return true;
    }

    private boolean hasGot(int worker) {
        if (got[worker]) {
            return true;
        }
        for (int index = 0; index < piecesTo(worker); index++) {
            if (source(worker, index).size > 0) {
                return false;
            }
        }
        return true;
    }

    /// Asks those from whom nothing has come for a while for what is missing, and those who should have all whether
    /// they do.
    void remind(long nowNanos, long askNanos, Outbox out) {
        boolean complete = isComplete();
        for (int worker = 0; worker < have.length; worker++) {
            if (!hasAllFrom(worker)
                    && nowNanos - heardNanos[worker] >= askNanos << Math.min(asked[worker], MOST_DOUBLED)) {
                asked[worker]++;
                heardNanos[worker] = nowNanos;
                out.send(Address.worker(worker), new Message.Wanted(mine.number, have[worker].toLongArray()));
            }
            if (complete && !hasGot(worker)) {
                out.send(Address.worker(worker), new Message.Sent(mine.number));
            }
        }
    }

    /// Who is waited for, or null.
    Address awaited() {
        for (int worker = 0; worker < have.length; worker++) {
            if (!hasAllFrom(worker)) {
                return Address.worker(worker);
            }
        }
        return null;
    }

    /// Adds numbers to those of the buffer from `start` on.
    static void add(Values from, Values into, int start) {
        switch (from) {
            case Values.Floats(float[] array, int at, int length) -> {
                Values.Floats target = (Values.Floats) into;
                for (int v = 0; v < length; v++) {
                    target.array()[target.at() + start + v] += array[at + v];
                }
            }
            case Values.Doubles(double[] array, int at, int length) -> {
                Values.Doubles target = (Values.Doubles) into;
                for (int v = 0; v < length; v++) {
                    target.array()[target.at() + start + v] += array[at + v];
                }
            }
            case Values.Packed _, Values.Ragged _ ->
                throw new IllegalArgumentException("packed values and rows of several lengths cannot be added");
        }
    }

    /// Workers do not sum the same.
    static final class Mismatch extends RuntimeException {

        private static final long serialVersionUID = 1;

        Mismatch(String message) {
            super(message);
        }
    }
}
