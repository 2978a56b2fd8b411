package tandem.cluster;

import java.util.TreeMap;
import tandem.client.Ticket;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;

/// What holds for each worker besides its orders, repeated until the worker says that it knows.
final class Guides {

    private final TreeMap<Address, Guide> guides = new TreeMap<>();
    private long last;

    /// Has numbers begin after this one.
    void startAfter(long number) {
        last = number;
    }

    /// The latest guide for a worker, and a ticket for each that it has not answered, by number.
    private static final class Guide {
        Message.Guide latest = new Message.Guide(0, 0, null);
        final TreeMap<Long, Ticket> unanswered = new TreeMap<>();
    }

    /// Says that enough of an order is done.
    Ticket enough(Address worker, long order, Outbox out) {
        Guide guide = guides.computeIfAbsent(worker, _ -> new Guide());
        return send(worker, guide, new Message.Guide(++last, order, guide.latest.consistency()), out);
    }

    /// Says what reads wait for from now on.
    Ticket consistency(Address worker, String name, Outbox out) {
        Guide guide = guides.computeIfAbsent(worker, _ -> new Guide());
        return send(worker, guide, new Message.Guide(++last, guide.latest.enough(), name), out);
    }

    private static Ticket send(Address worker, Guide guide, Message.Guide next, Outbox out) {
        Ticket ticket = new Ticket(() -> worker);
        guide.latest = next;
        guide.unanswered.put(next.number(), ticket);
        out.send(worker, next);
        return ticket;
    }

    /// A worker that knows a guide knows all that earlier ones said.
    void onGuided(Address worker, long number) {
        Guide guide = guides.get(worker);
        while (guide != null && !guide.unanswered.isEmpty() && guide.unanswered.firstKey() <= number) {
            guide.unanswered.pollFirstEntry().getValue().complete();
        }
    }

    /// Sends again what is not known.
    void again(Outbox out) {
        guides.forEach((worker, guide) -> {
            if (!guide.unanswered.isEmpty()) {
                out.send(worker, guide.latest);
            }
        });
    }
}
