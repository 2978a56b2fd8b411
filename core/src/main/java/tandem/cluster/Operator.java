package tandem.cluster;

import tandem.client.Ticket;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;

/// Somebody from outside who wants something done with the cluster, and asks until it is.
public final class Operator implements Party {

    private static final long ASK = 0;

    private final Message.Manage wish;
    private final long askNanos;
    private final Ticket answered = new Ticket(() -> Address.COORDINATOR);
    private long coordinatorHeardNanos;
    private Message.Managed answer;

    /// @param number   which node it is about; less than 0 for none
    /// @param askNanos how long to wait before asking again
    public Operator(String what, int number, long askNanos) {
        this.wish = new Message.Manage(1, what, number);
        this.askNanos = askNanos;
    }

    /// Begins to ask; once, before anything else.
    @Override
    public void start(long nowNanos, Outbox out) {
        wake(ASK, nowNanos, out);
    }

    /// Done when there is an answer, well or badly.
    public Ticket answered() {
        return answered;
    }

    /// What it was told; throws if it cannot be done.
    public String answer() {
        if (answer.failed()) {
            throw new IllegalArgumentException(answer.text());
        }
        return answer.text();
    }

    /// When the coordinator was last heard; 0 for never.
    public long coordinatorHeardNanos() {
        return coordinatorHeardNanos;
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        coordinatorHeardNanos = nowNanos;
        if (message instanceof Message.Managed managed && !answered.isDone()) {
            answer = managed;
            answered.complete();
        }
    }

    @Override
    public void wake(long tag, long nowNanos, Outbox out) {
        if (!answered.isDone()) {
            out.send(Address.COORDINATOR, wish);
            out.wakeAt(nowNanos + askNanos, ASK);
        }
    }
}
