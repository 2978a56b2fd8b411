package tandem.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import tandem.wire.Keys;
import tandem.wire.Message;
import tandem.wire.Part;
import tandem.wire.Values;

/// A worker that keeps rows 1 and 2 of one server, read at clock 3.
class RowCacheTest {

    private final RowCache rows = new RowCache();

    RowCacheTest() {
        rows.limit(1 << 20);
        rows.put(0, new Part[] {part(null, 1, 2)}, _ -> Values.of(10f, 20f), told(3, 0, 0));
    }

    @Test
    void a_row_that_no_refresh_lists_is_good_for_its_clock() {
        refresh(1, 4, part(Values.of(11f), 1));
        refresh(2, 5);
        assertEquals(5, clock(1));
        assertEquals(5, clock(2));
        assertEquals(11, rows.find(0, 1).current()[0]);
    }

    private static RowCache.Told told(long slowest, long own, long refreshes, int... absent) {
        BitSet rows = new BitSet();
        Arrays.stream(absent).forEach(rows::set);
        return new RowCache.Told(slowest, own, refreshes, rows);
    }

    /// Rows are counted on from part to part, so number 2 is the first of the second part.
    @Test
    void a_row_that_is_not_there_to_be_followed_is_as_old_as_it_was_read_and_the_others_are_not() {
        Part[] parts = {part(null, 1, 2), part(null, 7, 8)};
        rows.put(0, parts, _ -> Values.of(10f, 20f), told(3, 0, 0, 2));
        refresh(1, 4);
        assertEquals(4, clock(1));
        assertEquals(3, clock(7));
        assertEquals(4, clock(8));
    }

    @Test
    void after_a_refresh_is_lost_rows_are_as_old_as_they_were_read() {
        refresh(2, 5);
        assertEquals(3, clock(1));
    }

    @Test
    void a_row_that_its_server_has_lost_is_never_good_for_a_later_clock() {
        refresh(1, 4, part(null, 2));
        refresh(2, 5);
        assertEquals(5, clock(1));
        assertEquals(3, clock(2));
    }

    @Test
    void a_row_that_was_lost_and_is_followed_anew_is_good_again() {
        refresh(1, 4, part(null, 2), part(Values.of(1f), 2));
        refresh(2, 5);
        assertEquals(5, clock(2));
        assertEquals(1, rows.find(0, 2).current()[0]);
    }

    @Test
    void a_refresh_that_comes_twice_or_late_changes_nothing() {
        refresh(1, 4, part(Values.of(11f), 1));
        read(4, 0, 1, 12f);
        refresh(1, 4, part(Values.of(11f), 1));
        assertEquals(12, rows.find(0, 1).current()[0]);
        refresh(2, 5);
        refresh(1, 4, part(Values.of(11f), 1));
        refresh(3, 6);
        assertEquals(12, rows.find(0, 1).current()[0]);
        assertEquals(6, clock(1));
        assertEquals(6, clock(2));
    }

    /// The values here have own updates in them that those of the refresh lack.
    @Test
    void a_refresh_that_lacks_own_updates_is_not_taken_and_the_row_is_as_old_as_it_was_read() {
        read(4, 7, 0, 12f);
        refresh(1, 5, part(Values.of(11f), 1));
        refresh(2, 6);
        assertEquals(12, rows.find(0, 1).current()[0]);
        assertEquals(4, clock(1));
        assertEquals(6, clock(2));
    }

    /// As when an answer overtakes a refresh that was sent before it.
    @Test
    void a_refresh_that_is_older_than_what_was_read_is_not_taken() {
        read(9, 0, 0, 12f);
        refresh(1, 5, part(Values.of(11f), 1));
        refresh(2, 6);
        assertEquals(12, rows.find(0, 1).current()[0]);
        assertEquals(9, clock(1));
    }

    /// A server of a new layout may count from the beginning: what the one before it sent says nothing about it.
    @Test
    void after_a_new_layout_refreshes_are_counted_anew() {
        refresh(1, 4);
        refresh(2, 5);
        rows.clear();
        read(6, 0, 0, 12f);
        refresh(1, 7);
        assertEquals(7, clock(1));
    }

    /// Row 1 has come, when the server had sent so many refreshes.
    private void read(long slowest, long own, long refreshes, float value) {
        rows.put(0, new Part[] {part(null, 1)}, _ -> Values.of(value), told(slowest, own, refreshes));
    }

    private long clock(long key) {
        return rows.clockOf(rows.find(0, key));
    }

    private void refresh(long number, long slowest, Part... parts) {
        rows.refresh(0, new Message.Refresh(1, number, slowest, 0, new long[0], parts), parts);
    }

    private static Part part(Values values, long... keys) {
        return new Part(0, 0, Keys.once(keys, keys.length), 0, keys.length, 1, values);
    }
}
