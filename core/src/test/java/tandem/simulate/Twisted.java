package tandem.simulate;

import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;
import tandem.wire.Values;

/// A node that hears or says something else than is said to it or by it, as if it had been written wrongly.
class Twisted implements Party {

    private final Party node;

    Twisted(Party node) {
        this.node = node;
    }

    /// What the node hears instead; null for nothing.
    Message heard(Address from, Message message, long nowNanos) {
        return message;
    }

    /// What the node says instead; null for nothing.
    Message said(Address to, Message message) {
        return message;
    }

    /// What happens besides when the node has heard something.
    void after(Address from, Message message, long nowNanos, Outbox out) {}

    /// What happens before the node is woken.
    void beforeWaking(long nowNanos, Outbox out) {}

    @Override
    public final void receive(Address from, Message message, long nowNanos, Outbox out) {
        Message heard = heard(from, message, nowNanos);
        if (heard != null) {
            node.receive(from, heard, nowNanos, new Twist(out));
            after(from, heard, nowNanos, out);
        }
    }

    @Override
    public final void wake(long tag, long nowNanos, Outbox out) {
        beforeWaking(nowNanos, new Twist(out));
        node.wake(tag, nowNanos, new Twist(out));
    }

    private final class Twist implements Outbox {

        private final Outbox out;

        Twist(Outbox out) {
            this.out = out;
        }

        @Override
        public void send(Address to, Message message) {
            Message said = said(to, message);
            if (said != null) {
                out.send(to, said);
            }
        }

        @Override
        public void release(Values values) {
            out.release(values);
        }

        @Override
        public void wakeAt(long nanos, long tag) {
            out.wakeAt(nanos, tag);
        }
    }
}
