package tandem.simulate;

import tandem.server.Server;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;
import tandem.wire.Values;

/// A server whose answers to workers are looked at: none may come from an epoch that is over.
final class FaultWatch implements Party {

    private final Server server;
    private final Party node;
    private final FaultLedger ledger;

    /// @param node the server, or what stands between it and the network
    FaultWatch(Server server, Party node, FaultLedger ledger) {
        this.server = server;
        this.node = node;
        this.ledger = ledger;
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        node.receive(from, message, nowNanos, new Watched(out));
    }

    @Override
    public void wake(long tag, long nowNanos, Outbox out) {
        node.wake(tag, nowNanos, new Watched(out));
    }

    private final class Watched implements Outbox {

        private final Outbox out;

        Watched(Outbox out) {
            this.out = out;
        }

        @Override
        public void send(Address to, Message message) {
            if (message instanceof Message.Seated(int seat, Message about)
                    && (about instanceof Message.Applied
                            || about instanceof Message.Claimed
                            || about instanceof Message.Rows)
                    && server.epoch() < ledger.activeEpoch()) {
                ledger.violated("G6: a server of epoch " + server.epoch() + " answered for seat " + seat
                        + " when epoch " + ledger.activeEpoch() + " was active");
            }
            out.send(to, message);
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
