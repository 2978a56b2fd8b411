package tandem.server;

import java.util.ArrayDeque;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import tandem.wire.Address;
import tandem.wire.Chain;
import tandem.wire.KnownLists;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;

/// The updates of a seat on their way through its chain (van Renesse and Schneider 2004): numbered in the order in
/// which the first member applied them, passed on in that order, and kept until the last member is known to have
/// them. Only then are they acknowledged.
///
/// Each member has applied all that the next one has, so whoever is left after a failure can go on: what it has kept
/// goes to its new neighbour, who passes over what it had before.
final class Passage {

    /// How far ahead of its turn an update may come.
    private static final int AHEAD = 1024;

    private final int server;
    private final long resendNanos;
    private final LongPredicate mayAnswer;
    private final ArrayDeque<Step> steps = new ArrayDeque<>();
    private final KnownLists known = new KnownLists();

    /// Updates that came before their turn, which happens where messages overtake each other.
    private final TreeMap<Long, Message> early = new TreeMap<>();

    private long epoch;

    /// The members next to this one; −1 where there is none.
    private int before = -1;

    private int next = -1;

    /// The number of the last update applied here, and of the last that is with everyone from here on.
    private long last;

    private long stored;
    private long movedNanos;

    /// Whether nothing more counts as stored for now, because a newcomer is too far behind.
    private boolean held;

    /// An update on its way, and what to answer to whom when it is stored; nothing if nobody asked here.
    private static final class Step {
        final long number;
        Message update;
        Address asker;
        Message answer;

        Step(long number, Message update) {
            this.number = number;
            this.update = update;
        }

        boolean is(int stream, long sequence) {
            return switch (update) {
                case Message.Update other -> other.stream() == stream && other.sequence() == sequence;
                case Message.Change other -> other.stream() == stream && other.sequence() == sequence;
                case Message.Claim other -> other.stream() == stream && -other.lease() == sequence;
                default -> false;
            };
        }
    }

    /// @param mayAnswer whether it may speak for the seat at a time
    Passage(int server, long resendNanos, LongPredicate mayAnswer) {
        this.server = server;
        this.mayAnswer = mayAnswer;
        this.resendNanos = resendNanos;
    }

    /// Follows the chain of a new epoch. What is not known to be stored goes to the next member, who may be another,
    /// without what is for tables that are gone.
    ///
    /// @param joined whether a newcomer that the chain does not count yet is next, so that nothing is stored
    ///               without it
    void place(Layout layout, Chain chain, boolean joined, long nowNanos, Outbox out) {
        epoch = layout.epoch();
        early.clear();
        for (Step step : steps) {
            if (step.update instanceof Message.Update update) {
                step.update = update.with(layout.present(update.parts()));
            }
        }
        int position = chain.position(server);
        before = position > 0 ? chain.servers()[position - 1] : -1;
        int members = joined ? chain.servers().length : chain.whole();
        next = position + 1 < members ? chain.servers()[position + 1] : -1;
        settle(nowNanos, out);
        steps.forEach(step -> forward(step, out));
    }

    /// Whether updates come here first, and reads.
    boolean isHead() {
        return before < 0;
    }

    /// Whether somebody must have what is applied here before it counts.
    boolean isFollowed() {
        return next >= 0;
    }

    long last() {
        return last;
    }

    long stored() {
        return stored;
    }

    /// From now on nothing is stored unless a newcomer, who has everything so far, has it.
    void join(int newcomer) {
        next = newcomer;
    }

    /// Has nothing more count as stored, or goes on. Who sends updates has a limited number under way, so that whoever
    /// cannot follow gets time.
    void hold(boolean hold, long nowNanos, Outbox out) {
        held = hold;
        settle(nowNanos, out);
    }

    /// Takes over the numbers of someone whose rows were copied.
    void begin(long number) {
        last = number;
        stored = number;
    }

    /// Numbers an update that has been applied here, and passes it on.
    void add(Message update, long nowNanos, Outbox out) {
        last++;
        if (next >= 0 || held) {
            movedNanos = steps.isEmpty() ? nowNanos : movedNanos;
            Step step = new Step(last, update);
            steps.add(step);
            forward(step, out);
        }
        settle(nowNanos, out);
    }

    /// Answers for an update that has been applied: now, or once everyone has it.
    ///
    /// @param sequence the number of the update; for a claim, less than 0: its lease
    void answer(Address asker, int stream, long sequence, Message answer, Outbox out) {
        for (var from = steps.descendingIterator(); from.hasNext(); ) {
            Step step = from.next();
            if (step.is(stream, sequence)) {
                step.asker = asker;
                step.answer = answer;
                return;
            }
        }
        out.send(asker, answer);
    }

    /// Whether a member says what only the one before this one may say, in this epoch.
    boolean isFromBefore(Address from, long ofEpoch) {
        return ofEpoch == epoch && before >= 0 && from.equals(Address.server(before));
    }

    boolean isFromNext(Address from, long ofEpoch) {
        return ofEpoch == epoch && next >= 0 && from.equals(Address.server(next));
    }

    /// Keeps an update that the member before has passed on until it is due. If it was here before, the sender is told
    /// again what is stored, because it may not have heard.
    void await(Message.Forward forward, Outbox out) {
        if (forward.number() <= last) {
            tell(out);
        } else if (forward.number() - last <= AHEAD) {
            early.put(forward.number(), forward.update());
        }
    }

    /// The update to be applied next, if it has come.
    Message due() {
        return early.remove(last + 1);
    }

    /// The next member says what is stored from there on.
    void onStored(long number, long nowNanos, Outbox out) {
        if (number > last) {
            throw new IllegalArgumentException("update " + number + " is stored; there are " + last);
        }
        if (number > stored) {
            movedNanos = nowNanos;
            store(number, nowNanos, out);
        }
    }

    /// The next member lacks a key list: everything from that update on is sent again, with keys.
    void onUnknownKeys(int stream, long sequence, Outbox out) {
        boolean found = false;
        for (Step step : steps) {
            found |= step.is(stream, sequence);
            if (found) {
                if (step.update instanceof Message.Update update) {
                    known.forget(next, update.parts());
                }
                forward(step, out);
            }
        }
    }

    /// Sends again what has waited too long. True while something is under way.
    boolean resend(long nowNanos, Outbox out) {
        if (!steps.isEmpty() && nowNanos - movedNanos >= resendNanos) {
            movedNanos = nowNanos;
            steps.forEach(step -> forward(step, out));
        }
        return !steps.isEmpty();
    }

    /// Where nobody follows, what is here is stored.
    private void settle(long nowNanos, Outbox out) {
        if (next < 0 && !held && stored < last) {
            movedNanos = nowNanos;
            store(last, nowNanos, out);
        }
    }

    private void store(long number, long nowNanos, Outbox out) {
        stored = number;
        while (!steps.isEmpty() && steps.peekFirst().number <= number) {
            Step step = steps.pollFirst();
            if (next >= 0 && step.update instanceof Message.Update update) {
                known.heard(next, update.parts());
            }
            // Who does not hear asks again, where others speak for the seat by now.
            if (step.answer != null && mayAnswer.test(nowNanos)) {
                out.send(step.asker, step.answer);
            }
        }
        tell(out);
    }

    private void tell(Outbox out) {
        if (before >= 0) {
            out.send(Address.server(before), new Message.Stored(epoch, stored));
        }
    }

    private void forward(Step step, Outbox out) {
        if (next >= 0) {
            out.send(Address.server(next), new Message.Forward(epoch, step.number, shortened(step.update)));
        }
    }

    /// The same without lists that the next member knows.
    private Message shortened(Message message) {
        if (!(message instanceof Message.Update update)) {
            return message;
        }
        Part[] parts = update.parts().clone();
        for (int p = 0; p < parts.length; p++) {
            parts[p] = known.has(next, parts[p]) ? parts[p].bare() : parts[p];
        }
        return update.with(parts);
    }

    @Override
    public String toString() {
        return "epoch " + epoch + " before " + before + " next " + next + " last " + last + " stored " + stored
                + " under way " + steps.size();
    }
}
