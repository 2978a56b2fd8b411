package tandem.worker;

import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import tandem.client.Session;
import tandem.client.Ticket;
import tandem.data.Batches;
import tandem.data.ColumnShare;
import tandem.solver.Balance;

/// A worker's half of proximal gradient under stale synchronous parallelism: clock after clock it works with what
/// is known of all weights, as of at most so many clocks ago, and pushes what follows from its share of the data.
/// That is some examples ([ExampleShare]) or, for the model-parallel method, some features ([FeatureShare]).
public final class ProximalLoop {

    private final Session session;
    private final Batches data;
    private final Account account;

    /// The streams of this worker, and their data.
    private final HeldStreams<ProximalStream> streams;

    private final TreeMap<Integer, ColumnShare> columns = new TreeMap<>();
    private ProximalTask task;

    /// @param told hears, after every clock, what was done so far
    public ProximalLoop(Session session, Batches data, Consumer<Learned> told) {
        this.session = session;
        this.data = data;
        account = new Account(session, told);
        streams = new HeldStreams<>(session, ProximalStream::position, ProximalStream::locate);
    }

    /// Some clocks, the last of which measures, so that all know the same after it.
    ///
    /// @param until   the clock that streams reach
    /// @param moves   how many clocks before the last move weights
    /// @param leap    how far weights leap before that, of the way that they have come since the last leap; NaN if
    ///                they do not
    /// @param origin  whether the gradient is measured that there would be if all weights were 0
    /// @param step    by what the bounds on curvature are divided
    /// @param balance how often slopes count, when measuring
    /// @param scale   for a bound: what slopes are multiplied by, besides
    /// @param delay   by how many clocks what is known may be older than the clock that is worked on
    /// @param enough  done when the rest is to be left for another call
    public record Round(
            long until,
            int moves,
            double leap,
            boolean origin,
            double step,
            Balance balance,
            double scale,
            int delay,
            Ticket enough) {

        /// What a clock is for.
        Aim aim(long clock) {
            long left = until - 1 - clock;
            return left == 0 ? Aim.MEASURE : left > moves ? Aim.LEAP : Aim.MOVE;
        }

        /// By how many clocks what is known may be older than a clock: all know where they leapt to before they
        /// move, and where they moved to before they measure.
        int delay(long clock) {
            long left = until - 1 - clock;
            return left == 0 || left >= moves ? 0 : delay;
        }

        /// By what bounds on curvature are multiplied in a clock that works with what is `late` clocks old.
        ///
        /// With delays of up to s, in the metric of the bounds,
        ///
        ///     F(x_{t+1}) ≤ F(x_t) − (1/η − 1/2)‖Δ_t‖² + ‖x_t − x_{t−s}‖·‖Δ_t‖,
        ///
        /// where the last is at most s/2·‖Δ_t‖² + 1/2·Σ_{t−s≤k<t} ‖Δ_k‖².
        /// Summed over all t each ‖Δ_k‖² occurs s times, so the objective falls and
        /// steps have finite length if 1/η > 1/2 + s. Zhou et al. (2016) ask for more
        /// than 1 + 2s, which is what is guaranteed; else it is 1/2 + s with the delays
        /// that there are.
        double caution(long late, boolean guaranteed) {
            return (guaranteed ? caution(delay) : Math.max(1, 0.5 + late)) / step;
        }

        /// The same that is guaranteed where nothing is later than `delay`.
        public static double caution(int delay) {
            return 1 + 2.0 * delay;
        }
    }

    /// What a clock is for: to have weights leap or move, or only to measure their gradient.
    enum Aim {
        LEAP,
        MOVE,
        MEASURE
    }

    /// What a stream sums up to. The last five are of features, and 0 where servers have their sums.
    ///
    /// @param loss      the training loss
    /// @param falls     Σ of the slopes below 0, without their sign
    /// @param rises     Σ of those above
    /// @param dual      the stream's part of a lower bound of the objective
    /// @param penalty   the penalty of the weights
    /// @param residual  the largest optimality residual
    /// @param largest   the largest gradient, without its sign, of weights that nothing but the L1 strength holds
    /// @param steepest  the same of all, and of the intercept
    /// @param conjugate the penalty's part of the bound
    /// @param path      how far weights have moved in all
    public record Sums(
            int stream,
            double loss,
            double falls,
            double rises,
            double dual,
            double penalty,
            double residual,
            double largest,
            double steepest,
            double conjugate,
            double path) {

        /// As numbers, one after the other, without the stream.
        public double[] numbers() {
            return new double[] {loss, falls, rises, dual, penalty, residual, largest, steepest, conjugate, path};
        }

        /// From such numbers.
        public static Sums of(int stream, double[] n) {
            return new Sums(stream, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9]);
        }
    }

    /// Works through a round of a task, which is the same object each time, with all streams that this worker has
    /// or comes to have; whether all are through.
    public boolean run(ProximalTask on, Round round) throws IOException {
        if (on != task) {
            task = on;
            streams.clear();
        }
        boolean over;
        do {
            over = work(round);
            for (ProximalStream stream : streams.all()) {
                stream.drain();
                session.flush(stream.number());
            }
        } while (over && streams.haveMoved());
        account.note();
        return over;
    }

    private boolean work(Round round) throws IOException {
        while (true) {
            streams.locate(this::open, kept -> columns.keySet().retainAll(kept));
            if (round.enough.isDone()) {
                return false;
            }
            ProximalStream next = streams.next(round.until);
            if (next == null) {
                return true;
            }
            step(next, round);
        }
    }

    private ProximalStream open(int stream) throws IOException {
        return new ProximalStream(stream, session, share(stream));
    }

    private ProximalShare share(int stream) throws IOException {
        int of = session.layout().streams();
        if (!columns.containsKey(stream)) {
            columns.put(
                    stream,
                    task.margins() < 0
                            ? ColumnShare.ofExamples(data, stream, of)
                            : ColumnShare.ofFeatures(data, key -> BlockTask.block(key, of) == stream));
        }
        ColumnShare mine = columns.get(stream);
        return task.margins() < 0 ? new ExampleShare(mine, task) : new FeatureShare(mine, task, stream, of);
    }

    private void step(ProximalStream stream, Round round) {
        account.begin();
        stream.step(round);
        account.end(stream.share().examples());
        account.tell();
    }

    /// What was done so far, in all rounds.
    public Learned learned() {
        return account.learned();
    }

    /// What each stream of this worker sums up to after the last round.
    public List<Sums> sums(Round round) {
        return streams.all().stream().map(stream -> stream.sums(round)).toList();
    }
}
