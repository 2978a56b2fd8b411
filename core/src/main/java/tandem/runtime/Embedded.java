package tandem.runtime;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import tandem.cluster.Ground;
import tandem.cluster.Traffic;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;

/// All nodes in this process: messages are references, handed over on the sender's thread. None is lost, doubled
/// or overtaken, so nobody need ask twice.
public final class Embedded implements Ground, AutoCloseable {

    private final Map<Address, Strand> strands = new ConcurrentHashMap<>();
    private final Loops loops = new Loops();
    private final Timers timers = new Timers(loops::fail);

    @Override
    public Outbox add(Address address, Party party) {
        Desk desk = new Desk(address);
        desk.strand = new Strand(address, party, desk, (_, why) -> {
            throw why;
        });
        desk.strand.start(() -> strands.putIfAbsent(address, desk.strand) == null);
        return desk;
    }

    @Override
    public void loop(Address address, Body body) {
        loops.add(strands.get(address), body);
    }

    @Override
    public void run(Body coordinator) {
        loops.run(() -> coordinator.run(strands.get(Address.COORDINATOR)));
    }

    /// References take no bytes.
    @Override
    public Traffic traffic(Address node) {
        return Traffic.NONE;
    }

    @Override
    public long resendNanos() {
        return Duration.ofDays(365).toNanos();
    }

    @Override
    public void close() {
        timers.close();
    }

    /// The outbox of one node.
    private final class Desk implements Outbox {

        private final Address address;
        private Strand strand;

        Desk(Address address) {
            this.address = address;
        }

        @Override
        public void send(Address to, Message message) {
            Strand receiver = strands.get(to);
            if (receiver != null) {
                receiver.receive(address, message);
            }
        }

        @Override
        public void wakeAt(long nanos, long tag) {
            timers.wakeAt(strand, nanos, tag);
        }
    }
}
