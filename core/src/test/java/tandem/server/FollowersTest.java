package tandem.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tandem.consistency.After;
import tandem.filter.Filters;
import tandem.wire.Address;
import tandem.wire.Age;
import tandem.wire.Figures;
import tandem.wire.Keys;
import tandem.wire.Layout;
import tandem.wire.Message;
import tandem.wire.Outbox;
import tandem.wire.Part;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// Two tables of one shard each, of which one has little memory, and workers that keep some of their rows.
class FollowersTest {

    private static final Address ONE = Address.worker(1);
    private static final Address TWO = Address.worker(2);
    private static final TableSpec ALL = TableSpec.sparse("all", 1).withShards(1);
    private static final TableSpec SOME =
            TableSpec.sparse("some", 1).withShards(1).withBudget(64 << 10);

    private final List<Message.Refresh> told = new ArrayList<>();
    private final Outbox out = new Outbox() {
        @Override
        public void send(Address to, Message message) {
            told.add((Message.Refresh) message);
        }

        @Override
        public void wakeAt(long nanos, long tag) {}
    };
    private final Applied applied = new Applied(3);
    private Layout layout;
    private Shard[][] shards;
    private Filtering filtering;
    private Followers followers;
    private long request;
    private final SplittableRandom chance = new SplittableRandom(7);

    private void open(long most, TableSpec... tables) {
        layout = new Layout(1, tables, new int[tables.length][1], 3);
        filtering = new Filtering(new Filters());
        filtering.place(layout);
        KeyLists lists = new KeyLists(1 << 20);
        shards = new Shard[tables.length][1];
        for (int table = 0; table < tables.length; table++) {
            shards[table][0] = new Shard(tables[table], new Shard.Place(table, 0), new Rules(), 5, lists);
        }
        followers = new Followers(most, filtering);
    }

    @Test
    void a_pull_that_does_not_fit_leaves_nothing_behind() {
        open(5, ALL, ALL);
        assertEquals(-1, follow(ONE, part(0, 1, 2, 3), part(1, 4, 5, 6)));
        assertTrue(followers.isEmpty());
        update(part(0, 1));
        followers.refresh(layout, shards, applied, 1, out);
        assertEquals(List.of(), told);
        assertEquals(0, follow(TWO, part(0, 1, 2, 3), part(1, 4, 5)));
    }

    @Test
    void a_pull_with_a_list_that_is_not_spelled_out_leaves_nothing_behind() {
        open(5, ALL, ALL);
        Part known = new Part(1, 0, Keys.repeated(new long[] {4}, 1), 0, 1, 1, null);
        shards[1][0].resolve(known, true);
        assertEquals(-1, follow(ONE, part(0, 1, 2, 3), known.bare()));
        assertTrue(followers.isEmpty());
    }

    @Test
    void a_row_that_is_asked_for_again_takes_no_more_room() {
        open(3, ALL);
        assertEquals(0, follow(ONE, part(0, 1, 2, 3)));
        assertEquals(0, follow(ONE, part(0, 1, 2, 3)));
        assertEquals(-1, follow(TWO, part(0, 1)));
        Part part = part(0, 1, 2, 3);
        followers.unfollow(ONE, request, part, shards[0][0], shards[0][0].resolve(part, false));
        assertTrue(followers.isEmpty());
    }

    @Test
    void rows_that_are_not_there_are_named_and_the_others_followed() {
        open(3, ALL, ALL);
        update(part(0, 1), part(1, 4), part(1, 6));
        Followers.Kept kept = followed(false, ONE, part(0, 1, 2), part(1, 4, 5, 6));
        assertEquals(0, kept.refreshes());
        assertEquals("{1, 3}", kept.absent().toString());
        update(part(1, 5, 6));
        followers.refresh(layout, shards, applied, 1, out);
        Message.Refresh refresh = (Message.Refresh) told.getLast();
        assertEquals(1, refresh.parts().length);
        assertEquals(1, refresh.parts()[0].count());
        assertEquals(6, refresh.parts()[0].key(0));
    }

    /// Of rows that are updated equally seldom those of the least keys go first, so all that the worker keeps do.
    @Test
    void rows_that_are_gone_are_told_of_once_and_not_counted_any_more() {
        long[] kept = LongStream.range(1, 11).toArray();
        open(kept.length, SOME);
        for (int round = 0; round < 20; round++) {
            update(part(0, kept));
            assertEquals(round, follow(ONE, part(0, kept)), "round " + round);
            evict(kept);
            told.clear();
            followers.refresh(layout, shards, applied, round, out);
            Part gone = told.getFirst().parts()[0];
            assertArrayEquals(kept, gone.keys().list());
            assertNull(gone.values());
            assertTrue(followers.isEmpty());
        }
    }

    @Test
    void what_is_told_is_packed_as_what_is_pulled() {
        open(10, ALL.withFilters(List.of(), List.of("delta", "bf16:nearest")));
        follow(ONE, part(0, 1, 2, 3));
        update(part(0, 1, 3));
        followers.refresh(layout, shards, applied, 1, out);
        Part part = told.getFirst().parts()[0];
        assertTrue(part.keys().isPacked());
        assertEquals(
                1 + 2 * 2, assertInstanceOf(Values.Packed.class, part.values()).bytes().length, 2);
        assertFalse(followers.isEmpty());
    }

    @Test
    void keys_of_rows_that_are_gone_travel_packed_too() {
        long[] kept = {1, 2, 3};
        open(10, SOME.withFilters(List.of(), List.of("delta")));
        update(part(0, kept));
        follow(ONE, part(0, kept));
        evict(kept);
        followers.refresh(layout, shards, applied, 1, out);
        Part gone = told.getFirst().parts()[0];
        assertNull(gone.values());
        assertTrue(gone.keys().isPacked());
    }

    /// Rounding by chance must not be the same in each refresh, or errors add up; nor the same as in a pull.
    @Test
    void every_refresh_is_rounded_by_a_chance_of_its_own() {
        open(100, ALL.withFilters(List.of(), List.of("fixed:1")));
        long[] keys = LongStream.range(0, 100).toArray();
        float[] values = new float[keys.length];
        for (int k = 0; k < values.length; k++) {
            values[k] = k / 7f;
        }
        Shard shard = shards[0][0];
        shard.update(part(0, keys).with(Values.of(values)), shard.resolve(part(0, keys), true), Age.UNKNOWN);
        follow(ONE, part(0, keys));
        for (int round = 1; round <= 2; round++) {
            shard.update(
                    part(0, keys).with(Values.of(new float[keys.length])),
                    shard.resolve(part(0, keys), true),
                    Age.UNKNOWN);
            followers.refresh(layout, shards, applied, round, out);
        }
        Part asked = part(0, keys);
        Values rows = shard.read(asked, shard.resolve(asked, false));
        Values pulled = filtering.packed(0, 1, asked, rows);
        List<Values> packed = List.of(
                pulled, told.get(0).parts()[0].values(), told.get(1).parts()[0].values());
        assertEquals(
                3,
                packed.stream()
                        .map(one -> Arrays.toString(((Values.Packed) one).bytes()))
                        .distinct()
                        .count());
    }

    @Test
    void a_function_may_have_changed_every_row() {
        open(10, ALL);
        follow(ONE, part(0, 1, 2, 3));
        shards[0][0].change((_, _) -> {}, Figures.NONE);
        followers.refresh(layout, shards, applied, 1, out);
        assertArrayEquals(
                new long[] {1, 2, 3}, told.getFirst().parts()[0].keys().list());
    }

    @Test
    void a_new_layout_is_a_gap_in_the_count() {
        open(10, ALL);
        assertEquals(0, follow(ONE, part(0, 1)));
        followers.clear(List.of(shards[0][0]));
        assertTrue(followers.isEmpty());
        assertEquals(1, follow(ONE, part(0, 1)));
    }

    /// Has others take the room of rows.
    private void evict(long... kept) {
        while (LongStream.of(kept).anyMatch(key -> shards[0][0].resolve(part(0, key), false)[0] >= 0)) {
            long[] others = chance.longs(100).map(key -> key >>> 1 | 1L << 60).toArray();
            update(part(0, LongStream.of(others).sorted().distinct().toArray()));
        }
    }

    private long follow(Address who, Part... parts) {
        return followed(true, who, parts).refreshes();
    }

    /// @param make whether rows are made that are not there
    private Followers.Kept followed(boolean make, Address who, Part... parts) {
        Message.Pull pull = new Message.Pull(1, ++request, 0, After.NOTHING, true, parts);
        int[][] slots = new int[parts.length][];
        for (int p = 0; p < parts.length; p++) {
            slots[p] = shards[parts[p].table()][0].resolve(parts[p], make);
        }
        return followers.follow(who, pull, shards, slots);
    }

    private void update(Part... parts) {
        for (Part part : parts) {
            float[] ones = new float[part.count()];
            Arrays.fill(ones, 1);
            Shard shard = shards[part.table()][0];
            shard.update(part.with(Values.of(ones)), shard.resolve(part, true), Age.UNKNOWN);
        }
    }

    private static Part part(int table, long... keys) {
        return new Part(table, 0, Keys.once(keys, keys.length), 0, keys.length, 1, null);
    }
}
