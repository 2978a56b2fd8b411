package tandem.cluster;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.Supplier;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;

/// Those who want something done with the cluster: what each wants is done once, however often it asks, and answered
/// when it is done.
final class Operators {

    /// Operators that may ask again because they did not hear the answer.
    private static final int REMEMBERED_ANSWERS = 64;

    private final Supplier<Message> lifeSign;

    /// What the latest operators were told, each of whom has one wish; nothing while it is under way.
    private final LinkedHashMap<Address, Optional<Message.Managed>> managed = new LinkedHashMap<>();

    private Steward steward;

    /// @param lifeSign what who waits hears meanwhile
    Operators(Supplier<Message> lifeSign) {
        this.lifeSign = lifeSign;
    }

    /// Has `other` do what they want; until then they are told to wait.
    void obey(Steward other) {
        steward = other;
    }

    /// Does what an operator wants, once.
    ///
    /// @param early whether not all nodes are there yet
    void ask(Address from, Message.Manage manage, boolean early, Outbox out) {
        if (managed.containsKey(from)) {
            // Who waits hears that somebody is at it, however long that takes.
            out.send(from, managed.get(from).<Message>map(answer -> answer).orElseGet(lifeSign));
            return;
        }
        if (steward == null || early && !steward.isEarly(manage.what())) {
            out.send(from, lifeSign.get()); // it asks again, when all are there
            return;
        }
        managed.put(from, Optional.empty());
        try {
            Steward.Outcome outcome = steward.manage(manage.what(), manage.number(), out);
            outcome.done()
                    .whenDone(() -> answer(
                            from,
                            new Message.Managed(
                                    manage.request(), false, outcome.text().get()),
                            out));
        } catch (IllegalArgumentException | IllegalStateException e) {
            answer(from, new Message.Managed(manage.request(), true, e.getMessage()), out);
        }
    }

    private void answer(Address operator, Message.Managed answer, Outbox out) {
        managed.put(operator, Optional.of(answer));
        out.send(operator, answer);
        Iterator<Optional<Message.Managed>> oldest = managed.values().iterator();
        while (managed.size() > REMEMBERED_ANSWERS && oldest.hasNext()) {
            if (oldest.next().isPresent()) {
                oldest.remove();
            }
        }
    }
}
