package tandem.cluster;

import java.util.List;
import tandem.client.Session;
import tandem.client.Station;
import tandem.client.Waiting;
import tandem.wire.Address;
import tandem.wire.Layout;

/// The calls of the coordinator's loop. Belongs to one thread.
public final class Conductor {

    private final Coordinator coordinator;
    private final Station station;
    private final Waiting waiting;

    public Conductor(Coordinator coordinator, Station station, long silenceNanos) {
        this.coordinator = coordinator;
        this.station = station;
        this.waiting = new Waiting(Address.COORDINATOR, station, silenceNanos, coordinator::heardNanos);
    }

    /// Waits until everyone is there and knows the layout.
    public void awaitAll(long everyNanos, Runnable meanwhile) {
        waiting.await(List.of(coordinator.complete()), everyNanos, meanwhile);
    }

    /// Has each of the nodes carry out an order at the same time, and waits for all of them; results in their order.
    ///
    /// @param meanwhile what to do every now and then; what it throws is thrown here
    public List<byte[]> order(List<Address> to, byte[] what, long everyNanos, Runnable meanwhile) {
        List<Coordinator.Order> orders = station.turn((_, out) ->
                to.stream().map(node -> coordinator.order(node, what, out)).toList());
        waiting.await(orders.stream().map(Coordinator.Order::ticket).toList(), everyNanos, () -> {
            meanwhile.run();
            // Those that go on may wait for one that has failed, for ever.
            station.turn((_, _) -> {
                orders.forEach(coordinator::check);
                return null;
            });
        });
        return station.turn((_, _) -> orders.stream().map(coordinator::result).toList());
    }

    /// Sends everyone home and waits until they have gone.
    public void dismiss(List<Address> everyone, long everyNanos) {
        order(everyone, Duty.OVER, everyNanos, () -> {});
    }

    /// The examples that all workers have learned from, as last heard, and their loss in all.
    public Progress progress() {
        return station.turn((_, _) -> new Progress(coordinator.examples(), coordinator.loss()));
    }

    public record Progress(long examples, double loss) {}

    /// A session that reads rows outside all streams; one for each thread that reads.
    public Session reader(long silenceNanos) {
        return new Session(Address.COORDINATOR, coordinator.reader(), station, silenceNanos);
    }

    public Layout layout() {
        return station.turn((_, _) -> coordinator.reader().layout());
    }
}
