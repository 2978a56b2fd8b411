package tandem.cluster;

import java.util.function.Supplier;
import tandem.client.Ticket;
import tandem.wire.Outbox;

/// Does what operators want done with a cluster; called in turns of the coordinator.
@FunctionalInterface
public interface Steward {

    /// Begins to do it; throws [IllegalArgumentException] if it cannot be done.
    ///
    /// @param number which node it is about; less than 0 for none
    Outcome manage(String what, int number, Outbox out);

    /// Whether this can be done although not all nodes are there yet.
    default boolean isEarly(String what) {
        return what.equals("status");
    }

    /// What is said when it is done, which may take a while.
    record Outcome(Ticket done, Supplier<String> text) {

        public Outcome(Ticket done, String text) {
            this(done, () -> text);
        }

        /// What is done at once.
        public static Outcome now(String text) {
            Ticket done = new Ticket(() -> null);
            done.complete();
            return new Outcome(done, text);
        }
    }
}
