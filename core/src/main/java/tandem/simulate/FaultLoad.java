package tandem.simulate;

import java.util.Arrays;
import java.util.SplittableRandom;
import tandem.client.Client;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.cluster.Member;
import tandem.consistency.After;
import tandem.math.Hash;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;

/// A worker that counts: each update adds 1 to a row of its own and to a pair of rows that lie in one shard, and
/// reaches the next clock with it. So whoever reads sees which updates are in what it read. Its updates are spread
/// over the time in which things go wrong.
final class FaultLoad implements Party {

    /// Pairs of rows, and how far behind a reader others may be.
    static final int PAIRS = 6;

    static final int STALENESS = 2;

    /// How many updates and reads are under way at a time.
    private static final int UPDATES = 4;

    /// The time between updates, on average, and what it is woken for to make the next ones.
    private static final long PACE = 4_500_000;

    private static final long TURN = 1;

    private final int stream;
    private final int pushes;
    private final Client client;
    private final Member member;
    private final FaultLedger ledger;
    private final SplittableRandom chance;
    private final long seed;
    private final Keys everything;
    private final Keys[] lists = new Keys[PAIRS];
    private int updates;
    private int reads;
    private int settled;
    private long sent;
    private long asked;
    private long readAt = 1;
    private long startNanos;
    private boolean begun;

    /// @param life which life of the worker this is; it goes on where the one before was
    FaultLoad(int stream, long life, FaultPlan plan, FaultTimes times, FaultLedger ledger) {
        this.stream = stream;
        this.pushes = plan.pushes();
        this.ledger = ledger;
        this.client = new Client(times.resendNanos());
        if (plan.inParts()) {
            client.sendsAhead(1);
        }
        this.member = new Member(client, life, "", times.heartbeatNanos());
        this.seed = Hash.number(plan.seed(), stream);
        this.chance = new SplittableRandom(Hash.number(seed, life));
        long[] all = ledger.keys();
        this.everything = Keys.repeated(all, all.length);
        for (int pair = 0; pair < PAIRS; pair++) {
            long[] keys = {ledger.ownKey(stream), ledger.pairKey(pair), ledger.pairKey(pair) + 1};
            FaultLedger.sort(keys);
            lists[pair] = Keys.repeated(keys, keys.length);
        }
    }

    void start(long nowNanos, Outbox out) {
        startNanos = nowNanos;
        member.start(nowNanos, out);
        out.wakeAt(nowNanos, TURN);
    }

    long epoch() {
        return client.layout().epoch();
    }

    /// Whether everything it had to do is done.
    boolean isDone() {
        return sent == pushes && updates == 0 && reads == 0 && settled == 0 && asked > 0;
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        member.receive(from, message, nowNanos, out);
        go(nowNanos, out);
    }

    @Override
    public void wake(long tag, long nowNanos, Outbox out) {
        if (tag != TURN) {
            member.wake(tag, nowNanos, out);
        } else if (due(nowNanos) < pushes) {
            out.wakeAt(nowNanos + UPDATES * PACE, TURN);
        }
        go(nowNanos, out);
    }

    private void go(long nowNanos, Outbox out) {
        if (client.layout().epoch() == 0 || !client.claims().isEmpty()) {
            return;
        }
        if (!begun) {
            begun = true;
            sent = client.sent(stream);
            readAt = sent + 1;
            ledger.begun(stream, sent, this::pair);
        }
        while (reads == 0 && asked < sent && (sent == pushes || sent >= readAt)) {
            read(nowNanos, out);
            if (settled == 0) {
                readSettled(nowNanos, out);
            }
        }
        long due = due(nowNanos);
        while (reads == 0 && updates < UPDATES && sent < Math.min(readAt, due)) {
            push(nowNanos, out);
        }
    }

    /// How many updates it may have made by now.
    private long due(long nowNanos) {
        return Math.min(pushes, UPDATES + (nowNanos - startNanos) / PACE);
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
            ledger.acknowledged(stream, number, pair);
        });
    }

    /// The pair that an update changes, whichever life makes it.
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
            ledger.read(stream, own, everyone, rows, least);
        });
    }

    /// Reads what all copies have, outside its stream.
    private void readSettled(long nowNanos, Outbox out) {
        settled++;
        double[] rows = new double[everything.count()];
        double[] least = ledger.settled();
        Ticket ticket =
                client.settled(-1, After.NOTHING, nowNanos, out, new Slice(FaultTables.COUNTS, everything, rows));
        ticket.whenDone(() -> {
            settled--;
            ledger.settled(stream, rows, least);
        });
    }

    @Override
    public String toString() {
        return "worker " + stream + " in epoch " + epoch() + " has sent " + sent + " of " + pushes + ", " + updates
                + " unanswered, and waits for " + reads + " reads and " + settled + " of what all have";
    }
}
