package tandem.simulate;

import java.util.Arrays;
import java.util.SplittableRandom;
import tandem.client.Client;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.cluster.Member;
import tandem.consistency.After;
import tandem.wire.Address;
import tandem.wire.Keys;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;

/// A worker that counts: each update adds 1 to a row of its own and to a pair of rows that lie in one shard, and
/// reaches
/// the next clock with it. So whoever reads sees which updates are in what it read.
final class FaultLoad implements Party {

    /// Pairs of rows, and how far behind a reader others may be.
    static final int PAIRS = 6;

    static final int STALENESS = 2;

    /// How many updates and reads are under way at a time.
    private static final int UPDATES = 4;

    private final int stream;
    private final int pushes;
    private final Client client;
    private final Member member;
    private final FaultLedger ledger;
    private final SplittableRandom chance;
    private final Keys everything;
    private final Keys[] lists = new Keys[PAIRS];
    private int updates;
    private int reads;
    private long sent;
    private long asked;
    private long readAt = 1;

    FaultLoad(int stream, int pushes, long seed, long resendNanos, long heartbeatNanos, FaultLedger ledger) {
        this.stream = stream;
        this.pushes = pushes;
        this.ledger = ledger;
        this.client = new Client(resendNanos);
        this.member = new Member(client, 1, "", heartbeatNanos);
        this.chance = new SplittableRandom(seed ^ stream);
        long[] all = ledger.keys();
        this.everything = Keys.repeated(all, all.length);
        for (int pair = 0; pair < PAIRS; pair++) {
            long[] keys = {ledger.ownKey(stream), ledger.pairKey(pair), ledger.pairKey(pair) + 1};
            FaultLedger.sort(keys);
            lists[pair] = Keys.repeated(keys, keys.length);
        }
    }

    void start(long nowNanos, Outbox out) {
        member.start(nowNanos, out);
    }

    long epoch() {
        return client.layout().epoch();
    }

    /// Whether everything it had to do is done.
    boolean isDone() {
        return sent == pushes && updates == 0 && reads == 0 && asked > 0;
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        member.receive(from, message, nowNanos, out);
        go(nowNanos, out);
    }

    @Override
    public void wake(long tag, long nowNanos, Outbox out) {
        member.wake(tag, nowNanos, out);
        go(nowNanos, out);
    }

    private void go(long nowNanos, Outbox out) {
        if (client.layout().epoch() == 0) {
            return;
        }
        while (reads == 0 && asked < sent && (sent == pushes || sent >= readAt)) {
            read(nowNanos, out);
        }
        while (reads == 0 && updates < UPDATES && sent < Math.min(readAt, pushes)) {
            push(nowNanos, out);
        }
    }

    private void push(long nowNanos, Outbox out) {
        int pair = chance.nextInt(PAIRS);
        sent++;
        updates++;
        ledger.issued(stream, pair);
        Ticket ticket = client.update(stream, sent, nowNanos, out, new Slice(0, lists[pair], new double[] {1, 1, 1}));
        ticket.whenDone(() -> {
            updates--;
            ledger.acknowledged(stream, pair);
        });
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
        Ticket ticket =
                client.pull(stream, new After(own, everyone), false, nowNanos, out, new Slice(0, everything, rows));
        ticket.whenDone(() -> {
            reads--;
            ledger.read(stream, own, everyone, rows, least);
        });
    }

    @Override
    public String toString() {
        return "worker " + stream + " in epoch " + epoch() + " has sent " + sent + " of " + pushes + ", " + updates
                + " unanswered, and waits for " + reads + " reads";
    }
}
