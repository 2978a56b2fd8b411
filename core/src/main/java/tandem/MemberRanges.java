package tandem;

import tandem.client.Session;
import tandem.cluster.Member;
import tandem.wire.Message;
import tandem.worker.Ranges;

/// Ranges as the coordinator gives them to a member.
record MemberRanges(Member member, Session session) implements Ranges {

    @Override
    public Range next() {
        session.await(session.station().turn((_, out) -> member.ask(out)));
        Message.Given given = session.station().turn((_, _) -> member.given());
        return new Range(given.from(), given.to());
    }
}
