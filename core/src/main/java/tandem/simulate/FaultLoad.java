package tandem.simulate;

import java.util.TreeMap;
import tandem.client.Client;
import tandem.client.Ticket;
import tandem.cluster.Duty;
import tandem.cluster.Member;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;

/// A worker that counts in the streams it holds, as long as it is told to, and says so when all is done.
final class FaultLoad implements Party {

    /// What it is woken for to make more updates.
    private static final long TURN = 1;

    private final FaultPlan plan;
    private final FaultLedger ledger;
    private final Client client;
    private final Member member;
    private final Ticket gone = new Ticket(() -> null);
    private final TreeMap<Integer, FaultStream> held = new TreeMap<>();

    /// What it has been told to do; null for nothing.
    private Message.Order order;

    /// How often streams had come or gone when [#held] was made; −1 if it is to be made anew.
    private long moves = -1;

    private boolean turning;

    /// @param life which life of the worker this is
    FaultLoad(FaultPlan plan, FaultTimes times, long life, FaultLedger ledger) {
        this.plan = plan;
        this.ledger = ledger;
        this.client = new Client(times.resendNanos());
        client.inLife(life);
        if (plan.inParts()) {
            client.sendsAhead(1);
        }
        this.member = new Member(client, life, "", times.heartbeatNanos());
    }

    @Override
    public void start(long nowNanos, Outbox out) {
        member.start(nowNanos, out);
    }

    /// Done when it has been told to go.
    Ticket gone() {
        return gone;
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        member.receive(from, message, nowNanos, out);
        ledger.knows(client.layout().epoch());
        go(nowNanos, out);
    }

    @Override
    public void wake(long tag, long nowNanos, Outbox out) {
        if (tag == TURN) {
            turning = false;
        } else {
            member.wake(tag, nowNanos, out);
        }
        go(nowNanos, out);
    }

    private void go(long nowNanos, Outbox out) {
        Message.Order next = member.take();
        if (next != null) {
            order = next;
            moves = -1;
        }
        if (order == null) {
            return;
        }
        if (order.what().length == 0) {
            done(out);
            gone.complete();
            return;
        }
        if (moves != client.moves() && !takeOver(nowNanos)) {
            return;
        }
        boolean undone = false;
        for (FaultStream stream : held.values()) {
            stream.go(nowNanos, out);
            undone |= !stream.isDone();
        }
        if (!undone) {
            done(out);
        } else if (!turning) {
            turning = true;
            out.wakeAt(nowNanos + FaultStream.UPDATES * FaultStream.PACE, TURN);
        }
    }

    private void done(Outbox out) {
        member.carriedOut(new Message.Done(order.number(), false, Duty.OVER), out);
        order = null;
    }

    /// Goes on with the streams that it holds by now; false while some of them are still to be taken over.
    private boolean takeOver(long nowNanos) {
        if (!client.claims().isEmpty()) {
            return false;
        }
        moves = client.moves();
        held.values().removeIf(stream -> !stream.isHeld());
        for (int stream : client.streams()) {
            held.computeIfAbsent(stream, _ -> new FaultStream(stream, client, plan, ledger, nowNanos));
        }
        return true;
    }

    @Override
    public String toString() {
        return "a worker in epoch " + client.layout().epoch() + (order == null ? " with no order" : "") + " with "
                + held.values();
    }
}
