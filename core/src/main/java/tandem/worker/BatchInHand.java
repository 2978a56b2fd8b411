package tandem.worker;

import java.io.IOException;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.consistency.After;
import tandem.data.Batch;
import tandem.math.Hash;
import tandem.wire.Age;
import tandem.wire.Keys;
import tandem.wire.Values;

/// One batch on its way: read, its weights pulled, its gradient computed, its update sent. Used again for another
/// batch once the update has been applied, since until then its arrays may be sent again.
final class BatchInHand {

    private static final Keys INTERCEPT = Keys.once(new long[] {0}, 1);

    private final Batch batch = new Batch();
    private final BatchGradient gradient;
    private final DownpourSteps downpour = new DownpourSteps();
    private final Subproblem subproblem = new Subproblem();

    /// As wide as rows of the intercept's table.
    private final float[] interceptWeight;

    private final float[] interceptGradient;

    /// Whose batch it is.
    private int stream;

    /// What its pulls come after.
    private After after;

    private Ticket pull;
    private Ticket update;

    BatchInHand(MinibatchTask task) {
        gradient = task.gradient();
        interceptWeight = new float[task.width()];
        interceptGradient = new float[task.width()];
    }

    /// Takes the next batch; false if there are no more.
    boolean read(Supply supply, Session session) throws IOException {
        if (update != null) {
            session.await(update);
            update = null;
        }
        stream = supply.next(batch);
        return stream >= 0;
    }

    int stream() {
        return stream;
    }

    int entries() {
        return batch.entries();
    }

    /// Asks for the weights of its keys.
    void pull(MinibatchTask task, After after, Reach reach) {
        this.after = after;
        pull = reach.pull(stream, after, slices(task, gradient.weights(batch), interceptWeight));
    }

    /// Done when the weights are there.
    Ticket pulled() {
        return pull;
    }

    /// Makes of it what is pushed, once the weights are there; what was learned.
    ///
    /// @param place where it is among all
    Learned learn(MinibatchTask task, Session session, Reach reach, Place place) {
        session.await(pull);
        gradient.clear(batch, place.pass == 0);
        interceptGradient[0] = 0;
        return switch (task.local()) {
            case Local.Gradient() -> gradient.add(task, batch, 0, batch.rows(), interceptWeight[0], interceptGradient);
            case Local.Downpour how ->
                downpour.learn(how, batch, (LinearGradient) gradient, new DownpourSteps.Replica() {
                    @Override
                    public Learned step(int from, int to) {
                        float before = interceptGradient[0];
                        Learned learned = gradient.add(task, batch, from, to, interceptWeight[0], interceptGradient);
                        if (task.intercept() >= 0) {
                            interceptWeight[0] -= (float) how.rate() * (interceptGradient[0] - before);
                        }
                        return learned;
                    }

                    @Override
                    public void fetch() {
                        pull(task, after, reach);
                        session.await(pull);
                    }
                });
            case Local.Emso how -> solve(how, task, place);
            case Local.Averaging _ ->
                ((AveragingSteps) gradient)
                        .share(task, batch, interceptWeight, interceptGradient, place.number == 0, place.streams);
        };
    }

    /// @param pass    which pass it is of
    /// @param number  how many of its stream came before it, in all passes
    /// @param streams how many streams have batches
    record Place(int pass, long number, int streams) {}

    /// Finds weights for the batch, and leaves the way there in what is pushed: this stream's share of it.
    private Learned solve(Local.Emso how, MinibatchTask task, Place place) {
        LinearGradient own = (LinearGradient) gradient;
        double gamma = how.gamma() * Math.sqrt((place.number + 1.0) * batch.rows());
        subproblem.begin(task, batch, own.weights, interceptWeight[0], gamma, how.penalty());
        Learned learned = subproblem.learned();
        switch (how.by()) {
            case GRADIENT -> subproblem.descend(how.inner(), how.enough());
            case COORDINATE -> subproblem.cycle(how.inner(), how.enough(), Hash.number(stream, place.number));
        }
        for (int k = 0; k < batch.keyCount(); k++) {
            own.gradients[k] = (float) (subproblem.moved(k) / place.streams);
        }
        interceptGradient[0] = (float) (subproblem.moved(batch.keyCount()) / place.streams);
        return learned;
    }

    /// Sends that, with which the stream reaches `clock`.
    void update(MinibatchTask task, long clock, Reach reach) {
        update = reach.update(
                stream,
                clock,
                Age.of(pull.updates()),
                slices(task, gradient.weights(batch), interceptWeight),
                slices(task, gradient.gradients(batch), interceptGradient));
    }

    private Slice[] slices(MinibatchTask task, Values values, float[] intercept) {
        Keys keys = Keys.known(
                batch.keys(), batch.keyCount(), new Hash.Signature(batch.signatureHigh(), batch.signatureLow()));
        Slice features = new Slice(task.table(), keys, values);
        return task.intercept() < 0
                ? new Slice[] {features}
                : new Slice[] {features, new Slice(task.intercept(), INTERCEPT, intercept)};
    }
}
