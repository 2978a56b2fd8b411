package tandem.server;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

    private static final Part[] NO_PARTS = {};

    private final int server;
    private final long resendNanos;
    private final LongPredicate mayAnswer;

    /// Whether nobody else here keeps the numbers of updates: they are given back once an update is stored.
    private final boolean releases;

    private final ArrayDeque<Step> steps = new ArrayDeque<>();
    private final KnownLists known = new KnownLists();
    private final PartsAhead ahead = new PartsAhead();

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
        final List<Answer> answers = new ArrayList<>();

        Step(long number, Message update) {
            this.number = number;
            this.update = update;
        }

        boolean is(int stream, long sequence) {
            return switch (update) {
                case Message.Update other -> other.stream() == stream && other.sequence() == sequence;
                case Message.Merged other -> {
                    boolean among = false;
                    for (int u = 0; u < other.count(); u++) {
                        among |= other.stream(u) == stream && other.sequence(u) == sequence;
                    }
                    yield among;
                }
                case Message.Change other -> other.stream() == stream && other.sequence() == sequence;
                case Message.Claim other -> other.stream() == stream && -other.lease() == sequence;
                default -> false;
            };
        }
    }

    /// What somebody wants to hear of an update, the last time it asked.
    private record Answer(int stream, long sequence, Address asker, Message message) {}

    /// @param mayAnswer whether it may speak for the seat at a time
    /// @param releases  whether nobody else here keeps the numbers of updates
    Passage(int server, long resendNanos, LongPredicate mayAnswer, boolean releases) {
        this.server = server;
        this.mayAnswer = mayAnswer;
        this.resendNanos = resendNanos;
        this.releases = releases;
    }

    /// Follows the chain of a new epoch. What is not known to be stored goes to the next member, who may be another,
    /// without what is for tables that are gone. Who waits for an answer asks again in this epoch: until all
    /// servers have it, some may still answer reads without what is stored now.
    ///
    /// @param joined whether a newcomer that the chain does not count yet is next, so that nothing is stored
    ///               without it
    void place(Layout layout, Chain chain, boolean joined, long nowNanos, Outbox out) {
        epoch = layout.epoch();
        early.clear();
        ahead.clear();
        for (Step step : steps) {
            step.update = with(step.update, layout.present(parts(step.update)));
            step.answers.clear();
        }
        int position = chain.position(server);
        before = position > 0 ? chain.servers()[position - 1] : -1;
        int members = joined ? chain.servers().length : chain.whole();
        next = position + 1 < members ? chain.servers()[position + 1] : -1;
        settle(nowNanos, out);
        steps.forEach(step -> forward(step, 0, out));
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

    /// Whether all that is applied here is stored, or will be with whoever comes after.
    boolean isSettled() {
        return next < 0 || stored == last;
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
            int told = update instanceof Message.Update parts ? ahead.take(parts, next) : 0;
            forward(step, told, out);
        } else {
            if (update instanceof Message.Update parts) {
                ahead.take(parts, next);
            }
            release(update, out);
        }
        settle(nowNanos, out);
    }

    private void release(Message update, Outbox out) {
        if (releases) {
            for (Part part : parts(update)) {
                out.release(part.values());
            }
        }
    }

    /// Answers for an update that has been applied: now, or once everyone has it.
    ///
    /// @param sequence the number of the update; for a claim, less than 0: its lease
    void answer(Address asker, int stream, long sequence, Message answer, Outbox out) {
        for (var from = steps.descendingIterator(); from.hasNext(); ) {
            Step step = from.next();
            if (step.is(stream, sequence)) {
                step.answers.removeIf(other -> other.stream == stream && other.sequence == sequence);
                step.answers.add(new Answer(stream, sequence, asker, answer));
                return;
            }
        }
        out.send(asker, answer);
    }

    /// Keeps parts that came ahead of their update, and passes them on.
    void ahead(Message.Ahead parts, boolean passOn, Outbox out) {
        int to = passOn ? next : -1;
        ahead.add(parts, to);
        if (to >= 0) {
            out.send(Address.server(to), parts.with(shortened(parts.parts())));
        }
    }

    /// The whole of an update of which parts came ahead; null if some of them are not here.
    Message.Update whole(Message.Rest rest) {
        return ahead.whole(rest);
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
                known.forget(next, parts(step.update));
                forward(step, 0, out);
            }
        }
    }

    /// Sends again what has waited too long. True while something is under way.
    boolean resend(long nowNanos, Outbox out) {
        if (!steps.isEmpty() && nowNanos - movedNanos >= resendNanos) {
            movedNanos = nowNanos;
            steps.forEach(step -> forward(step, 0, out));
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
            if (next >= 0) {
                known.heard(next, parts(step.update));
            }
            // Who does not hear asks again, where others speak for the seat by now.
            if (!step.answers.isEmpty() && mayAnswer.test(nowNanos)) {
                step.answers.forEach(answer -> out.send(answer.asker, answer.message));
            }
            release(step.update, out);
        }
        tell(out);
    }

    private void tell(Outbox out) {
        if (before >= 0) {
            out.send(Address.server(before), new Message.Stored(epoch, stored));
        }
    }

    /// @param told how many of its parts, from the first on, went ahead
    private void forward(Step step, int told, Outbox out) {
        if (next >= 0) {
            out.send(Address.server(next), new Message.Forward(epoch, step.number, shortened(step.update, told)));
        }
    }

    /// The same without lists that the next member knows, and parts that it has.
    private Message shortened(Message message, int told) {
        Part[] parts = parts(message);
        if (told == 0) {
            return with(message, shortened(parts));
        }
        Part[] rest = shortened(Arrays.copyOfRange(parts, told, parts.length));
        return new Message.Rest(told, ((Message.Update) message).with(rest));
    }

    private Part[] shortened(Part[] parts) {
        Part[] shorter = parts.clone();
        for (int p = 0; p < parts.length; p++) {
            shorter[p] = known.has(next, parts[p]) ? parts[p].bare() : parts[p];
        }
        return shorter;
    }

    private static Part[] parts(Message message) {
        return switch (message) {
            case Message.Update update -> update.parts();
            case Message.Merged merged -> merged.parts();
            default -> NO_PARTS;
        };
    }

    private static Message with(Message message, Part[] parts) {
        return switch (message) {
            case Message.Update update -> update.with(parts);
            case Message.Merged merged -> merged.with(parts);
            default -> message;
        };
    }

    @Override
    public String toString() {
        return "epoch " + epoch + " before " + before + " next " + next + " last " + last + " stored " + stored
                + " under way " + steps.size();
    }
}
