package tandem.server;

import java.util.ArrayList;
import java.util.List;
import tandem.filter.Filters;
import tandem.wire.Address;
import tandem.wire.Chain;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;

/// One copy of a seat: its shards. Applies each update once, however often it comes, and answers a pull once
/// everything is applied that the pull must see.
final class Seat {

    private final int number;
    private final Means means;

    private Layout layout = Layout.NONE;

    private final Shards shards;
    private final Streams streams;
    private final Reads reads;

    /// Updates whose clock is not over; null if each is applied as it comes.
    private final Backlog backlog;

    /// Updates that wait for others, to be passed on as one; nothing if each goes on by itself.
    private final Gathering gathering;

    private final Refusals refusals = new Refusals();

    /// How updates reach the other copies.
    private final Passage passage;

    /// What makes a newcomer like this copy; null if there is none, or another member sees to it.
    private Giving giving;

    /// The epoch in which this copy began, whether it has everything by now, and the items it was given so far.
    private final long since;

    private boolean whole;
    private long taken;

    /// What the seats of a server share.
    ///
    /// @param server the number of the server
    /// @param reads  until when reads may be answered where others have copies
    record Means(int server, Rules rules, Filters filters, Server.Ways ways, KeyLists lists, ReadLease reads) {}

    /// @param since the epoch in which it begins
    /// @param whole whether there is nothing that it would have to be given
    Seat(int number, int streams, long since, boolean whole, Means means) {
        this.number = number;
        this.since = since;
        this.whole = whole;
        this.passage = new Passage(means.server, means.ways.resendNanos(), this::mayAnswer, !means.ways.inOrder());
        this.means = means;
        this.backlog = means.ways.inOrder() ? new Backlog() : null;
        this.gathering = new Gathering(means.ways.gatherNanos());
        this.streams = new Streams(streams, means.ways.inOrder(), means.ways.reached());
        Filtering filtering = new Filtering(means.filters);
        this.shards = new Shards(number, means, filtering);
        Followers followers = new Followers(Followers.MOST, filtering);
        this.reads = new Reads(shards, this.streams, passage, followers, this::mayAnswer);
    }

    void receive(Address from, Message message, long nowNanos, Outbox out) {
        switch (message) {
            case Message.Update update -> onUpdate(from, update, false, nowNanos, out);
            case Message.PushPull(Message.Update update) -> onUpdate(from, update, true, nowNanos, out);
            case Message.Ahead ahead -> onAhead(from, ahead, out);
            case Message.Rest rest -> onRest(from, rest, nowNanos, out);
            case Message.Change change -> onChange(from, change, nowNanos, out);
            case Message.Claim claim -> onClaim(from, claim, nowNanos, out);
            case Message.Read read -> onRead(from, read, nowNanos, out);
            case Message.Unfollow unfollow -> {
                if (unfollow.epoch() == layout.epoch()) {
                    reads.unfollow(from, unfollow);
                }
            }
            case Message.Forward forward -> onForward(from, forward, nowNanos, out);
            case Message.Stored(long epoch, long stored) -> {
                if (passage.isFromNext(from, epoch)) {
                    passage.onStored(stored, nowNanos, out);
                }
            }
            case Message.UnknownKeys unknown -> {
                if (passage.isFromNext(from, layout.epoch())) {
                    passage.onUnknownKeys(unknown.stream(), unknown.number(), out);
                }
            }
            case Message.Give give -> onGive(from, give, nowNanos, out);
            case Message.Taken(long epoch, long item) -> onTaken(from, epoch, item, nowNanos, out);
            default -> throw new IllegalArgumentException("a server was sent " + message);
        }
    }

    /// Sends again what nobody has answered. True while something is under way.
    boolean resend(long nowNanos, Outbox out) {
        if (gathering.isOverdue(nowNanos)) {
            passGathered(nowNanos, out);
        }
        boolean busy = passage.resend(nowNanos, out) || !gathering.isEmpty();
        if (giving != null) {
            busy |= giving.resend(nowNanos);
            give(out);
        }
        if (whole && isNewcomer()) {
            out.send(Address.COORDINATOR, new Message.CaughtUp(layout.epoch(), number));
        }
        return busy || isNewcomer();
    }

    /// Whether it has what all members have, and answers for that.
    private boolean isTail() {
        return whole && layout.chains()[number].tail() == means.server;
    }

    private boolean isNewcomer() {
        Chain chain = layout.chains()[number];
        return chain.position(means.server) >= chain.whole();
    }

    /// The epoch in which this copy began.
    long since() {
        return since;
    }

    boolean isHead() {
        return passage.isHead();
    }

    /// What it holds, in short; null while it does not have everything.
    Server.Print print() {
        return whole
                ? new Server.Print(
                        passage.last(), shards.hash(), streams.applied().hash())
                : null;
    }

    /// How many updates have passed through it; −1 while it does not have everything.
    long passed() {
        return whole ? passage.last() : -1;
    }

    /// The shards that are here.
    List<Shard> shards() {
        return shards.owned();
    }

    /// A shard of a table; null if it is of another seat.
    Shard shard(int table, int shard) {
        return shards.at(table, shard);
    }

    /// Follows the layout of a new epoch.
    void place(Layout placed, long nowNanos, Outbox out) {
        shards.place(placed, whole);
        gathering.clear();
        layout = placed;
        if (backlog != null) {
            backlog.place(placed);
        }
        reads.place(placed);
        join(placed.chains()[number], nowNanos, out);
    }

    /// Takes its place in the chain, and sees to a newcomer if that is the one after it.
    private void join(Chain chain, long nowNanos, Outbox out) {
        boolean gives = chain.whole() < chain.servers().length && chain.tail() == means.server;
        if (!gives) {
            giving = null;
        } else {
            int newcomer = chain.servers()[chain.whole()];
            long came = chain.since()[chain.whole()];
            if (giving == null || !giving.isTo(newcomer, came)) {
                giving = new Giving(newcomer, came, shards.owned(), means.ways.resendNanos());
            }
            giving.again();
        }
        passage.hold(giving != null && giving.isBehind(), nowNanos, out);
        passage.place(layout, chain, giving != null && giving.isEnded(), nowNanos, out);
        if (giving != null) {
            give(out);
        }
    }

    private void give(Outbox out) {
        Chain chain = layout.chains()[number];
        if (giving.go(layout.epoch(), this::rest, out)) {
            passage.join(chain.servers()[chain.whole()]);
        }
    }

    /// What a newcomer needs besides the rows: updates that are kept, and in the end what is known of streams.
    private List<Message> rest() {
        List<Message> rest = new ArrayList<>();
        if (backlog != null) {
            backlog.all().forEach(update -> rest.add(new Message.Forward(layout.epoch(), 0, update)));
        }
        rest.add(streams.whole(passage.last(), refusals.all()));
        return rest;
    }

    private void onTaken(Address from, long epoch, long item, long nowNanos, Outbox out) {
        Chain chain = layout.chains()[number];
        if (giving != null && epoch == layout.epoch() && from.equals(Address.server(chain.servers()[chain.whole()]))) {
            giving.onTaken(item, nowNanos);
            passage.hold(giving.isBehind(), nowNanos, out);
            give(out);
        }
    }

    /// As a newcomer it takes what it is given, each item once and in turn.
    private void onGive(Address from, Message.Give give, long nowNanos, Outbox out) {
        if (!passage.isFromBefore(from, give.epoch())) {
            return;
        }
        if (give.item() == taken + 1 && !whole) {
            taken++;
            take(give.what(), nowNanos, out);
        }
        out.send(from, new Message.Taken(layout.epoch(), taken));
    }

    private void take(Message what, long nowNanos, Outbox out) {
        switch (what) {
            case Message.Copy(Part part, boolean last) -> shards.put(part, last);
            case Message.Update update -> shards.apply(update, tells());
            case Message.Merged merged -> shards.apply(merged);
            case Message.Change change -> apply(change);
            case Message.Claim _ -> {} // leases come in the end
            case Message.Forward(long _, long _, Message.Update kept) when backlog != null -> backlog.add(kept);
            case Message.Forward(long _, long _, Message.Change kept) when backlog != null -> backlog.add(kept);
            case Message.Whole rest -> {
                streams.take(rest);
                rest.refused().forEach(one -> refusals.put(one.stream(), one.number(), one.why()));
                shards.settle();
                passage.begin(rest.number());
                whole = true;
                resend(nowNanos, out);
            }
            default -> throw new IllegalArgumentException("a newcomer was given " + what);
        }
    }

    /// An update that the member before this one has applied.
    private void onForward(Address from, Message.Forward forward, long nowNanos, Outbox out) {
        if (!whole || !passage.isFromBefore(from, forward.epoch())) {
            return;
        }
        passage.await(forward, out);
        for (Message due = passage.due(); due != null && follow(from, due, nowNanos, out); ) {
            due = passage.due();
        }
    }

    /// Does as the member before this one did; false if a key list is not known here.
    private boolean follow(Address from, Message due, long nowNanos, Outbox out) {
        switch (due) {
            case Message.Rest rest -> {
                Message.Update update = passage.whole(rest);
                if (update == null) {
                    lacks(from, rest.update(), out);
                    return false;
                }
                return follow(from, update, nowNanos, out);
            }
            case Message.Update update -> {
                Part[] told = accept(update);
                if (told == null) {
                    lacks(from, update, out);
                    return false;
                }
                streams.hold(update.stream(), update.lease());
                streams.admits(update.stream(), update.sequence(), update.clock());
                pass(update.with(told), nowNanos, out);
                moved(update.stream(), nowNanos, out);
            }
            case Message.Merged merged -> {
                Part[] told = shards.apply(merged);
                if (told == null) {
                    out.send(from, new Message.UnknownKeys(false, merged.stream(0), merged.sequence(0)));
                    return false;
                }
                count(merged.with(told), nowNanos, out);
            }
            case Message.Change change -> {
                accept(change);
                streams.hold(change.stream(), change.lease());
                streams.admits(change.stream(), change.sequence(), change.clock());
                pass(change, nowNanos, out);
                moved(change.stream(), nowNanos, out);
            }
            case Message.Claim claim -> {
                streams.hold(claim.stream(), claim.lease());
                pass(claim, nowNanos, out);
            }
            default -> throw new IllegalArgumentException("a server was sent " + due);
        }
        return true;
    }

    /// Has an update sent again, with all keys and parts.
    private static void lacks(Address from, Message.Update update, Outbox out) {
        out.send(from, new Message.UnknownKeys(false, update.stream(), update.sequence()));
    }

    /// Passes on an update that has been accepted here.
    private void pass(Message update, long nowNanos, Outbox out) {
        if (backlog == null) {
            tellNewcomer(update, nowNanos, out);
        }
        passage.add(update, nowNanos, out);
    }

    /// Tells a newcomer of an update that has been applied here.
    private void tellNewcomer(Message update, long nowNanos, Outbox out) {
        if (giving != null && !giving.isEnded()) {
            giving.add(update);
            passage.hold(giving.isBehind(), nowNanos, out);
            give(out);
        }
    }

    /// Applies those that are due of the updates that were kept.
    private void applyDue(long nowNanos, Outbox out) {
        for (Message due; (due = backlog.due(streams.slowest())) != null; ) {
            if (due instanceof Message.Update update) {
                tellNewcomer(update.with(shards.apply(update, tells())), nowNanos, out);
            } else if (due instanceof Message.Change change) {
                applyKept(change);
                tellNewcomer(change, nowNanos, out);
            }
        }
        shards.settle();
    }

    /// Accepts an update that another member has accepted; what it changes, or null if a list is not known here.
    private Part[] accept(Message.Update update) {
        Part[] parts = shards.pushed(update.parts());
        int[][] slots = shards.resolve(parts, true);
        return slots == null ? null : accept(update, parts, slots);
    }

    /// Applies a change that is new, or keeps it.
    private void accept(Message.Change change) {
        if (backlog == null) {
            apply(change);
        } else {
            backlog.add(change);
        }
    }

    /// Applies a change that was kept. Who sent it was told long ago that it is here, so what goes wrong now ends the
    /// run.
    private void applyKept(Message.Change change) {
        apply(change);
        String refused = refusals.find(change.stream(), change.sequence());
        if (refused != null) {
            throw new IllegalStateException(refused);
        }
    }

    /// Applies an update that is new, or keeps it; what it changes, with all keys if others have to be told.
    private Part[] accept(Message.Update update, Part[] parts, int[][] slots) {
        if (backlog == null) {
            return shards.apply(parts, slots, update.age(), tells());
        }
        // Kept as numbers: what cannot be unpacked is its sender's fault, who is not known when its turn comes.
        backlog.add(update.with(shards.plain(parts)));
        return shards.told(parts);
    }

    /// @param back whether the rows are wanted back
    private void onUpdate(Address from, Message.Update update, boolean back, long nowNanos, Outbox out) {
        int stream = update.stream();
        refuseAtOnce(back);
        if (update.epoch() == layout.epoch()) {
            streams.check(stream, update.sequence(), update.clock());
        }
        if (isFenced(update.epoch(), stream, update.lease())) {
            fence(from, stream, out);
            return;
        }
        if (back) {
            passGathered(nowNanos, out);
        }
        Part[] parts = shards.pushed(update.parts());
        boolean waits = gathers() && !back && streams.isNew(stream, update.sequence());
        // One that waits for others makes no rows yet: the next server would not have them.
        int[][] slots = shards.resolve(parts, !waits);
        if (slots == null) {
            lacks(from, update, out);
            return;
        }
        streams.hold(stream, update.lease());
        if (waits) {
            gathering.add(from, update.with(shards.plain(parts)), nowNanos);
            if (gathering.isComplete(streams.count(), streams::isOver)) {
                passGathered(nowNanos, out);
            }
            return;
        }
        if (streams.isNew(stream, update.sequence())) {
            Message.Update met = update.met(streams.updates(update.clock()));
            Part[] told = accept(met, parts, slots);
            streams.admits(stream, update.sequence(), update.clock());
            pass(met.with(told), nowNanos, out);
        } else if (!mayAnswer(nowNanos)) {
            return; // what was stored long ago is for those to say who have it now
        }
        Message answer = back ? reads.updated(update, parts, slots) : new Message.Applied(stream, update.sequence());
        passage.answer(from, stream, update.sequence(), answer, out);
        moved(stream, nowNanos, out);
    }

    /// Parts of an update whose rest is to come. They go on at once, so that a long update passes through a chain
    /// while it arrives; if that cannot be, all of it is asked for in the end.
    private void onAhead(Address from, Message.Ahead ahead, Outbox out) {
        boolean isFirst = from.role() != Address.Role.SERVER;
        if (isFirst) {
            if (ahead.epoch() == layout.epoch()) {
                streams.check(ahead.stream(), ahead.sequence(), 0);
            }
            if (isFenced(ahead.epoch(), ahead.stream(), ahead.lease())) {
                return;
            }
        } else if (!whole || !passage.isFromBefore(from, ahead.epoch())) {
            return;
        }
        Part[] parts = shards.pushed(ahead.parts());
        if (shards.know(parts) && streams.isNew(ahead.stream(), ahead.sequence())) {
            passage.ahead(ahead.with(shards.told(parts)), !gathers(), out);
        }
    }

    private void onRest(Address from, Message.Rest rest, long nowNanos, Outbox out) {
        Message.Update update = rest.update();
        Message.Update all = passage.whole(rest);
        if (all == null && update.epoch() == layout.epoch()) {
            lacks(from, update, out);
        } else {
            onUpdate(from, all == null ? update : all, false, nowNanos, out);
        }
    }

    /// Whether updates wait for each other, to be passed on as one: where there is somebody to pass them on to.
    private boolean gathers() {
        return means.ways.gathers() && layout.chains()[number].servers().length > 1;
    }

    /// Applies what has been gathered as one update, and passes it on.
    private void passGathered(long nowNanos, Outbox out) {
        List<Gathering.Gathered> all = gathering.take();
        if (all.isEmpty()) {
            return;
        }
        Message.Merged merged = Gathering.merged(all);
        count(merged.with(shards.apply(merged)), nowNanos, out);
        for (Gathering.Gathered one : all) {
            int stream = one.update().stream();
            long sequence = one.update().sequence();
            passage.answer(one.asker(), stream, sequence, new Message.Applied(stream, sequence), out);
        }
    }

    /// Notes updates that have been applied as one, and passes them on.
    private void count(Message.Merged merged, long nowNanos, Outbox out) {
        for (int u = 0; u < merged.count(); u++) {
            streams.hold(merged.stream(u), merged.lease(u));
            streams.admits(merged.stream(u), merged.sequence(u), merged.clock(u));
        }
        pass(merged, nowNanos, out);
        for (int u = 0; u < merged.count(); u++) {
            moved(merged.stream(u), nowNanos, out);
        }
    }

    private void onChange(Address from, Message.Change change, long nowNanos, Outbox out) {
        int stream = change.stream();
        if (change.epoch() == layout.epoch()) {
            streams.check(stream, change.sequence(), change.clock());
        }
        if (isFenced(change.epoch(), stream, change.lease())) {
            fence(from, stream, out);
            return;
        }
        passGathered(nowNanos, out);
        streams.hold(stream, change.lease());
        if (streams.admits(stream, change.sequence(), change.clock())) {
            accept(change);
            pass(change, nowNanos, out);
        } else if (!mayAnswer(nowNanos)) {
            return;
        }
        String refused = refusals.find(stream, change.sequence());
        Message answer = refused == null
                ? new Message.Applied(stream, change.sequence())
                : new Message.Refused(false, stream, change.sequence(), refused);
        passage.answer(from, stream, change.sequence(), answer, out);
        moved(stream, nowNanos, out);
    }

    /// From now on only who has this lease works on the stream, and it is told how far the stream has come.
    private void onClaim(Address from, Message.Claim claim, long nowNanos, Outbox out) {
        int stream = claim.stream();
        if (claim.epoch() == layout.epoch()) {
            streams.check(stream, 1, 0);
        }
        if (isFenced(claim.epoch(), stream, claim.lease())) {
            fence(from, stream, out);
            return;
        }
        passGathered(nowNanos, out);
        if (claim.lease() > streams.lease(stream)) {
            streams.hold(stream, claim.lease());
            pass(claim, nowNanos, out);
        } else if (!mayAnswer(nowNanos)) {
            return;
        }
        Message answer = new Message.Claimed(stream, claim.lease(), streams.upTo(stream), streams.clock(stream));
        passage.answer(from, stream, -claim.lease(), answer, out);
    }

    private void apply(Message.Change change) {
        String why = shards.apply(change);
        if (why != null) {
            refusals.put(change.stream(), change.sequence(), why);
        }
    }

    /// Whether others have to be told what changes here.
    private boolean tells() {
        return passage.isFollowed() || giving != null;
    }

    /// Whether another copy cannot be answering reads by now.
    private boolean mayAnswer(long nowNanos) {
        return layout.chains()[number].servers().length == 1 || means.reads.isGood(nowNanos);
    }

    /// Sets the clock of a stream after an update of it, and answers reads that waited for that.
    private void moved(int stream, long nowNanos, Outbox out) {
        boolean rose = streams.moved(stream);
        if (rose && backlog != null) {
            applyDue(nowNanos, out);
        }
        reads.moved(stream, rose, nowNanos, out);
    }

    private void onRead(Address from, Message.Read read, long nowNanos, Outbox out) {
        boolean isFor = read instanceof Message.Settled ? isTail() : passage.isHead();
        if (read.epoch() == layout.epoch() && isFor) {
            reads.take(from, read, nowNanos, out);
        } else {
            fence(from, read.stream(), out);
        }
    }

    private void refuseAtOnce(boolean wanted) {
        if (wanted && backlog != null) {
            throw new IllegalArgumentException("an update asks for what comes of it at once, where updates are applied"
                    + " when their clock is over; send it and read later");
        }
    }

    private boolean isFenced(long epoch, int stream, long lease) {
        return epoch != layout.epoch() || !passage.isHead() || lease < streams.lease(stream);
    }

    private void fence(Address from, int stream, Outbox out) {
        out.send(from, new Message.Fenced(layout.epoch(), stream, streams.lease(stream)));
    }

    @Override
    public String toString() {
        return (whole ? "all" : "some") + " of it, " + passage;
    }
}
