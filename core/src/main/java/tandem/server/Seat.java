package tandem.server;

import java.util.ArrayList;
import java.util.List;
import tandem.filter.Direction;
import tandem.filter.Filters;
import tandem.filter.Stack;
import tandem.wire.Address;
import tandem.wire.Figures;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.ProtocolError;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// One copy of a seat: its shards. Applies each update once, however often it comes, and answers a pull once everything
/// is applied that the pull must see.
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
    private final Refusals refusals = new Refusals();
    private final Filtering filtering;
    private final Followers followers;
    private HeldReads held;

    /// What the seats of a server share.
    ///
    /// @param server the number of the server
    /// @param salt   decides where keys go that someone chose to crowd; nothing else depends on it
    record Means(int server, Rules rules, Filters filters, long salt, KeyLists lists) {}

    Seat(int number, int streams, Means means) {
        this.number = number;
        this.means = means;
        this.filtering = new Filtering(means.filters);
        this.followers = new Followers(Followers.MOST, filtering);
        this.applied = new Applied(streams);
        this.leases = new long[streams];
        this.clocks = new Clocks(streams);
        this.held = new HeldReads(streams);
    }

    void receive(Address from, Message message, Outbox out) {
        switch (message) {
            case Message.Update update -> onUpdate(from, update, false, out);
            case Message.PushPull(Message.Update update) -> onUpdate(from, update, true, out);
            case Message.Change change -> onChange(from, change, out);
            case Message.Read read -> onRead(from, read, out);
            case Message.Unfollow unfollow -> onUnfollow(from, unfollow);
            default -> throw new IllegalArgumentException("a server was sent " + message);
        }
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
    void place(Layout placed) {
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
                    owned.add(next[t][s]);
                }
            }
        }
        shards = next;
        layout = placed;
        followers.clear(owned);
    }

    private Shard made(TableSpec spec, int table, int shard) {
        return new Shard(spec, new Shard.Place(table, shard), means.rules, means.salt, means.lists);
    }

    /// @param back whether the rows are wanted back
    private void onUpdate(Address from, Message.Update update, boolean back, Outbox out) {
        int stream = update.stream();
        if (update.epoch() == layout.epoch()) {
            check(stream, update.sequence(), update.clock());
        }
        if (isFenced(update.epoch(), stream, update.lease())) {
            fence(from, stream, out);
            return;
        }
        Part[] parts = filtering.listed(update.parts(), Direction.PUSH);
        check(parts, true);
        int[][] slots = resolve(parts, true);
        if (slots == null) {
            out.send(from, new Message.UnknownKeys(false, stream, update.sequence()));
            return;
        }
        int[][] changed = slots.clone();
        parts = unpacked(parts, changed);
        leases[stream] = update.lease();
        if (applied.admits(stream, update.sequence(), update.clock())) {
            apply(parts, changed);
        }
        out.send(from, back ? updated(update, parts, slots) : new Message.Applied(stream, update.sequence()));
        moved(stream, out);
    }

    /// The parts with their values, and the slots without those of rows that were left out.
    private Part[] unpacked(Part[] parts, int[][] slots) {
        Part[] unpacked = parts.clone();
        for (int p = 0; p < parts.length; p++) {
            if (parts[p].values() instanceof Values.Packed packed) {
                Stack.Unpacked found = filtering.unpacked(parts[p], packed);
                unpacked[p] = parts[p].with(found.values());
                if (!shardOf(parts[p]).takes(unpacked[p])) {
                    throw new ProtocolError(found.count() + " numbers were packed for " + parts[p].count() + " rows of "
                            + parts[p].width());
                }
                slots[p] = shardOf(parts[p]).without(found.leftOut(), parts[p], slots[p]);
            }
        }
        return unpacked;
    }

    private Message updated(Message.Update update, Part[] parts, int[][] slots) {
        Values[] rows = read(update.stream(), update.sequence(), parts, slots);
        return new Message.Updated(update.stream(), update.sequence(), clocks.slowest(), rows);
    }

    private void apply(Part[] parts, int[][] slots) {
        for (int p = 0; p < parts.length; p++) {
            shardOf(parts[p]).update(parts[p], slots[p]);
        }
    }

    private void onChange(Address from, Message.Change change, Outbox out) {
        int stream = change.stream();
        if (change.epoch() == layout.epoch()) {
            check(stream, change.sequence(), change.clock());
        }
        if (isFenced(change.epoch(), stream, change.lease())) {
            fence(from, stream, out);
            return;
        }
        leases[stream] = change.lease();
        if (applied.admits(stream, change.sequence(), change.clock())) {
            apply(change);
        }
        String refused = refusals.find(stream, change.sequence());
        out.send(
                from,
                refused == null
                        ? new Message.Applied(stream, change.sequence())
                        : new Message.Refused(false, stream, change.sequence(), refused));
        moved(stream, out);
    }

    private void apply(Message.Change change) {
        try {
            ServerChange function = means.rules.change(change.function());
            for (Shard shard : owned) {
                if (shard.table == change.table()) {
                    shard.change(function, change.with());
                }
            }
        } catch (RuntimeException e) {
            refusals.put(change.stream(), change.sequence(), why(change.function(), e));
        }
    }

    /// Sets the clock of a stream after an update of it, and answers reads that waited for that.
    private void moved(int stream, Outbox out) {
        boolean rose = clocks.set(stream, applied.clock(stream));
        if (rose && !followers.isEmpty()) {
            followers.refresh(layout, shards, applied, clocks.slowest(), out);
        }
        for (HeldReads.Held read : held.moved(stream, clocks.slowest(), rose)) {
            if (!answered(read, out)) {
                held.add(read, upTo(read.read().stream()));
            }
        }
    }

    private void onRead(Address from, Message.Read read, Outbox out) {
        if (read.epoch() != layout.epoch()) {
            fence(from, read.stream(), out);
            return;
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
            case Message.Compute compute -> compute;
        };
    }

    private Message.Pull listed(Message.Pull pull) {
        Part[] parts = filtering.listed(pull.parts(), Direction.PULL);
        check(parts, false);
        return pull.with(parts);
    }

    private boolean answered(HeldReads.Held asked, Outbox out) {
        if (!isDue(asked.read())) {
            return false;
        }
        out.send(
                asked.from(),
                switch (asked.read()) {
                    case Message.Pull pull -> rows(pull);
                    case Message.Follow(Message.Pull pull) -> followed(asked.from(), pull);
                    case Message.Compute compute -> computed(compute);
                });
        return true;
    }

    private Message rows(Message.Pull pull) {
        int[][] slots = resolve(pull.parts(), pull.make());
        return slots == null
                ? new Message.UnknownKeys(true, pull.stream(), pull.request())
                : new Message.Rows(
                        pull.request(), clocks.slowest(), read(pull.stream(), pull.request(), pull.parts(), slots));
    }

    private Message followed(Address from, Message.Pull pull) {
        return rows(pull) instanceof Message.Rows rows
                ? new Message.Followed(follow(from, pull), rows)
                : new Message.UnknownKeys(true, pull.stream(), pull.request());
    }

    private long follow(Address from, Message.Pull pull) {
        return pull.stream() < 0 ? -1 : followers.follow(from, pull, shards, resolve(pull.parts(), false));
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

    private void check(int stream, long sequence, long clock) {
        if (stream < 0 || stream >= leases.length || sequence < 1 || clock < 0) {
            throw new IllegalArgumentException("update " + sequence + " of stream " + stream + " with clock " + clock
                    + "; there are streams 0 to " + (leases.length - 1) + ", and updates from 1 on");
        }
    }

    private boolean isFenced(long epoch, int stream, long lease) {
        return epoch != layout.epoch() || lease < leases[stream];
    }

    private void fence(Address from, int stream, Outbox out) {
        long lease = stream >= 0 && stream < leases.length ? leases[stream] : 0;
        out.send(from, new Message.Fenced(layout.epoch(), stream, lease));
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

    private boolean takes(Part part) {
        return filtering.packs(part.table())
                ? part.values() instanceof Values.Packed
                : shardOf(part).takes(part);
    }

    /// Whether the keys of a part, which come in order, are of its shard. All keys of a sparse table are listed, since
    /// a few bytes that name a long range would make as many rows.
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
    private Values[] read(int stream, long request, Part[] parts, int[][] slots) {
        Values[] values = new Values[parts.length];
        for (int p = 0; p < parts.length; p++) {
            Values rows = shardOf(parts[p]).read(parts[p], slots[p]);
            values[p] = filtering.packed(stream, request, parts[p], rows);
        }
        return values;
    }

    private Shard shardOf(Part part) {
        return shards[part.table()][part.shard()];
    }
}
