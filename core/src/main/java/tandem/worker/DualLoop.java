package tandem.worker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tandem.client.Session;
import tandem.client.Ticket;
import tandem.data.Batches;
import tandem.solver.Balance;

/// A worker's half of stochastic dual coordinate ascent (Shalev-Shwartz and Zhang 2013; with several workers CoCoA+, Ma
/// et al. 2015): it goes through its examples against a copy of its own of the weights, and then pushes what its
/// examples pull at them by now.
public final class DualLoop {

    private final Session session;
    private final Batches data;
    private final Account account;

    private final HeldStreams<DualStream> streams;
    private DualTask task;

    /// @param told hears, after every stream's round, what was done so far
    public DualLoop(Session session, Batches data, Consumer<Learned> told) {
        this.session = session;
        this.data = data;
        account = new Account(session, told);
        streams = new HeldStreams<>(session, DualStream::position, DualStream::locate);
    }

    /// What a round is for: to pass over the examples; to scale their slopes; to tell how firmly weights are to be
    /// held; to take slopes from weights, and to gather what these pull by; or only to look.
    public enum Aim {
        PASS,
        BALANCE,
        HOLDS,
        SLOPES,
        GATHER,
        LOOK
    }

    /// The intercept, and how strongly it is held where it is.
    public record Intercept(double value, double strength) {}

    /// @param number  how many rounds came before it, of all problems; to look, one less
    /// @param balance what slopes are multiplied by, if that is the aim
    /// @param enough  done when the rest is to be left for another call
    public record Round(long number, Aim aim, Intercept intercept, Balance balance, Ticket enough) {}

    /// What a stream's examples sum up to.
    ///
    /// @param loss       the training loss; NaN if it was not looked at
    /// @param dual       the stream's part of a lower bound of the objective; NaN likewise
    /// @param falls      Σ of the slopes below 0, without their sign
    /// @param rises      Σ of those above
    /// @param lengths    Σ of how far the scores of rows move with their slopes, through all features
    /// @param importance Σ of how much they count
    public record Sums(
            int stream, double loss, double dual, double falls, double rises, double lengths, double importance) {}

    /// Works through a round of a task, which is the same object each time, with all streams that this worker has or
    /// comes to have; whether all are through.
    public boolean run(DualTask on, Round round) throws IOException {
        if (on != task) {
            task = on;
            streams.clear();
        }
        boolean over;
        do {
            over = work(round);
            for (DualStream stream : streams.all()) {
                session.flush(stream.number());
                if (over) {
                    stream.begin();
                }
            }
        } while (over && streams.haveMoved());
        account.note();
        return over;
    }

    private boolean work(Round round) throws IOException {
        while (true) {
            streams.locate(stream -> new DualStream(stream, session, task, data), _ -> {});
            if (round.enough.isDone()) {
                return false;
            }
            DualStream next = streams.next(round.number + 1);
            if (next == null) {
                return true;
            }
            step(next, round);
        }
    }

    private void step(DualStream stream, Round round) throws IOException {
        account.begin();
        stream.step(round);
        session.station().worked(stream.entries(), round.enough);
        account.end(round.aim == Aim.PASS ? stream.rows() : 0);
        account.tell();
    }

    /// What the examples of this worker's streams sum up to.
    public List<Sums> sums(Round round) throws IOException {
        List<Sums> all = new ArrayList<>();
        for (DualStream stream : streams.all()) {
            all.add(stream.sums(round));
        }
        return all;
    }

    public Learned learned() {
        return account.learned();
    }
}
