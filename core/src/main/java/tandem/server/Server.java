package tandem.server;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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
import tandem.wire.Party;
import tandem.wire.ProtocolError;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// A server: the shards that the layout gives it. Applies each update once, however often it comes, and answers
/// a pull once everything is applied that the pull must see.
public final class Server implements Party {

    private static final long LIST_BYTES = 256L << 20;

    /// The most characters of a failure that are passed on.
    private static final int MOST_WORDS = 1000;

    private final int number;
    private final Rules rules;
    private final long salt;

    private Layout layout = Layout.NONE;

    /// By table and shard; null where the shard is elsewhere. `owned` lists the others in the same order.
    private Shard[][] shards = {};

    private final List<Shard> owned = new ArrayList<>();

    /// Which updates have been applied: one record for all shards that have seen the same ones, because they have been
    /// here together.
    private final List<Applied> pasts = new ArrayList<>();

    /// By stream: the latest lease that an update came with.
    private long[] leases = {};

    private final KeyLists lists;
    private final Refusals refusals = new Refusals();
    private final Filtering filtering;
    private Clocks clocks = new Clocks(0);
    private HeldReads held = new HeldReads(0);
    private final Followers followers;

    /// The same with the usual filters, and memory for key lists.
    public Server(int number, Rules rules, long salt) {
        this(number, rules, new Filters(), salt, LIST_BYTES);
    }

    /// The same with the usual memory for key lists.
    public Server(int number, Rules rules, Filters filters, long salt) {
        this(number, rules, filters, salt, LIST_BYTES);
    }

    /// @param listBytes the most memory that remembered key lists may take
    /// @param salt decides where keys go that someone chose to crowd; nothing else depends on it
    public Server(int number, Rules rules, Filters filters, long salt, long listBytes) {
        this.lists = new KeyLists(listBytes);
        this.filtering = new Filtering(filters);
        this.followers = new Followers(Followers.MOST, filtering);
        this.number = number;
        this.salt = salt;
        this.rules = rules;
    }

    @Override
    public void receive(Address from, Message message, long nowNanos, Outbox out) {
        switch (message) {
            case Message.Update update -> onUpdate(from, update, false, out);
            case Message.PushPull(Message.Update update) -> onUpdate(from, update, true, out);
            case Message.Change change -> onChange(from, change, out);
            case Message.Read read -> onRead(from, read, out);
            case Message.Unfollow unfollow -> onUnfollow(from, unfollow);
            case Message.Placed placed when from.equals(Address.COORDINATOR) -> onPlaced(placed.layout());
            case Message.Heartbeat _ -> onHeartbeat(from, out);
            default -> throw new IllegalArgumentException("a server was sent " + message);
        }
    }

    /// Who waits for an answer wants to know whether anybody is there.
    private void onHeartbeat(Address from, Outbox out) {
        if (from.role() == Address.Role.WORKER || from.role() == Address.Role.READER) {
            out.send(from, new Message.Heartbeat(layout.epoch(), 0, 0));
        }
    }

    /// How many rows it holds.
    public long size() {
        return owned.stream().mapToLong(Shard::size).sum();
    }

    /// Shows the weights of the rows that are here of one shard; nothing if the shard is elsewhere.
    public void forEach(int table, int shard, Visitor visitor) {
        if (shards[table] != null && shards[table][shard] != null) {
            shards[table][shard].forEach(visitor);
        }
    }

    /// The shards of a table that are here, ascending.
    public int[] shards(int table) {
        return IntStream.range(0, shards[table].length)
                .filter(shard -> shards[table][shard] != null)
                .toArray();
    }

    /// How many rows one shard has, which is here.
    public int size(int table, int shard) {
        return shards[table][shard].size();
    }

    /// Makes the row of a key, which is of a shard that is here, stand for `weight` as if that had been learned.
    public void start(int table, long key, float weight) {
        shards[table][layout.tables()[table].shardOf(key)].start(key, weight);
    }

    /// What it holds, and the memory that takes: rows with what their rules remember, the index that finds them, and
    /// remembered key lists.
    public Memory memory() {
        return new Memory(
                size(),
                owned.stream().mapToLong(Shard::rowBytes).sum(),
                owned.stream().mapToLong(Shard::indexBytes).sum(),
                lists.bytes());
    }

    public record Memory(long rows, long rowBytes, long indexBytes, long listBytes) {}

    /// How many keys got a row, were refused one, and lost it, in tables where that can be.
    public Upkept upkept() {
        Upkept all = new Upkept(0, 0, 0);
        for (Shard shard : owned) {
            Tending.Tally tally = shard.tally();
            all = tally == null
                    ? all
                    : new Upkept(
                            all.admitted + tally.admitted(),
                            all.refused + tally.refused(),
                            all.evicted + tally.evicted());
        }
        return all;
    }

    /// @param admitted keys that got a row
    /// @param refused  times that a key was in an update, had no row and got none
    /// @param evicted  rows that made room for others
    public record Upkept(long admitted, long refused, long evicted) {}

    /// Sees a key, and where the weights of its row are: `count` of them from `at` on, `step` apart.
    @FunctionalInterface
    public interface Visitor {
        void visit(long key, float[] entries, int at, int step, int count);
    }

    private void onPlaced(Layout placed) {
        if (placed.epoch() <= layout.epoch()) {
            return;
        }
        if (layout.epoch() == 0) {
            leases = new long[placed.streams()];
            clocks = new Clocks(placed.streams());
            pasts.add(new Applied(placed.streams()));
        }
        filtering.place(placed);
        // Who asked in an earlier epoch asks again in this one.
        held = new HeldReads(placed.streams());
        Shard[][] next = new Shard[placed.tables().length][];
        owned.clear();
        for (int t = 0; t < next.length; t++) {
            TableSpec table = placed.tables()[t];
            if (table == null) {
                lists.forget(t);
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

    /// A shard that begins now shares the past of those that are here: of updates that came before, it has missed
    /// nothing.
    private Shard made(TableSpec spec, int table, int shard) {
        return new Shard(spec, new Shard.Place(table, shard), rules, pasts.getFirst(), salt, lists);
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
        for (Applied past : pasts) {
            if (past.admits(stream, update.sequence(), update.clock())) {
                apply(parts, changed, past);
            }
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

    private void apply(Part[] parts, int[][] slots, Applied past) {
        for (int p = 0; p < parts.length; p++) {
            Shard shard = shardOf(parts[p]);
            if (shard.applied == past) {
                shard.update(parts[p], slots[p]);
            }
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
        for (Applied past : pasts) {
            if (past.admits(stream, change.sequence(), change.clock())) {
                apply(change, past);
            }
        }
        String refused = refusals.find(stream, change.sequence());
        out.send(
                from,
                refused == null
                        ? new Message.Applied(stream, change.sequence())
                        : new Message.Refused(false, stream, change.sequence(), refused));
        moved(stream, out);
    }

    private void apply(Message.Change change, Applied past) {
        try {
            ServerChange function = rules.change(change.function());
            for (Shard shard : owned) {
                if (shard.table == change.table() && shard.applied == past) {
                    shard.change(function, change.with());
                }
            }
        } catch (RuntimeException e) {
            refusals.put(change.stream(), change.sequence(), why(change.function(), e));
        }
    }

    /// Sets the clock of a stream after an update of it, and answers reads that waited for that.
    private void moved(int stream, Outbox out) {
        long reached = Long.MAX_VALUE;
        for (Applied past : pasts) {
            reached = Math.min(reached, past.clock(stream));
        }
        boolean rose = clocks.set(stream, reached);
        if (rose && !followers.isEmpty()) {
            followers.refresh(layout, shards, pasts.getFirst(), clocks.slowest(), out);
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

    /// What reached a shard by another way is not told by one number, so such rows are not followed.
    private long follow(Address from, Message.Pull pull) {
        return pull.stream() < 0 || pasts.size() > 1
                ? -1
                : followers.follow(from, pull, shards, resolve(pull.parts(), false));
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
            ServerFunction function = rules.function(compute.function());
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
        return "server " + number + " could not run " + function + ": "
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
                throw new IllegalArgumentException("server " + number + " was sent shard " + part.shard() + " of table "
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

    /// All updates of `stream` up to this number are applied in every shard here.
    private long upTo(int stream) {
        long least = Long.MAX_VALUE;
        for (int p = 0; stream >= 0 && p < pasts.size(); p++) {
            least = Math.min(least, pasts.get(p).upTo(stream));
        }
        return least;
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
