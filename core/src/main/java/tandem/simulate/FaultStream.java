package tandem.simulate;

import java.util.Arrays;
import java.util.SplittableRandom;
import tandem.client.Client;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.consistency.After;
import tandem.math.Hash;
import tandem.wire.Keys;
import tandem.wire.Outbox;

/// A stream while one worker holds it. Each update adds 1 to a row of the stream's own and to a pair of rows that lie
/// in one shard, and reaches the next clock with it, so whoever reads sees which updates are in what it read. Updates
/// are spread over the time in which things go wrong.
final class FaultStream {

    /// Pairs of rows, and how far behind a reader others may be.
    static final int PAIRS = 6;

    static final int STALENESS = 2;

    /// How many updates are under way at a time, and the time between updates, on average.
    static final int UPDATES = 4;

    static final long PACE = 4_500_000;

    private final int stream;
    private final long lease;
    private final int pushes;
    private final Client client;
    private final FaultLedger ledger;
    private final SplittableRandom chance;
    private final long seed;
    private final Keys everything;
    private final Keys[] lists = new Keys[PAIRS];
    private final long startNanos;
    private final long begunAt;
    private int updates;
    private int reads;
    private int settled;
    private long sent;
    private long asked;
    private long readAt;

    /// Goes on where whoever held the stream before was.
    FaultStream(int stream, Client client, FaultPlan plan, FaultLedger ledger, long nowNanos) {
        this.stream = stream;
        this.lease = client.lease(stream);
        this.pushes = plan.pushes();
        this.client = client;
        this.ledger = ledger;
        this.seed = Hash.number(plan.seed(), stream);
        this.chance = new SplittableRandom(Hash.number(seed, lease));
        this.startNanos = nowNanos;
        this.begunAt = client.sent(stream);
        this.sent = begunAt;
        this.readAt = sent + 1;
        this.everything = Keys.repeated(ledger.keys(), ledger.keys().length);
        for (int pair = 0; pair < PAIRS; pair++) {
            long[] keys = {ledger.ownKey(stream), ledger.pairKey(pair), ledger.pairKey(pair) + 1};
            FaultLedger.sort(keys);
            lists[pair] = Keys.repeated(keys, keys.length);
        }
        ledger.begun(stream, sent, this::pair);
    }

    /// Whether everything that there is to do for it is done.
    boolean isDone() {
        return sent == pushes && updates == 0 && reads == 0 && settled == 0 && asked > 0;
    }

    void go(long nowNanos, Outbox out) {
        if (reads == 0 && asked < sent && (sent == pushes || sent >= readAt)) {
            read(nowNanos, out);
            if (settled == 0) {
                readSettled(nowNanos, out);
            }
        }
        long due = Math.min(pushes, begunAt + UPDATES + (nowNanos - startNanos) / PACE);
        while (reads == 0 && updates < UPDATES && sent < Math.min(readAt, due)) {
            push(nowNanos, out);
        }
    }

    private void push(long nowNanos, Outbox out) {
        sent++;
        updates++;
        long number = sent;
        int pair = pair(number);
        ledger.issued(stream, number, pair);
        Ticket ticket = client.update(
                stream, sent, nowNanos, out, new Slice(FaultTables.COUNTS, lists[pair], new double[] {1, 1, 1}));
        ticket.whenDone(() -> {
            updates--;
            if (isHeld()) {
                ledger.acknowledged(stream, number, pair);
            }
        });
    }

    /// Whether nobody else has got it since. Then tickets are done as well, and that one has to see to them.
    boolean isHeld() {
        return client.lease(stream) == lease;
    }

    /// The pair that an update changes, whoever makes it.
    private int pair(long number) {
        return (int) Long.remainderUnsigned(Hash.number(seed, number), PAIRS);
    }

    private void read(long nowNanos, Outbox out) {
        reads++;
        asked = sent;
        readAt = sent + 1 + chance.nextInt(6);
        long everyone = Math.max(0, sent - STALENESS - 1);
        double[] rows = new double[everything.count()];
        Arrays.fill(rows, -1);
        long own = sent;
        long moves = client.moves();
        long[] least = ledger.acknowledged();
        // Everything sent so far is waited for; others up to the clock that the bound asks for.
        Ticket ticket = client.pull(
                stream,
                new After(own, everyone),
                false,
                nowNanos,
                out,
                new Slice(FaultTables.COUNTS, everything, rows));
        ticket.whenDone(() -> {
            reads--;
            if (client.moves() == moves) {
                ledger.read(stream, own, everyone, rows, least);
            } else {
                // Nobody answers what was asked before streams came or went.
                asked = 0;
                readAt = sent;
            }
        });
    }

    /// Reads what all copies have, outside the stream.
    private void readSettled(long nowNanos, Outbox out) {
        settled++;
        double[] rows = new double[everything.count()];
        FaultLedger.Asked asks = ledger.asksSettled();
        Ticket ticket =
                client.settled(-1, After.NOTHING, nowNanos, out, new Slice(FaultTables.COUNTS, everything, rows));
        ticket.whenDone(() -> {
            settled--;
            ledger.settled(stream, rows, asks);
        });
    }

    @Override
    public String toString() {
        return "stream " + stream + ": " + sent + " of " + pushes + " sent, " + updates + " unanswered, " + reads
                + " reads and " + settled + " of what all have waited for";
    }
}
