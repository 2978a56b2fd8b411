package tandem.client;

import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import tandem.wire.Figures;

/// What a server function came to, once its ticket is done.
public final class Answer {

    private final Ticket ticket;
    private final Supplier<Figures[]> byShard;
    private final BinaryOperator<Figures> merge;

    Answer(Ticket ticket, Supplier<Figures[]> byShard, BinaryOperator<Figures> merge) {
        this.ticket = ticket;
        this.byShard = byShard;
        this.merge = merge;
    }

    public Ticket ticket() {
        return ticket;
    }

    /// The results of all shards merged in their order, whichever servers they came from.
    public Figures figures() {
        if (!ticket.isDone()) {
            throw new IllegalStateException("the function has not been answered yet; wait for the ticket");
        }
        ticket.check();
        Figures all = null;
        for (Figures one : byShard.get()) {
            all = all == null ? one : merge.apply(all, one);
        }
        return all;
    }
}
