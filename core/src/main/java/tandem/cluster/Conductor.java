package tandem.cluster;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tandem.client.Overdue;
import tandem.client.Session;
import tandem.client.Station;
import tandem.client.Ticket;
import tandem.client.Waiting;
import tandem.wire.Address;
import tandem.wire.TableSpec;

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

    /// Adds a table, and waits until everyone knows it.
    public void create(TableSpec table) {
        waiting.await(station.turn((_, out) -> coordinator.create(table, out)));
    }

    /// Drops a table, and waits until everyone knows.
    public void drop(String table) {
        waiting.await(station.turn((_, out) -> coordinator.drop(table, out)));
    }

    /// Has each of the nodes carry out an order at the same time, and waits for all of them; results in their order.
    ///
    /// @param meanwhile what to do every now and then; what it throws is thrown here
    public List<byte[]> order(List<Address> to, byte[] what, long everyNanos, Runnable meanwhile) {
        Coordinator.Round round = begin(to, what, to.size());
        awaitEnough(round, everyNanos, meanwhile);
        return round.orders().stream()
                .map(order -> result(order, everyNanos, meanwhile))
                .toList();
    }

    /// Has each of the nodes carry out an order, without waiting.
    ///
    /// @param enough how many of them [#awaitEnough] waits for
    public Coordinator.Round begin(List<Address> to, byte[] what, int enough) {
        return station.turn((_, out) -> coordinator.order(to, what, enough, out));
    }

    /// Has all workers that take part, or come to take part meanwhile, carry out an order, without waiting.
    public Coordinator.Round beginAll(byte[] what) {
        return station.turn((_, out) -> coordinator.standing(what, out));
    }

    /// The same where they share batches, of which each counts once, whoever works on it (see [Portions]).
    public Coordinator.Round beginAll(byte[] what, long batches) {
        return station.turn((now, out) -> coordinator.standing(what, batches, now, out));
    }

    /// The orders of a round so far.
    public List<Coordinator.Order> orders(Coordinator.Round round) {
        return station.turn((_, _) -> List.copyOf(round.orders()));
    }

    /// The workers that take part now.
    public List<Address> workers() {
        return station.turn((_, _) -> coordinator.workersThere());
    }

    /// In which life each worker is that takes part now.
    public Map<Integer, Long> lives() {
        return station.turn((_, _) -> coordinator.workerLives());
    }

    /// How many coordinators there have been, this one included.
    public long term() {
        return station.turn((_, _) -> coordinator.term());
    }

    /// The same where the nodes, all of the workers, share the batches of a pass: each has a range of its own at first,
    /// and takes over from others when it is through with it.
    public Coordinator.Round begin(List<Address> to, byte[] what, int enough, long batches) {
        return station.turn((_, out) -> coordinator.order(to, what, enough, batches, out));
    }

    /// Waits until enough nodes have carried out an order; throws as soon as one cannot.
    public void awaitEnough(Coordinator.Round round, long everyNanos, Runnable meanwhile) {
        waiting.await(List.of(round.enough()), everyNanos, meanwhile);
        station.turn((_, _) -> {
            coordinator.check(round);
            return null;
        });
    }

    /// Tells the nodes that are still at it to leave the rest.
    public void leave(Coordinator.Round round) {
        station.turn((_, out) -> {
            coordinator.leave(round, out);
            return null;
        });
    }

    /// Waits until an order is carried out; what came of it. To be asked once.
    public byte[] result(Coordinator.Order order, long everyNanos, Runnable meanwhile) {
        waiting.await(List.of(order.ticket()), everyNanos, meanwhile);
        return station.turn((_, _) -> coordinator.result(order));
    }

    /// Changes what the reads of workers wait for, whatever they are doing; when it returns, all of them follow.
    ///
    /// @param consistency by its name, such as `bounded:4`
    public void change(List<Address> workers, String consistency, long everyNanos) {
        List<Ticket> told = station.turn((_, out) -> workers.stream()
                .map(worker -> coordinator.consistency(worker, consistency, out))
                .toList());
        waiting.await(told, everyNanos, () -> {});
    }

    /// Sends everyone home and waits until they have gone.
    public void dismiss(List<Address> everyone, long everyNanos) {
        order(everyone, Duty.OVER, everyNanos, () -> {});
    }

    /// The same when all that there was to do is done: who goes without a word, or whose last word is lost on the way,
    /// is no reason to fail, since a node that closes its connections can take its last words along.
    ///
    /// @param some      who is still there
    /// @param mostNanos how long to wait in all: who is lost meanwhile can leave others waiting for a place to be
    /// taken
    ///                  by those who have gone
    /// @param unheard   told who was not heard to go
    public void sendHome(Supplier<List<Address>> some, long everyNanos, long mostNanos, Consumer<String> unheard) {
        long end = station.nowNanos() + mostNanos;
        Runnable checkTime = () -> {
            if (station.nowNanos() > end) {
                throw new TooLong();
            }
        };
        while (true) {
            try {
                order(some.get(), Duty.OVER, everyNanos, checkTime);
                return;
            } catch (Coordinator.Gone e) {
                unheard.accept(e.getMessage()); // the others are told again
            } catch (Overdue | TooLong e) {
                unheard.accept(e.getMessage());
                return;
            }
        }
    }

    private static final class TooLong extends RuntimeException {

        private static final long serialVersionUID = 1;

        TooLong() {
            super("some were not heard to go");
        }
    }

    /// What workers have last said of their work, in each of their lives.
    public List<Heard> heard() {
        return station.turn((_, _) -> coordinator.heard());
    }

    /// A session that reads rows outside all streams; one for each thread that reads.
    public Session reader(long silenceNanos) {
        return new Session(Address.COORDINATOR, coordinator.reader(), station, silenceNanos);
    }

    /// The servers that take part now.
    public List<Address> servers() {
        return station.turn((_, _) -> coordinator.serversThere());
    }

    /// The latest epoch, whether everyone knows it or not.
    public long epoch() {
        return station.turn((_, _) -> coordinator.layout().epoch());
    }

    /// Has something done that changes rows without an update; again if another epoch has begun meanwhile, because
    /// whoever came with it may have been given rows of before.
    public void settled(Runnable change) {
        long before;
        do {
            before = epoch();
            change.run();
        } while (before != epoch());
    }
}
