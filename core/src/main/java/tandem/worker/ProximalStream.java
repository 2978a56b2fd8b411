package tandem.worker;

import java.util.ArrayDeque;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.consistency.After;
import tandem.wire.Age;

/// A stream of a proximal solver: how far it has come, and what is on its way to it.
///
/// Each clock is two updates: what is pushed for it, and its end. So the number of an update tells the clock, and
/// whoever takes the stream over knows where to go on. After each it asks for what all make of that clock, and goes
/// on meanwhile as far as the round allows.
///
/// Where all are at the same clock its end is said when all servers have what was pushed: whoever takes over in the
/// middle then still finds what the clock began with, and pushes the same. Where some may be late nobody can count
/// on that, and nothing is waited for.
final class ProximalStream {

    private static final int UPDATES_A_CLOCK = 2;

    private final int number;
    private final Session session;
    private final ProximalShare share;

    /// Clocks finished so far, in all rounds.
    private long position;

    /// Whether the share has begun at some position, and which position what it knows is of.
    private boolean begun;

    private long known;

    /// The round in hand, how late things have been in it, and how late in the one before: at first, as late as may
    /// be.
    private long roundUntil;

    private long longest;
    private long expected;

    private final ArrayDeque<Coming> coming = new ArrayDeque<>();
    private Ticket sent;

    /// What is on its way: that of `clock`, or later.
    private record Coming(long clock, double[][] room, Ticket ticket) {}

    ProximalStream(int number, Session session, ProximalShare share) {
        this.number = number;
        this.session = session;
        this.share = share;
    }

    int number() {
        return number;
    }

    long position() {
        return position;
    }

    ProximalShare share() {
        return share;
    }

    /// Takes the stream's place from the servers: it is new to this worker, or may have been somebody else's
    /// meanwhile.
    void locate() {
        long before = session.sent(number);
        position = before / UPDATES_A_CLOCK;
        if (before % UPDATES_A_CLOCK != 0) {
            position++;
            session.tick(number, position);
        }
        begun = false;
        sent = null;
        coming.clear();
    }

    private void begin() {
        if (begun) {
            return;
        }
        begun = true;
        double[][] room = share.room();
        session.await(session.pull(number, new After(0, position), share.toBegin(room)));
        share.begin(room);
        known = position;
    }

    /// Works through the next clock.
    void step(ProximalLoop.Round round) {
        begin();
        while (!coming.isEmpty()
                && (known < position - round.delay(position)
                        || coming.peekFirst().ticket.isDone())) {
            take();
        }
        Slice[] pushed = share.work(round, position, lateness(round));
        session.station().worked((int) Math.min(Integer.MAX_VALUE, share.entries()), round.enough());
        push(round, pushed);
        position++;
        double[][] room = share.room();
        coming.add(new Coming(position, room, session.pull(number, new After(0, position), share.toGoOn(room))));
    }

    /// How late what is known has to be taken for: a gradient that is not late is of as many steps as one that is,
    /// if those after it are made without what came of it.
    private long lateness(ProximalLoop.Round round) {
        if (round.moves() > 0 && round.until() != roundUntil) {
            expected = roundUntil == 0 ? round.delay() : longest;
            longest = 0;
            roundUntil = round.until();
        }
        longest = Math.max(longest, position - known);
        return Math.max(longest, expected);
    }

    private void push(ProximalLoop.Round round, Slice[] pushed) {
        if (round.delay() > 0) {
            session.updateAndTick(number, position + 1, Age.UNKNOWN, pushed);
            return;
        }
        if (sent != null) {
            session.await(sent);
        }
        sent = session.updateThenTick(number, position + 1, Age.UNKNOWN, pushed);
    }

    private void take() {
        Coming first = coming.removeFirst();
        session.await(first.ticket);
        share.take(first.room);
        known = first.clock;
    }

    /// Takes note of all that is still to come.
    void drain() {
        begin();
        while (!coming.isEmpty()) {
            take();
        }
        if (sent != null) {
            session.await(sent);
            sent = null;
        }
    }

    ProximalLoop.Sums sums(ProximalLoop.Round round) {
        return share.sums(number, round);
    }
}
