package tandem.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import tandem.filter.Direction;
import tandem.filter.Filters;
import tandem.filter.Stack;
import tandem.wire.Address;
import tandem.wire.Age;
import tandem.wire.Chain;
import tandem.wire.Figures;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.ProtocolError;
import tandem.wire.Reached;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// One copy of a seat: its shards. Applies each update once, however often it comes, and answers a pull once
/// everything is applied that the pull must see.
final class Seat {

    /// The most characters of a failure that are passed on.
    private static final int MOST_WORDS = 1000;

    private final int number;
    private final Means means;

    private Layout layout = Layout.NONE;

    /// By table and shard; null where the shard is of another seat. `owned` lists the others in the same order.
    private Shard[][] shards = {};

    private final List<Shard> owned = new ArrayList<>();

    /// Which updates have been applied.
    private final Applied applied;

    /// By stream: the latest lease that an update came with.
    private final long[] leases;

    private final Clocks clocks;

    /// Updates whose clock is not over; null if each is applied as it comes.
    private final Backlog backlog;

    /// Parts of updates of one clock whose rows change only when that is over, and the clock.
    private final List<Part> unsettled = new ArrayList<>();

    private long unsettledClock;

    /// Updates that wait for others, to be passed on as one; nothing if each goes on by itself.
    private final Gathering gathering;

    private final Refusals refusals = new Refusals();
    private final Filtering filtering;
    private final Followers followers;
    private HeldReads held;

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
        this.filtering = new Filtering(means.filters);
        this.followers = new Followers(Followers.MOST, filtering);
        this.applied = new Applied(streams);
        this.leases = new long[streams];
        this.clocks = new Clocks(streams);
        this.backlog = means.ways.inOrder() ? new Backlog() : null;
        this.gathering = new Gathering(means.ways.gatherNanos());
        begin(means.ways.reached());
        this.held = new HeldReads(streams);
    }

    private void begin(Reached reached) {
        if (!reached.anew()) {
            applied.set(new Applied.Known(reached.sequences(), reached.clocks(), new long[0]));
            for (int stream = 0; stream < leases.length; stream++) {
                clocks.set(stream, reached.clock(stream));
            }
        }
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
            case Message.Unfollow unfollow -> onUnfollow(from, unfollow);
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
        long rows = 0;
        for (Shard shard : owned) {
            rows += shard.hash();
        }
        return whole ? new Server.Print(passage.last(), rows, applied.hash()) : null;
    }

    /// How many updates have passed through it; −1 while it does not have everything.
    long passed() {
        return whole ? passage.last() : -1;
    }

    /// The shards that are here.
    List<Shard> shards() {
        return owned;
    }

    /// A shard of a table; null if it is of another seat.
    Shard shard(int table, int shard) {
        return shards[table] == null ? null : shards[table][shard];
    }

    /// Follows the layout of a new epoch.
    void place(Layout placed, long nowNanos, Outbox out) {
        filtering.place(placed);
        // Who asked in an earlier epoch asks again in this one.
        held = new HeldReads(placed.streams());
        Shard[][] next = new Shard[placed.tables().length][];
        owned.clear();
        for (int t = 0; t < next.length; t++) {
            TableSpec table = placed.tables()[t];
            if (table == null) {
                means.lists.forget(t);
                continue;
            }
            next[t] = new Shard[table.shards()];
            for (int s = 0; s < table.shards(); s++) {
                if (placed.owners()[t][s] == number) {
                    boolean kept = t < shards.length && shards[t] != null && shards[t][s] != null;
                    next[t][s] = kept ? shards[t][s] : made(table, t, s);
                    next[t][s].tellLists(backlog != null || placed.chains()[number].servers().length > 1);
                    owned.add(next[t][s]);
                }
            }
        }
        gathering.clear();
        unsettled.removeIf(part -> next[part.table()] == null || next[part.table()][part.shard()] == null);
        shards = next;
        layout = placed;
        if (backlog != null) {
            backlog.place(placed);
        }
        followers.clear(owned);
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
                giving = new Giving(newcomer, came, owned, means.ways.resendNanos());
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
        Applied.Known known = applied.known();
        rest.add(new Message.Whole(
                passage.last(), leases.clone(), known.upTo(), known.clocks(), known.beyond(), refusals.all()));
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
            case Message.Copy(Part part, boolean last) -> {
                check(part);
                shardOf(part).put(part);
                shardOf(part).missing = !last;
            }
            case Message.Update update -> apply(update);
            case Message.Merged merged -> apply(merged);
            case Message.Change change -> apply(change);
            case Message.Claim _ -> {} // leases come in the end
            case Message.Forward(long _, long _, Message.Update kept) when backlog != null -> backlog.add(kept);
            case Message.Forward(long _, long _, Message.Change kept) when backlog != null -> backlog.add(kept);
            case Message.Whole(long passed, long[] held, long[] upTo, long[] reached, long[] beyond, var refused) -> {
                applied.set(new Applied.Known(upTo, reached, beyond));
                System.arraycopy(held, 0, leases, 0, leases.length);
                refused.forEach(one -> refusals.put(one.stream(), one.number(), one.why()));
                for (int stream = 0; stream < leases.length; stream++) {
                    clocks.set(stream, applied.clock(stream));
                }
                settle();
                passage.begin(passed);
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
                leases[update.stream()] = update.lease();
                applied.admits(update.stream(), update.sequence(), update.clock());
                pass(update.with(told), nowNanos, out);
                moved(update.stream(), nowNanos, out);
            }
            case Message.Merged merged -> {
                Part[] told = apply(merged);
                if (told == null) {
                    out.send(from, new Message.UnknownKeys(false, merged.stream(0), merged.sequence(0)));
                    return false;
                }
                count(merged.with(told), nowNanos, out);
            }
            case Message.Change change -> {
                accept(change);
                leases[change.stream()] = change.lease();
                applied.admits(change.stream(), change.sequence(), change.clock());
                pass(change, nowNanos, out);
                moved(change.stream(), nowNanos, out);
            }
            case Message.Claim claim -> {
                leases[claim.stream()] = claim.lease();
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
        for (Message due; (due = backlog.due(clocks.slowest())) != null; ) {
            if (due instanceof Message.Update update) {
                tellNewcomer(update.with(apply(update)), nowNanos, out);
            } else if (due instanceof Message.Change change) {
                applyKept(change);
                tellNewcomer(change, nowNanos, out);
            }
        }
        settle();
    }

    /// Applies an update whose keys are all known here; gives back what it changes. They come clock by clock, so one of
    /// a later clock says that those before are over.
    private Part[] apply(Message.Update update) {
        Part[] parts = filtering.listed(update.parts(), Direction.PUSH);
        check(parts, true);
        if (update.clock() > unsettledClock) {
            settle();
            unsettledClock = update.clock();
        }
        Part[] told = apply(parts, resolve(parts, true), update.age());
        for (Part part : parts) {
            if (shardOf(part).settles()) {
                unsettled.add(part);
            }
        }
        return told;
    }

    /// Has rows change by what was pushed to them in a clock that is over.
    private void settle() {
        for (Part part : unsettled) {
            Shard shard = shardOf(part);
            shard.settle(part, shard.resolve(part, false));
        }
        unsettled.clear();
    }

    /// Accepts an update that another member has accepted; what it changes, or null if a list is not known here.
    private Part[] accept(Message.Update update) {
        Part[] parts = filtering.listed(update.parts(), Direction.PUSH);
        check(parts, true);
        int[][] slots = resolve(parts, true);
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
            return apply(parts, slots, update.age());
        }
        Part[] told = told(parts);
        backlog.add(update.with(told));
        return told;
    }

    private Shard made(TableSpec spec, int table, int shard) {
        Shard made = new Shard(spec, new Shard.Place(table, shard), means.rules, means.ways.salt(), means.lists);
        if (made.settles() && backlog == null) {
            throw new IllegalArgumentException("table " + spec.name() + " has the rule " + spec.rule()
                    + ", which needs servers that apply updates clock by clock");
        }
        made.missing = !whole;
        return made;
    }

    /// @param back whether the rows are wanted back
    private void onUpdate(Address from, Message.Update update, boolean back, long nowNanos, Outbox out) {
        int stream = update.stream();
        refuseAtOnce(back);
        if (update.epoch() == layout.epoch()) {
            check(stream, update.sequence(), update.clock());
        }
        if (isFenced(update.epoch(), stream, update.lease())) {
            fence(from, stream, out);
            return;
        }
        if (back) {
            passGathered(nowNanos, out);
        }
        Part[] parts = filtering.listed(update.parts(), Direction.PUSH);
        check(parts, true);
        boolean waits = gathers() && !back && applied.isNew(stream, update.sequence());
        // One that waits for others makes no rows yet: the next server would not have them.
        int[][] slots = resolve(parts, !waits);
        if (slots == null) {
            lacks(from, update, out);
            return;
        }
        leases[stream] = update.lease();
        if (waits) {
            gathering.add(from, update.with(plain(parts)), nowNanos);
            if (gathering.isComplete(leases.length, this::isOver)) {
                passGathered(nowNanos, out);
            }
            return;
        }
        if (applied.isNew(stream, update.sequence())) {
            Message.Update met = update.met(updates(update.clock()));
            Part[] told = accept(met, parts, slots);
            applied.admits(stream, update.sequence(), update.clock());
            pass(met.with(told), nowNanos, out);
        } else if (!mayAnswer(nowNanos)) {
            return; // what was stored long ago is for those to say who have it now
        }
        Message answer = back ? updated(update, parts, slots) : new Message.Applied(stream, update.sequence());
        passage.answer(from, stream, update.sequence(), answer, out);
        moved(stream, nowNanos, out);
    }

    /// Parts of an update whose rest is to come. They go on at once, so that a long update passes through a chain
    /// while it arrives; if that cannot be, all of it is asked for in the end.
    private void onAhead(Address from, Message.Ahead ahead, Outbox out) {
        boolean isFirst = from.role() != Address.Role.SERVER;
        if (isFirst) {
            if (ahead.epoch() == layout.epoch()) {
                check(ahead.stream(), ahead.sequence(), 0);
            }
            if (isFenced(ahead.epoch(), ahead.stream(), ahead.lease())) {
                return;
            }
        } else if (!whole || !passage.isFromBefore(from, ahead.epoch())) {
            return;
        }
        Part[] parts = filtering.listed(ahead.parts(), Direction.PUSH);
        check(parts, true);
        boolean known = Arrays.stream(parts).allMatch(part -> shardOf(part).knows(part));
        if (known && applied.isNew(ahead.stream(), ahead.sequence())) {
            passage.ahead(ahead.with(told(parts)), !gathers(), out);
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

    private boolean isOver(int stream) {
        return applied.clock(stream) >= Clocks.OVER;
    }

    /// Applies what has been gathered as one update, and passes it on.
    private void passGathered(long nowNanos, Outbox out) {
        List<Gathering.Gathered> all = gathering.take();
        if (all.isEmpty()) {
            return;
        }
        Message.Merged merged = Gathering.merged(all);
        count(merged.with(apply(merged)), nowNanos, out);
        for (Gathering.Gathered one : all) {
            int stream = one.update().stream();
            long sequence = one.update().sequence();
            passage.answer(one.asker(), stream, sequence, new Message.Applied(stream, sequence), out);
        }
    }

    /// Notes updates that have been applied as one, and passes them on.
    private void count(Message.Merged merged, long nowNanos, Outbox out) {
        for (int u = 0; u < merged.count(); u++) {
            leases[merged.stream(u)] = merged.lease(u);
            applied.admits(merged.stream(u), merged.sequence(u), merged.clock(u));
        }
        pass(merged, nowNanos, out);
        for (int u = 0; u < merged.count(); u++) {
            moved(merged.stream(u), nowNanos, out);
        }
    }

    /// Applies updates that are one; gives back what they change, or null if a list is not known here.
    private Part[] apply(Message.Merged merged) {
        Part[] parts = merged.parts();
        for (Part part : parts) {
            checkHere(part);
            if (!shardOf(part).knows(part)) {
                return null;
            }
            if (!shardOf(part).takes(part)) {
                throw new IllegalArgumentException("values of another kind than those of table " + part.table());
            }
        }
        Part[] told = told(parts);
        for (Part part : told) {
            Shard shard = shardOf(part);
            if (!shard.missing) {
                shard.update(part, shard.resolve(part, true), Age.UNKNOWN);
            }
        }
        return told;
    }

    /// Parts with all their keys and values, and without rows that were left out.
    private Part[] plain(Part[] parts) {
        Part[] plain = told(parts);
        for (int p = 0; p < plain.length; p++) {
            if (plain[p].values() instanceof Values.Packed packed) {
                Stack.Unpacked found = unpacked(plain[p], packed);
                plain[p] = without(found.leftOut(), plain[p].with(found.values()));
            }
        }
        return plain;
    }

    private static Part without(BitSet leftOut, Part part) {
        if (leftOut.isEmpty() || part.values() instanceof Values.Ragged) {
            return part;
        }
        int[] kept = IntStream.range(0, part.count())
                .filter(row -> !leftOut.get(row))
                .toArray();
        long[] keys = IntStream.of(kept).mapToLong(part::key).toArray();
        Values values = part.values() instanceof Values.Doubles
                ? Values.of(new double[kept.length * part.width()])
                : Values.of(new float[kept.length * part.width()]);
        for (int k = 0; k < kept.length; k++) {
            part.values().piece(kept[k] * part.width(), part.width()).copyTo(values, k * part.width());
        }
        return new Part(part.table(), part.shard(), Keys.once(keys, keys.length), 0, keys.length, part.width(), values);
    }

    /// The parts with their values, and the slots without those of rows that were left out.
    private Part[] unpacked(Part[] parts, int[][] slots) {
        Part[] unpacked = parts.clone();
        for (int p = 0; p < parts.length; p++) {
            if (parts[p].values() instanceof Values.Packed packed) {
                Stack.Unpacked found = unpacked(parts[p], packed);
                unpacked[p] = parts[p].with(found.values());
                slots[p] = shardOf(parts[p]).without(found.leftOut(), parts[p], slots[p]);
            }
        }
        return unpacked;
    }

    private Stack.Unpacked unpacked(Part part, Values.Packed packed) {
        Stack.Unpacked found = filtering.unpacked(part, packed);
        if (!shardOf(part).takes(part.with(found.values()))) {
            throw new ProtocolError(
                    found.count() + " numbers were packed for " + part.count() + " rows of " + part.width());
        }
        return found;
    }

    private Message updated(Message.Update update, Part[] parts, int[][] slots) {
        Values[] rows = read(update.stream(), update.sequence(), parts, slots, false);
        return new Message.Updated(update.stream(), update.sequence(), clocks.slowest(), rows);
    }

    /// Applies parts at their slots; gives them back with all keys, if others have to be told.
    private Part[] apply(Part[] parts, int[][] slots, Age age) {
        int[][] changed = slots.clone();
        Part[] unpacked = unpacked(parts, changed);
        for (int p = 0; p < parts.length; p++) {
            if (!shardOf(parts[p]).missing) {
                shardOf(parts[p]).update(unpacked[p], changed[p], age);
            }
        }
        return passage.isFollowed() || giving != null ? told(parts) : parts;
    }

    private Part[] told(Part[] parts) {
        Part[] told = parts.clone();
        for (int p = 0; p < parts.length; p++) {
            told[p] = shardOf(parts[p]).listed(parts[p]);
        }
        return told;
    }

    private void onChange(Address from, Message.Change change, long nowNanos, Outbox out) {
        int stream = change.stream();
        if (change.epoch() == layout.epoch()) {
            check(stream, change.sequence(), change.clock());
        }
        if (isFenced(change.epoch(), stream, change.lease())) {
            fence(from, stream, out);
            return;
        }
        passGathered(nowNanos, out);
        leases[stream] = change.lease();
        if (applied.admits(stream, change.sequence(), change.clock())) {
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
            check(stream, 1, 0);
        }
        if (isFenced(claim.epoch(), stream, claim.lease())) {
            fence(from, stream, out);
            return;
        }
        passGathered(nowNanos, out);
        if (claim.lease() > leases[stream]) {
            leases[stream] = claim.lease();
            pass(claim, nowNanos, out);
        } else if (!mayAnswer(nowNanos)) {
            return;
        }
        Message answer = new Message.Claimed(stream, claim.lease(), applied.upTo(stream), applied.clock(stream));
        passage.answer(from, stream, -claim.lease(), answer, out);
    }

    private void apply(Message.Change change) {
        try {
            ServerChange function = means.rules.change(change.function());
            for (Shard shard : owned) {
                if (shard.table == change.table() && !shard.missing) {
                    shard.change(function, change.with());
                }
            }
        } catch (RuntimeException e) {
            refusals.put(change.stream(), change.sequence(), why(change.function(), e));
        }
    }

    /// Whether another copy cannot be answering reads by now.
    private boolean mayAnswer(long nowNanos) {
        return layout.chains()[number].servers().length == 1 || means.reads.isGood(nowNanos);
    }

    /// Sets the clock of a stream after an update of it, and answers reads that waited for that.
    private void moved(int stream, long nowNanos, Outbox out) {
        boolean rose = clocks.set(stream, applied.clock(stream));
        if (rose && backlog != null) {
            applyDue(nowNanos, out);
        }
        if (rose && !followers.isEmpty()) {
            followers.refresh(layout, shards, applied, clocks.slowest(), out);
        }
        for (HeldReads.Held read : held.moved(stream, clocks.slowest(), rose)) {
            if (mayAnswer(nowNanos) && !answered(read, out)) {
                held.add(read, upTo(read.read().stream()));
            }
        }
    }

    private void onRead(Address from, Message.Read read, long nowNanos, Outbox out) {
        boolean settled = read instanceof Message.Settled;
        if (read.epoch() != layout.epoch() || !(settled ? isTail() : passage.isHead())) {
            fence(from, read.stream(), out);
            return;
        }
        if (!mayAnswer(nowNanos) || settled && !passage.isSettled()) {
            return; // it is asked again, here or elsewhere: a newcomer that is not settled is a member soon
        }
        if (read.stream() >= leases.length) {
            throw new IllegalArgumentException(
                    "a read of stream " + read.stream() + "; there are streams 0 to " + (leases.length - 1));
        }
        HeldReads.Held asked = new HeldReads.Held(from, listed(read));
        if (!answered(asked, out) && !held.add(asked, upTo(read.stream()))) {
            int laggard = clocks.laggard();
            out.send(from, new Message.Held(read.request(), laggard, clocks.of(laggard)));
        }
    }

    /// The same with lists of keys that are of shards here.
    private Message.Read listed(Message.Read read) {
        return switch (read) {
            case Message.Pull pull -> listed(pull);
            case Message.Follow(Message.Pull pull) -> new Message.Follow(listed(pull));
            case Message.Settled(Message.Pull pull) -> new Message.Settled(listed(pull));
            case Message.Compute compute -> compute;
        };
    }

    private Message.Pull listed(Message.Pull pull) {
        Part[] parts = filtering.listed(pull.parts(), Direction.PULL);
        check(parts, false);
        return pull.with(parts);
    }

    private boolean answered(HeldReads.Held asked, Outbox out) {
        if (!isDue(asked.read()) || asked.read() instanceof Message.Settled && !passage.isSettled()) {
            return false;
        }
        out.send(
                asked.from(),
                switch (asked.read()) {
                    case Message.Pull pull -> rows(pull, out.takesAtOnce(asked.from()));
                    case Message.Follow(Message.Pull pull) -> followed(asked.from(), pull);
                    case Message.Settled(Message.Pull pull) -> rows(pull, out.takesAtOnce(asked.from()));
                    case Message.Compute compute -> computed(compute);
                });
        return true;
    }

    /// @param lent whether the rows may change once the answer is sent
    private Message rows(Message.Pull pull, boolean lent) {
        int[][] slots = resolve(pull.parts(), pull.make() && passage.isHead());
        return slots == null
                ? new Message.UnknownKeys(true, pull.stream(), pull.request())
                : new Message.Rows(
                        pull.request(),
                        clocks.slowest(),
                        updates(clocks.slowest()),
                        read(pull.stream(), pull.request(), pull.parts(), slots, lent));
    }

    private Message followed(Address from, Message.Pull pull) {
        if (!(rows(pull, false) instanceof Message.Rows rows)) {
            return new Message.UnknownKeys(true, pull.stream(), pull.request());
        }
        Followers.Kept kept = pull.stream() < 0
                ? Followers.Kept.NOTHING
                : followers.follow(from, pull, shards, resolve(pull.parts(), false));
        return new Message.Followed(kept.refreshes(), kept.absent().toLongArray(), rows);
    }

    private void onUnfollow(Address from, Message.Unfollow unfollow) {
        if (unfollow.epoch() != layout.epoch()) {
            return;
        }
        check(unfollow.parts(), false);
        for (Part part : unfollow.parts()) {
            int[] slots = shardOf(part).resolve(part, false);
            if (slots != null) {
                followers.unfollow(from, unfollow.request(), part, shardOf(part), slots);
            }
        }
    }

    private Message computed(Message.Compute compute) {
        try {
            ServerFunction function = means.rules.function(compute.function());
            Figures[] results = owned.stream()
                    .filter(shard -> shard.table == compute.table())
                    .map(shard -> shard.compute(function, compute.with()))
                    .toArray(Figures[]::new);
            return new Message.Computed(compute.request(), clocks.slowest(), results);
        } catch (RuntimeException e) {
            return new Message.Refused(true, compute.stream(), compute.request(), why(compute.function(), e));
        }
    }

    private String why(String function, RuntimeException e) {
        String why = e.getMessage() == null ? e.toString() : e.getMessage();
        return "server " + means.server + " could not run " + function + ": "
                + why.substring(0, Math.min(MOST_WORDS, why.length()));
    }

    private void refuseAtOnce(boolean wanted) {
        if (wanted && backlog != null) {
            throw new IllegalArgumentException("an update asks for what comes of it at once, where updates are applied"
                    + " when their clock is over; send it and read later");
        }
    }

    private void check(int stream, long sequence, long clock) {
        if (stream < 0 || stream >= leases.length || sequence < 1 || clock < 0) {
            throw new IllegalArgumentException("update " + sequence + " of stream " + stream + " with clock " + clock
                    + "; there are streams 0 to " + (leases.length - 1) + ", and updates from 1 on");
        }
    }

    private boolean isFenced(long epoch, int stream, long lease) {
        return epoch != layout.epoch() || !passage.isHead() || lease < leases[stream];
    }

    private void fence(Address from, int stream, Outbox out) {
        long lease = stream >= 0 && stream < leases.length ? leases[stream] : 0;
        out.send(from, new Message.Fenced(layout.epoch(), stream, lease));
    }

    /// How many updates of all streams the rows have: where each is applied as it comes, those that came, else those of
    /// the clocks before this one, if each clock is one.
    private long updates(long clock) {
        return backlog == null ? applied.all() : clock * leases.length;
    }

    /// The slots of each part's keys, all before any is used; null if the keys of one are not known.
    private int[][] resolve(Part[] parts, boolean make) {
        int[][] slots = new int[parts.length][];
        for (int p = 0; p < parts.length; p++) {
            slots[p] = shardOf(parts[p]).resolve(parts[p], make);
            if (slots[p] == null) {
                return null;
            }
        }
        return slots;
    }

    /// That the parts are of shards that are here, in their order, so that none is passed over.
    private void check(Part[] parts, boolean withValues) {
        int table = 0;
        int least = 0;
        for (Part part : parts) {
            least = part.table() == table ? least : 0;
            boolean here = part.table() >= table
                    && part.table() < shards.length
                    && shards[part.table()] != null
                    && part.shard() >= least
                    && part.shard() < shards[part.table()].length
                    && shardOf(part) != null
                    && part.width() == layout.tables()[part.table()].width()
                    && isOf(layout.tables()[part.table()], part)
                    && (withValues ? takes(part) : part.values() == null);
            if (!here) {
                throw new IllegalArgumentException("seat " + number + " was sent shard " + part.shard() + " of table "
                        + part.table() + " in epoch " + layout.epoch() + ", which is out of place");
            }
            table = part.table();
            least = part.shard() + 1;
        }
    }

    /// That rows which are copied here are of a shard that is.
    private void check(Part part) {
        checkHere(part);
        if (part.values() == null || part.keys().list() == null) {
            throw new IllegalArgumentException("seat " + number + " was given rows without keys or values");
        }
    }

    private void checkHere(Part part) {
        boolean here = layout.has(part.table())
                && part.shard() >= 0
                && part.shard() < shards[part.table()].length
                && shardOf(part) != null
                && part.width() == layout.tables()[part.table()].width()
                && isOf(layout.tables()[part.table()], part);
        if (!here) {
            throw new IllegalArgumentException("seat " + number + " was given shard " + part.shard() + " of table "
                    + part.table() + " in epoch " + layout.epoch() + ", which is out of place");
        }
    }

    private boolean takes(Part part) {
        return part.values() instanceof Values.Packed
                ? filtering.packs(part.table())
                : shardOf(part).takes(part);
    }

    /// Whether the keys of a part, which come in order, are of its shard. All keys of a sparse table are listed,
    /// since a few bytes that name a long range would make as many rows.
    private static boolean isOf(TableSpec table, Part part) {
        Keys keys = part.keys();
        return part.count() == 0
                || keys.isBare()
                || !table.isSparse()
                || !keys.isRange()
                        && table.shardOf(part.key(0)) == part.shard()
                        && table.shardOf(part.key(part.count() - 1)) == part.shard();
    }

    private boolean isDue(Message.Read read) {
        return read.after().own() <= upTo(read.stream())
                && clocks.reachedBy(read.after().share()) >= read.after().everyone();
    }

    /// All updates of `stream` up to this number are applied.
    private long upTo(int stream) {
        return stream < 0 ? Long.MAX_VALUE : applied.upTo(stream);
    }

    /// The rows of parts, as they answer request `request` of a stream.
    private Values[] read(int stream, long request, Part[] parts, int[][] slots, boolean lent) {
        Values[] values = new Values[parts.length];
        for (int p = 0; p < parts.length; p++) {
            Values rows = shardOf(parts[p]).read(parts[p], slots[p], lent);
            values[p] = filtering.packed(stream, request, parts[p], rows);
        }
        return values;
    }

    private Shard shardOf(Part part) {
        return shards[part.table()][part.shard()];
    }

    @Override
    public String toString() {
        return (whole ? "all" : "some") + " of it, " + passage;
    }
}
