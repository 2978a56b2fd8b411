package tandem.cluster;

import tandem.client.Client;
import tandem.client.Ticket;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;

/// Somebody from outside who reads tables of a cluster that is at work: asks the coordinator where everything is, until
/// it is told, and takes no part in anything else. Nobody waits for a guest.
public final class Guest implements Party {

    private static final long ASK = -1;

    private final Client client;
    private final long askNanos;
    private final Ticket placed = new Ticket(() -> Address.COORDINATOR);
    private long coordinatorHeardNanos;

    /// @param askNanos how long to wait before asking again
    public Guest(Client client, long askNanos) {
        this.client = client;
        this.askNanos = askNanos;
    }

    /// Begins to ask; once, before anything else.
    @Override
    public void start(long nowNanos, Outbox out) {
        wake(ASK, nowNanos, out);
    }

    /// Done when it knows the layout.
    public Ticket placed() {
        return placed;
    }

    /// When the coordinator was last heard; 0 for never.
    public long coordinatorHeardNanos() {
        return coordinatorHeardNanos;
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        if (from.equals(Address.COORDINATOR)) {
            coordinatorHeardNanos = nowNanos;
        }
        client.receive(from, message, nowNanos, out);
        if (message instanceof Message.Placed && !placed.isDone()) {
            placed.complete();
        }
    }

    @Override
    public void wake(long tag, long nowNanos, Outbox out) {
        if (tag != ASK) {
            client.wake(tag, nowNanos, out);
        } else if (!placed.isDone()) {
            out.send(Address.COORDINATOR, new Message.Join(0, "", 0));
            out.wakeAt(nowNanos + askNanos, ASK);
        }
    }
}
