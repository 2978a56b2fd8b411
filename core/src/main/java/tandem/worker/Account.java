package tandem.worker;

import java.util.function.Consumer;
import tandem.client.Session;

/// What a loop has done so far, and where its time went: computing, packing and sending, waiting. Belongs to the loop's
/// thread.
final class Account {

    private final Session session;
    private final Consumer<Learned> told;
    private Learned learned = Learned.ZERO;

    /// When what is computed now was begun, and what had been sent and waited for by then.
    private long beganNanos;

    private long sentBefore;
    private long waitedBefore;

    /// What is in the account.
    private long sentNanos;

    private long waitedNanos;

    /// @param told hears what was done so far
    Account(Session session, Consumer<Learned> told) {
        this.session = session;
        this.told = told;
    }

    /// What was done so far, in all rounds.
    Learned learned() {
        return learned;
    }

    /// Something is begun that computes.
    void begin() {
        beganNanos = session.station().nowNanos();
        sentBefore = session.sentNanos();
        waitedBefore = session.waitedNanos();
    }

    /// That is done, and so many examples with it: all the time that it neither sent nor waited went into computing.
    void end(long examples) {
        long other = session.sentNanos() - sentBefore + session.waitedNanos() - waitedBefore;
        double computed = (session.station().nowNanos() - beganNanos - other) * 1e-9;
        learned = learned.plus(new Learned(examples, 0, 0, computed, 0));
    }

    /// Examples count that were worked on before.
    void seen(long examples) {
        learned = learned.plus(new Learned(examples, 0, 0, 0, 0));
    }

    /// Notes what was sent and waited for meanwhile.
    void note() {
        double sent = (session.sentNanos() - sentNanos) * 1e-9;
        double waited = (session.waitedNanos() - waitedNanos) * 1e-9;
        sentNanos = session.sentNanos();
        waitedNanos = session.waitedNanos();
        learned = learned.plus(new Learned(0, 0, 0, 0, waited, sent));
    }

    /// Notes it, and tells of all.
    void tell() {
        note();
        told.accept(learned);
    }
}
