package tandem;

import tandem.client.Session;
import tandem.client.Ticket;
import tandem.cluster.Member;
import tandem.wire.Message;
import tandem.worker.Ranges;

/// Ranges as the coordinator gives them to a member, until enough of the order is done.
record MemberRanges(Member member, Session session, Ticket enough) implements Ranges {

    @Override
    public Range next() {
        Ticket either = session.station().turn((_, out) -> {
            Ticket asked = member.ask(out);
            Ticket first = new Ticket(asked::awaited);
            asked.whenDone(() -> complete(first));
            enough.whenDone(() -> complete(first));
            return first;
        });
        session.await(either);
        Message.Given given = session.station().turn((_, _) -> member.given());
        return given == null ? new Range(0, 0, false) : new Range(given.from(), given.to(), given.counts());
    }

    private static void complete(Ticket ticket) {
        if (!ticket.isDone()) {
            ticket.complete();
        }
    }
}
