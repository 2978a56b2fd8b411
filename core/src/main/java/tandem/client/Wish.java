package tandem.client;

import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;

/// Something asked of the coordinator, again and again if need be.
final class Wish {

    final Ticket ticket = new Ticket(() -> Address.COORDINATOR);
    private final Message message;
    private long sentNanos;

    Wish(Message message, long sentNanos) {
        this.message = message;
        this.sentNanos = sentNanos;
    }

    void repeat(long nowNanos, long afterNanos, Outbox out) {
        if (nowNanos - sentNanos >= afterNanos) {
            sentNanos = nowNanos;
            out.send(Address.COORDINATOR, message);
        }
    }

    /// @param refused why it cannot be, or null
    void end(String refused) {
        if (refused == null) {
            ticket.complete();
        } else {
            ticket.fail(new Refused(refused));
        }
    }
}
