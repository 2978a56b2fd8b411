package tandem.cluster;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import tandem.client.Ticket;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;

/// What workers asked to be done with the tables: each wish is granted once, however often it is heard, and answered
/// when it has come true.
final class Wishes {

    private static final int MOST = 1 << 12;

    private record Wish(Address from, long request) {}

    /// What came of each; null while it is under way. The oldest are forgotten.
    private final Map<Wish, Message.Laid> outcomes = new LinkedHashMap<>() {

        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Wish, Message.Laid> eldest) {
            return size() > MOST;
        }
    };

    /// @param how does what is wished for; what it throws for a wrong wish is the answer
    void grant(Address from, long request, Supplier<Ticket> how, Outbox out) {
        Wish wish = new Wish(from, request);
        if (outcomes.containsKey(wish)) {
            if (outcomes.get(wish) != null) {
                out.send(from, outcomes.get(wish));
            }
            return;
        }
        outcomes.put(wish, null);
        try {
            how.get().whenDone(() -> answer(wish, null, out));
        } catch (IllegalArgumentException | IllegalStateException e) {
            answer(wish, e.getMessage(), out);
        }
    }

    private void answer(Wish wish, String refused, Outbox out) {
        Message.Laid laid = new Message.Laid(wish.request, refused);
        outcomes.put(wish, laid);
        out.send(wish.from, laid);
    }
}
