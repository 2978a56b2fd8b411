package tandem.cluster;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Consumer;
import tandem.client.Ticket;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Party;

/// A server or worker as the coordinator knows it: joins, stays heard, follows the layout and takes orders, each
/// once. Everything else goes to the node itself.
public final class Member implements Party {

    private static final long HEARTBEAT = -1;

    private final Party node;
    private final String place;
    private final long pid;
    private final long incarnation;
    private final long heartbeatNanos;
    private final Queue<Message.Order> orders = new ArrayDeque<>();
    private Ticket waiting;
    private long epoch;

    /// The latest order taken, and what came of it; null while it is being carried out.
    private long taken;

    private Message.Done done;
    private long coordinatorHeardNanos;
    private Message.Guide guide = new Message.Guide(0, 0, null);
    private Consumer<String> guided = _ -> {};
    private Ticket enough = new Ticket(() -> null);

    /// The latest range asked for, and what was given; null while there is no answer.
    private Message.Ask asked = new Message.Ask(0, 0);

    private Message.Given given;
    private Ticket asking;

    /// What the node has learned so far, as it told last.
    private long examples;

    private double loss;

    /// The same where it does not matter which process it is.
    public Member(Party node, long incarnation, String place, long heartbeatNanos) {
        this(node, incarnation, place, 0, heartbeatNanos);
    }

    /// @param incarnation which life of the node this is
    /// @param place       where others can reach it
    /// @param pid         the number of its process
    public Member(Party node, long incarnation, String place, long pid, long heartbeatNanos) {
        this.node = node;
        this.incarnation = incarnation;
        this.place = place;
        this.pid = pid;
        this.heartbeatNanos = heartbeatNanos;
    }

    /// Asks to join; once, before anything else.
    @Override
    public void start(long nowNanos, Outbox out) {
        wake(HEARTBEAT, nowNanos, out);
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        if (from.equals(Address.COORDINATOR)) {
            coordinatorHeardNanos = nowNanos;
        }
        switch (message) {
            case Message.Order order -> onOrder(order, out);
            case Message.Guide next -> onGuide(next, out);
            case Message.Given answer -> onGiven(answer);
            case Message.Placed placed when placed.incarnation() != 0 && placed.incarnation() != incarnation -> {}
            case Message.Placed placed -> {
                epoch = Math.max(epoch, placed.layout().epoch());
                node.receive(from, message, nowNanos, out);
                out.send(Address.COORDINATOR, new Message.Heartbeat(epoch, examples, loss));
            }
            default -> node.receive(from, message, nowNanos, out);
        }
    }

    @Override
    public void wake(long tag, long nowNanos, Outbox out) {
        if (tag != HEARTBEAT) {
            node.wake(tag, nowNanos, out);
            return;
        }
        out.send(
                Address.COORDINATOR,
                epoch == 0 ? new Message.Join(incarnation, place, pid) : new Message.Heartbeat(epoch, examples, loss));
        if (asking != null && given == null) {
            out.send(Address.COORDINATOR, asked);
        }
        out.wakeAt(nowNanos + heartbeatNanos, HEARTBEAT);
    }

    /// Says how far the node has come; the coordinator hears of it with the next heartbeat.
    public void learned(long allExamples, double allLoss) {
        examples = allExamples;
        loss = allLoss;
    }

    /// Done when there is an order to [#take].
    public Ticket nextOrder() {
        Ticket ticket = new Ticket(() -> Address.COORDINATOR);
        if (orders.isEmpty()) {
            waiting = ticket;
        } else {
            ticket.complete();
        }
        return ticket;
    }

    /// Takes the next order, or null.
    public Message.Order take() {
        return orders.poll();
    }

    /// Says that an order is carried out. What came of one that was overtaken, nobody wants to know.
    public void carriedOut(Message.Done result, Outbox out) {
        if (result.number() == taken) {
            done = result;
            out.send(Address.COORDINATOR, result);
        }
    }

    /// Done when enough of the order under way is done, so that what is left of it is to be left.
    public Ticket enough() {
        return enough;
    }

    /// Has `follow` hear of every consistency that the coordinator wants from now on, by its name, during a turn.
    public void whenGuided(Consumer<String> follow) {
        guided = follow;
    }

    /// Asks for the next range of batches for the order under way, which is then [#given].
    public Ticket ask(Outbox out) {
        asked = new Message.Ask(taken, asked.order() == taken ? asked.number() + 1 : 1);
        given = null;
        asking = new Ticket(() -> Address.COORDINATOR);
        out.send(Address.COORDINATOR, asked);
        return asking;
    }

    /// The range asked for last, once its ticket is done.
    public Message.Given given() {
        return given;
    }

    /// When the coordinator was last heard; 0 for never.
    public long coordinatorHeardNanos() {
        return coordinatorHeardNanos;
    }

    /// Orders come one at a time, with rising numbers, and again until they are carried out. Who gave one that is
    /// not carried out yet when the next comes is gone, and what is left of it is for whoever came in its place
    /// to order. A node that does not know the layout, as one that was started again, does not know yet what
    /// there is to do.
    private void onOrder(Message.Order order, Outbox out) {
        if (epoch == 0) {
            return;
        }
        if (order.number() == taken && done != null) {
            out.send(Address.COORDINATOR, done);
        }
        if (order.number() <= taken) {
            return;
        }
        taken = order.number();
        done = null;
        if (!enough.isDone()) {
            enough.complete();
        }
        enough = new Ticket(() -> null);
        if (guide.enough() == taken) {
            enough.complete();
        }
        orders.add(order);
        if (waiting != null) {
            Ticket told = waiting;
            waiting = null;
            told.complete();
        }
    }

    private void onGuide(Message.Guide next, Outbox out) {
        if (next.number() > guide.number()) {
            guide = next;
            if (next.enough() == taken && !enough.isDone()) {
                enough.complete();
            }
            if (next.consistency() != null) {
                guided.accept(next.consistency());
            }
        }
        out.send(Address.COORDINATOR, new Message.Guided(guide.number()));
    }

    private void onGiven(Message.Given answer) {
        boolean awaited = asking != null && given == null;
        if (awaited && answer.order() == asked.order() && answer.number() == asked.number()) {
            given = answer;
            asking.complete();
        }
    }
}
