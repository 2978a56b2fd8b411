package tandem.client;

import java.util.BitSet;
import tandem.wire.Address;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Values;

/// What servers answer: which request that is for, where its rows go, and whether it was the last that was awaited.
final class Replies {

    /// No rows; nobody changes it.
    private static final BitSet NONE_ABSENT = new BitSet();

    private final UnderWay underWay;
    private final Streams streams;
    private final Seats seats;
    private final RowCache rows;
    private final Filtering filtering;
    private final Staleness staleness;

    Replies(UnderWay underWay, Streams streams, Seats seats, RowCache rows, Filtering filtering, Staleness staleness) {
        this.underWay = underWay;
        this.streams = streams;
        this.seats = seats;
        this.rows = rows;
        this.filtering = filtering;
        this.staleness = staleness;
    }

    void receive(int seat, Message message, Outbox out) {
        switch (message) {
            case Message.Applied(int stream, long sequence) -> onApplied(seat, stream, sequence);
            case Message.Updated updated -> onUpdated(seat, updated);
            case Message.Claimed claimed -> onClaimed(seat, claimed);
            case Message.Rows answer -> onRows(seat, answer, -1, NONE_ABSENT, out);
            case Message.Followed(long refreshes, long[] absent, Message.Rows answer) ->
                onRows(seat, answer, refreshes, BitSet.valueOf(absent), out);
            case Message.Refresh refresh -> {
                if (refresh.epoch() == seats.layout().epoch()) {
                    rows.refresh(seat, refresh, filtering.refreshed(refresh.parts()));
                }
            }
            case Message.Computed computed -> onComputed(seat, computed);
            case Message.Refused refused -> onRefused(seat, refused);
            case Message.Held _ -> {}
            case Message.UnknownKeys unknown -> onUnknownKeys(seat, unknown, out);
            case Message.Fenced fenced -> onFenced(fenced, out);
            default -> throw new IllegalArgumentException("a worker was sent " + message);
        }
    }

    private void onApplied(int seat, int stream, long sequence) {
        Request request = streams.update(stream, sequence);
        // An update whose rows are wanted waits for them, and not for a word that was under way before.
        if (request instanceof Request.Update update && update.wantsRows()) {
            return;
        }
        if (request != null && request.heard(seat)) {
            seats.heard(seat, request.parts(seat));
            finishIfAnswered(request);
        }
    }

    private void onUpdated(int seat, Message.Updated updated) {
        if (streams.update(updated.stream(), updated.sequence()) instanceof Request.Update update
                && update.wantsRows()
                && update.isAwaited(seat)
                && update.parts(seat).length == updated.values().length) {
            update.heard(seat);
            update.take(seat, updated.values());
            seats.heard(seat, update.parts(seat));
            staleness.add(update.parts(seat), streams.get(update.stream).clock - updated.slowest());
            finishIfAnswered(update);
        }
    }

    /// Goes on after the last update that all seats have. Those above it that some have are made again, under the same
    /// numbers, and change only what they have not changed before.
    private void onClaimed(int seat, Message.Claimed claimed) {
        Streams.Held held = streams.find(claimed.stream());
        if (held == null || held.claim == null || claimed.lease() != held.lease || !held.claim.isAwaited(seat)) {
            return;
        }
        Request.Claim claim = held.claim;
        claim.heard(seat);
        claim.take(claimed);
        if (claim.missing == 0) {
            held.sent = claim.upTo();
            held.clock = claim.clock();
            held.claim = null;
            underWay.finish(claim);
        }
    }

    private void onComputed(int seat, Message.Computed computed) {
        if (underWay.read(computed.request()) instanceof Request.Compute compute && compute.heard(seat)) {
            compute.take(seat, computed.results());
            finishIfAnswered(compute);
        }
    }

    /// A refused update counts as applied, so the others must still hear of it; a refused read is over.
    private void onRefused(int seat, Message.Refused refused) {
        Request request = underWay.find(refused.inRead(), refused.stream(), refused.number());
        if (request != null && request.heard(seat)) {
            request.refuse(refused.why());
            if (refused.inRead()) {
                underWay.finish(request);
            } else {
                finishIfAnswered(request);
            }
        }
    }

    private void finishIfAnswered(Request request) {
        if (request.missing == 0) {
            underWay.finish(request);
        }
    }

    private void onRows(int seat, Message.Rows answer, long refreshes, BitSet absent, Outbox out) {
        if (!(underWay.read(answer.request()) instanceof Request.Pull pull) || !pull.isAwaited(seat)) {
            return;
        }
        if (answer.values().length != pull.parts(seat).length) {
            throw new IllegalArgumentException("seat " + seat + " answered with " + answer.values().length
                    + " pieces of rows where " + pull.parts(seat).length + " were asked for");
        }
        pull.take(seat, answer.values());
        pull.ticket.brought(answer.updates());
        pull.heard(seat);
        if (pull.makes()) {
            seats.heard(seat, pull.parts(seat));
        }
        if (pull.use != Request.Pull.Use.ONCE) {
            RowCache.Told told = new RowCache.Told(answer.slowest(), pull.after.own(), refreshes, absent);
            rows.put(seat, pull.parts(seat), pull::rows, told);
        }
        if (pull.stream >= 0) {
            staleness.add(pull.parts(seat), streams.get(pull.stream).clock - answer.slowest());
        }
        for (Values values : answer.values()) {
            out.release(values);
        }
        finishIfAnswered(pull);
    }

    private void onUnknownKeys(int seat, Message.UnknownKeys unknown, Outbox out) {
        Request request = underWay.find(unknown.inPull(), unknown.stream(), unknown.number());
        if (request != null && request.isAwaited(seat)) {
            seats.forget(seat, request.parts(seat));
            seats.send(request, seat, out);
        }
    }

    private void onFenced(Message.Fenced fenced, Outbox out) {
        // Where somebody else has a later lease of a stream, the layout that says so is on its way.
        if (fenced.epoch() > seats.layout().epoch()) {
            out.send(Address.COORDINATOR, new Message.Heartbeat(seats.layout().epoch(), 0, 0));
        }
    }
}
