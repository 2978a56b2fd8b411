package tandem.cluster;

import java.nio.charset.StandardCharsets;
import tandem.client.Station;
import tandem.client.Waiting;
import tandem.wire.Address;
import tandem.wire.Message;

/// What a node does when it is given an order.
@FunctionalInterface
public interface Duty {

    /// The order to go home.
    byte[] OVER = {};

    /// Carries out an order. What it throws fails the order, not the node.
    byte[] carryOut(byte[] what);

    /// Carries out one order after the other, until it is over.
    default void run(Address self, Member member, Station station, long silenceNanos) {
        Waiting waiting = new Waiting(self, station, silenceNanos, _ -> member.coordinatorHeardNanos());
        while (true) {
            waiting.await(station.turn((_, _) -> member.nextOrder()));
            Message.Order order = station.turn((_, _) -> member.take());
            Message.Done done =
                    order.what().length == 0 ? new Message.Done(order.number(), false, OVER) : attempt(order);
            station.turn((_, out) -> {
                member.carriedOut(done, out);
                return null;
            });
            if (order.what().length == 0) {
                return;
            }
        }
    }

    private Message.Done attempt(Message.Order order) {
        try {
            return new Message.Done(order.number(), false, carryOut(order.what()));
        } catch (RuntimeException e) {
            String why = e.getMessage() == null ? e.toString() : e.getMessage();
            return new Message.Done(order.number(), true, why.getBytes(StandardCharsets.UTF_8));
        }
    }
}
