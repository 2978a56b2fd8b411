package tandem.cluster;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import tandem.client.Ticket;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;

/// Orders given to nodes, to each node one at a time, and repeated until they are carried out: ever less often, since
/// an order may take long, and with many nodes what is repeated takes the coordinator's whole line.
final class Errands {

    /// An order is repeated at least once in so many looks.
    private static final int SELDOM = 16;

    private final TreeMap<Long, Errand> all = new TreeMap<>();
    private final TreeMap<Address, Queue<Errand>> undone = new TreeMap<>();
    private final ToLongFunction<Address> heardNanos;
    private long last;

    /// @param heardNanos when a node was last heard
    Errands(ToLongFunction<Address> heardNanos) {
        this.heardNanos = heardNanos;
    }

    /// Has numbers begin after this one.
    void startAfter(long number) {
        last = number;
    }

    /// An order that is not carried out yet, or whose result has not been taken.
    private static final class Errand {
        final Address to;
        final Message.Order order;
        final Together together;
        final Ticket ticket = new Ticket(this::awaited);
        Message.Done done;
        boolean lost;

        /// How often it was looked after since the node was told.
        int looks;

        /// Whether there was more to it when it was under way, so that it is to be carried out once more.
        boolean again;

        Errand(Address to, Message.Order order, Together together) {
            this.to = to;
            this.order = order;
            this.together = together;
        }

        Address awaited() {
            return done == null ? to : null;
        }
    }

    /// Errands given together, and how many of them must still be carried out until it is enough.
    private final class Together {
        final Ticket enough = new Ticket(this::awaited);
        final List<Coordinator.Order> orders = new ArrayList<>();
        int missing;
        boolean held;

        Together(int enough) {
            this.missing = enough;
        }

        /// One is carried out. After one that failed the others are not worth waiting for.
        void done(boolean failed) {
            missing -= failed ? missing : 1;
            held &= !failed;
            settle();
        }

        void settle() {
            if (missing <= 0 && !held && !enough.isDone()) {
                enough.complete();
            }
        }

        /// Of the nodes that have not answered, as many as are missing must: the one of them heard least lately.
        Address awaited() {
            return missing <= 0
                    ? null
                    : all.values().stream()
                            .filter(errand -> errand.together == this && errand.done == null)
                            .map(errand -> errand.to)
                            .sorted(Comparator.comparingLong(heardNanos).reversed())
                            .skip(missing - 1L)
                            .findFirst()
                            .orElse(null);
        }
    }

    /// Gives the same order to some nodes, each a number of its own.
    Coordinator.Round give(List<Address> to, byte[] what, int enough, Outbox out) {
        Together together = new Together(enough);
        to.forEach(node -> together.orders.add(give(node, what, together, out)));
        return new Coordinator.Round(together.orders, together.enough);
    }

    /// Gives an order of a round that is under way to one more node. A node that is at it may not see that there is
    /// more to it now, so it gets it again after that.
    void join(Coordinator.Round round, Address node, Outbox out) {
        for (Coordinator.Order order : round.orders()) {
            if (order.to().equals(node) && isUndone(order.number())) {
                all.get(order.number()).again = true;
                return;
            }
        }
        Errand first = all.get(round.orders().getFirst().number());
        if (first != null && !round.enough().isDone()) {
            first.together.missing++;
            round.orders().add(give(node, first.order.what(), first.together, out));
        }
    }

    /// Keeps a round from being enough, because there will be more to it.
    void hold(Coordinator.Round round) {
        together(round).held = true;
    }

    boolean isHeld(Coordinator.Round round) {
        return together(round).held;
    }

    /// There is no more to it than was given.
    void release(Coordinator.Round round) {
        together(round).held = false;
        together(round).settle();
    }

    private Together together(Coordinator.Round round) {
        return all.get(round.orders().getFirst().number()).together;
    }

    /// A node is gone, and others do what it was told to do.
    void leave(Address node) {
        Queue<Errand> rest = undone.remove(node);
        while (rest != null && !rest.isEmpty()) {
            Errand errand = rest.remove();
            errand.done = new Message.Done(errand.order.number(), false, Duty.OVER);
            errand.ticket.complete();
            errand.together.done(false);
        }
    }

    private Coordinator.Order give(Address to, byte[] what, Together together, Outbox out) {
        Errand errand = new Errand(to, new Message.Order(++last, what), together);
        all.put(last, errand);
        Queue<Errand> before = undone.computeIfAbsent(to, _ -> new ArrayDeque<>());
        before.add(errand);
        if (before.size() == 1) {
            out.send(to, errand.order);
        }
        return new Coordinator.Order(to, last, errand.ticket);
    }

    boolean isUndone(long number) {
        Errand errand = all.get(number);
        return errand != null && errand.done == null;
    }

    /// Looks after orders that have not been answered, and gives some of them again.
    void again(Outbox out) {
        undone.forEach((node, errands) -> {
            Errand first = errands.peek();
            if (first != null && (++first.looks % SELDOM == 0 || Integer.bitCount(first.looks) == 1)) {
                out.send(node, first.order);
            }
        });
    }

    /// A node may have begun anew, and know nothing of its order: it is told soon.
    void anew(Address node) {
        Queue<Errand> errands = undone.get(node);
        if (errands != null && !errands.isEmpty()) {
            errands.peek().looks = 0;
        }
    }

    /// Notes what came of an order; the next one for that node can go.
    void onDone(Message.Done done, Outbox out) {
        Errand errand = all.get(done.number());
        if (errand == null || errand.done != null) {
            return;
        }
        errand.done = done;
        if (errand.again && !done.failed()) {
            errand.together.missing++;
            errand.together.orders.add(give(errand.to, errand.order.what(), errand.together, out));
        }
        Queue<Errand> rest = undone.get(errand.to);
        rest.remove();
        if (!rest.isEmpty()) {
            out.send(errand.to, rest.peek().order);
        }
        errand.ticket.complete();
        errand.together.done(done.failed());
    }

    /// A node is gone, and with it what it was told to do.
    void lose(Address node) {
        Queue<Errand> rest = undone.remove(node);
        while (rest != null && !rest.isEmpty()) {
            Errand errand = rest.remove();
            errand.lost = true;
            errand.done = new Message.Done(errand.order.number(), true, "was lost".getBytes(StandardCharsets.UTF_8));
            errand.ticket.complete();
            errand.together.done(true);
        }
    }

    /// Throws if an order is one that could not be carried out.
    void check(long number) {
        Errand errand = all.get(number);
        if (errand != null && errand.lost) {
            throw new Coordinator.Gone(errand.to);
        }
        if (errand != null && errand.done != null && errand.done.failed()) {
            throw new Coordinator.Failed(errand.to, new String(errand.done.result(), StandardCharsets.UTF_8));
        }
    }

    /// What came of an order that is carried out. To be asked once.
    byte[] result(long number) {
        check(number);
        return all.remove(number).done.result();
    }
}
