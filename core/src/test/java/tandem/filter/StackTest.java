package tandem.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.wire.Keys;
import tandem.wire.Part;
import tandem.wire.ProtocolError;
import tandem.wire.TableSpec;
import tandem.wire.Values;

class StackTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "keycahe | no filter is called keycahe; there are bf16, delta, fixed, fp16, keycache, lz4",
                "fixed:9 | use 1 to 3, or 0",
                "fixed:two | fixed was given two, which is not a whole number",
                "skip | skip needs a number, such as skip:0.1",
                "skip:1 | use 0 to less than 1",
                "significant:-1 | use a number from 0 on",
                "lz4:3 | lz4 has nothing to set",
                "zstd:99 | use 1 (fastest) to 19",
                "bf16:up | there are bf16:stochastic, bf16:nearest, bf16:exact",
                "lz4,fixed:2 | fixed comes after lz4",
                "fixed:2,skip:0.1 | skip comes after fixed",
                "fixed:2,runs | fixed leaves nothing for runs",
                "fp16,bf16 | fp16 leaves nothing for bf16",
                "keycache,keycache | both say how keys travel",
                "pull=skip:0.1 | skip is for what is pushed",
                "both=lz4 | write push=lz4 or pull=lz4",
                "keycache, | no filter is called"
            })
    void a_line_that_cannot_be_says_what_is_wrong_with_it(String line, String message) {
        var refused = assertThrows(IllegalArgumentException.class, () -> new Filters().parse(line));
        assertTrue(refused.getMessage().contains(message), refused::getMessage);
    }

    @Test
    void filters_are_for_both_directions_where_they_can_be() {
        Filters.Both both = new Filters().parse("keycache,skip:0.1,push=fixed:1,pull=bf16,lz4");
        assertEquals(List.of("keycache", "skip:0.1", "fixed:1", "lz4"), both.push());
        assertEquals(List.of("keycache", "bf16", "lz4"), both.pull());
        assertEquals(List.of(), new Filters().parse("none").push());
    }

    /// 0.4 + 0.4 is enough for a threshold of 0.6, 0.2 is not, and comes at the end.
    @Test
    void small_changes_wait_until_they_are_large_enough_and_come_in_the_end() {
        Stack stack = Sent.stack("significant:0.6", new Tally());
        Rows first = chosen(stack, 1, 0.4f, 2f, 0.2f);
        assertTrue(first.isLeftOut(0) && !first.isLeftOut(1) && first.isLeftOut(2));
        Rows second = chosen(stack, 1, 0.4f, 0f, 0f);
        assertEquals(0.8f, second.at(0, 0));
        assertTrue(!second.isLeftOut(0) && second.isLeftOut(1) && second.isLeftOut(2));
        Rows rest = stack.rest();
        assertEquals(1, rest.count());
        assertEquals(12, rest.key(0));
        assertEquals(0.2f, rest.at(0, 0));
        assertNull(stack.rest());
    }

    @Test
    void what_counts_as_small_shrinks_with_the_clock() {
        Stack stack = Sent.stack("significant:0.6", new Tally());
        assertTrue(chosen(stack, 1, 0.4f).isLeftOut(0));
        assertTrue(!chosen(stack, 2, 0f).isLeftOut(0));
    }

    @Test
    void nothing_that_was_held_back_is_lost_over_many_keys() {
        SplittableRandom chance = new SplittableRandom(4);
        Stack stack = Sent.stack("significant:5", new Tally());
        double[] sent = new double[3000];
        double[] pushed = new double[3000];
        for (int round = 0; round < 200; round++) {
            long[] keys = chance.longs(50, 0, 3000).sorted().distinct().toArray();
            float[] values = new float[keys.length];
            for (int k = 0; k < keys.length; k++) {
                values[k] = chance.nextInt(-2, 3);
                pushed[(int) keys[k]] += values[k];
            }
            Rows rows = new Rows(Keys.once(keys, keys.length), 1, Values.of(values));
            add(stack.choose(rows, stack.moment(0, round, 0, 0)), sent);
        }
        add(stack.rest(), sent);
        assertArrayEquals(pushed, sent);
    }

    private static void add(Rows rows, double[] sums) {
        for (int row = 0; row < rows.count(); row++) {
            sums[(int) rows.key(row)] += rows.isLeftOut(row) ? 0 : rows.at(row, 0);
        }
    }

    @Test
    void a_solver_says_which_rows_are_settled() {
        Filters filters = new Filters().with("kkt", _ -> new Settled((rows, row) -> rows.key(row) == 11));
        Stack stack = filters.stack(List.of("kkt"), Direction.PUSH, new Tally());
        Rows rows = chosen(stack, 1, 1f, 2f, 3f);
        assertTrue(!rows.isLeftOut(0) && rows.isLeftOut(1) && !rows.isLeftOut(2));
    }

    @Test
    void a_real_nan_is_not_taken_for_a_row_left_out() {
        Sent sent = Sent.through("significant:1,runs", Values.of(Float.NaN, 0.5f, 7f), 1, 1);
        assertArrayEquals(new double[] {Double.NaN, 0, 7}, sent.arrived());
        assertArrayEquals(new boolean[] {false, true, false}, sent.leftOut());
    }

    @Test
    void close_keys_take_a_byte_each_and_far_ones_come_back_too() {
        long[] close = new long[1000];
        for (int k = 0; k < close.length; k++) {
            close[k] = 1_000_000 + 3L * k;
        }
        assertEquals(1002, packed(close).length);
        assertArrayEquals(close, new DeltaKeys().unpack(packed(close), close.length));
        long[] far = {0, 1, 127, 128, Long.MAX_VALUE, Long.MIN_VALUE, -2, -1};
        assertArrayEquals(far, new DeltaKeys().unpack(packed(far), far.length));
        assertArrayEquals(new long[0], new DeltaKeys().unpack(packed(new long[0]), 0));
    }

    /// A count of 64 bits would be below 0 as a signed number; a run goes on beyond the three places there are; a byte
    /// is left over.
    @Test
    void packed_values_of_counts_that_cannot_be_are_refused() {
        assertValuesRefused(-1);
        assertValuesRefused(4);
        assertValuesRefused(3, 2, 0, 4);
        assertValuesRefused(3, 2, 0, Integer.MAX_VALUE);
        assertValuesRefused(3, 2, 0, -1);
        assertValuesRefused(0, 0, 7);
    }

    /// Three numbers as multiples: of a form that is none, up to a number that cannot be, or where nothing makes any.
    @Test
    void multiples_that_cannot_be_are_refused() {
        byte[] multiples = {1, 0, -1};
        assertArrayEquals(
                new double[] {1, 0, -1},
                Sent.numbers(multiples("fixed:1", 1, 127, multiples).values()));
        assertThrows(ProtocolError.class, () -> multiples("fixed:1", 2, 127, multiples));
        assertThrows(ProtocolError.class, () -> multiples("fixed:1", 1, Double.POSITIVE_INFINITY, multiples));
        assertThrows(ProtocolError.class, () -> multiples("fixed:1", 1, Double.NaN));
        assertThrows(ProtocolError.class, () -> multiples("fixed:1", 1, -1));
        assertThrows(ProtocolError.class, () -> multiples("fixed:0", 1, 127, new byte[9]));
    }

    private static Stack.Unpacked multiples(String filter, int form, double largest, byte... multiples) {
        Output out = new Output(64);
        out.varint(3);
        out.int8(form);
        out.float64(largest);
        out.bytes(multiples);
        return Sent.stack(filter, new Tally()).unpack(new Values.Packed(out.toBytes()), 3, 3, true);
    }

    @Test
    void rows_of_other_lengths_than_their_numbers_are_refused() {
        TableSpec table = TableSpec.sparse("rows", 3).withVariableRows();
        Output out = new Output(64);
        out.int8(0); // not squeezed
        out.varint(2); // two numbers in the first row, and one in the second
        out.varint(1);
        out.varint(2); // two in all
        out.bytes(new byte[2 * Float.BYTES]);
        Stack stack = Sent.stack("lz4", new Tally());
        assertThrows(ProtocolError.class, () -> stack.unpack(new Values.Packed(out.toBytes()), 2, table));
    }

    /// Four rows of 2³⁰ numbers each: as many as none, if they are counted in 32 bits.
    @Test
    void more_numbers_than_can_be_counted_are_refused() {
        TableSpec table = TableSpec.sparse("rows", 1 << 30);
        Output out = new Output(64);
        out.int8(0); // not squeezed
        out.varint(0);
        Values.Packed none = new Values.Packed(out.toBytes());
        Stack stack = Sent.stack("lz4", new Tally());
        assertThrows(ProtocolError.class, () -> stack.unpack(none, 4, table));
        Output ragged = new Output(64);
        ragged.int8(0);
        for (int row = 0; row < 4; row++) {
            ragged.varint(1 << 30);
        }
        ragged.varint(0);
        Values.Packed rows = new Values.Packed(ragged.toBytes());
        assertThrows(ProtocolError.class, () -> stack.unpack(rows, 4, table.withVariableRows()));
    }

    @Test
    void a_few_bytes_take_no_room_for_the_many_numbers_they_announce() {
        int many = 1 << 25;
        Output out = new Output(16);
        out.varint(0); // not squeezed
        out.varint(many);
        Values.Packed values = new Values.Packed(out.toBytes());
        Output squeezed = new Output(16);
        squeezed.varint(1);
        squeezed.varint(many);
        TableSpec ragged = TableSpec.sparse("t", 1).withVariableRows();
        Stack stack = Sent.stack("lz4", new Tally());
        long before = allocated();
        assertThrows(ProtocolError.class, () -> new DeltaKeys().unpack(new byte[5], many));
        assertThrows(ProtocolError.class, () -> stack.unpack(values, many, many, false));
        assertThrows(ProtocolError.class, () -> stack.unpack(values, many, ragged));
        assertThrows(ProtocolError.class, () -> stack.unpack(new Values.Packed(squeezed.toBytes()), 3, 3, false));
        assertTrue(allocated() - before < 10_000_000, "allocated " + (allocated() - before));
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
    }

    /// Three numbers packed by `runs`: how many there are, that lengths of runs follow, and those.
    private static void assertValuesRefused(long... numbers) {
        Output out = new Output(64);
        for (long number : numbers) {
            out.varint(number);
        }
        Stack stack = Sent.stack("runs", new Tally());
        assertThrows(ProtocolError.class, () -> stack.unpack(new Values.Packed(out.toBytes()), 3, 3, false));
    }

    @Test
    void packed_keys_that_cannot_be_are_refused() {
        long[] keys = {5, Long.MIN_VALUE, -1};
        byte[] good = packed(keys);
        assertThrows(ProtocolError.class, () -> new DeltaKeys().unpack(good, 2));
        assertThrows(ProtocolError.class, () -> new DeltaKeys().unpack(good, 4));
        assertThrows(ProtocolError.class, () -> new DeltaKeys().unpack(new byte[5], 1 << 25));
        assertThrows(ProtocolError.class, () -> new DeltaKeys().unpack(packed(new long[] {-1, 3}), 2));
        assertThrows(
                ProtocolError.class,
                () -> new DeltaKeys().unpack(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1, -1, 2}, 1));
        Stack none = Sent.stack("lz4", new Tally());
        Part part = new Part(0, 0, Keys.packed(good, 3, null), 0, 3, 1, null);
        assertThrows(ProtocolError.class, () -> none.listed(part));
    }

    @Test
    void keys_are_counted_by_the_filter_that_spares_them() {
        Tally tally = new Tally();
        Stack stack = Sent.stack("keycache,delta", tally);
        Part part = new Part(0, 0, Keys.repeated(new long[] {1, 2, 300}, 3), 1, 3, 1, null);
        Part full = stack.keyed(part, false);
        Tally other = new Tally();
        Part listed = Sent.stack("keycache,delta", other).listed(full);
        assertEquals(2, listed.count());
        assertEquals(300, listed.key(1));
        assertEquals(new Tally.Bytes(16, 3), other.byName().get("delta"));
        assertTrue(stack.keyed(part, true).keys().isBare());
        assertEquals(new Tally.Bytes(32, 16 + 16 + 16), tally.byName().get("keycache"));
        assertEquals(new Tally.Bytes(16, 3), tally.byName().get("delta"));
    }

    private static byte[] packed(long[] keys) {
        return new DeltaKeys().pack(keys, 0, keys.length);
    }

    private static Rows chosen(Stack stack, long clock, float... values) {
        Rows rows = new Rows(Keys.range(10, values.length), 1, Values.of(values));
        return stack.choose(rows, stack.moment(0, 1, 0, clock));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lz4", "zstd", "runs", "fixed:0", "fp16:exact"})
    void rows_of_lengths_of_their_own_keep_them(String filter) {
        TableSpec table = TableSpec.sparse("rows", 3).withVariableRows().withFilters(List.of(filter), List.of());
        Values.Ragged rows = Values.Ragged.packed(new float[] {1, 2, 3, 0, 5}, 1, 0, 3, 1);
        Stack stack = Sent.stack(filter, new Tally());
        Values.Packed packed = stack.pack(rows, 4, null, stack.moment(0, 0, 0, 0), 0);
        Values.Ragged back = (Values.Ragged) stack.unpack(packed, 4, table).values();
        assertArrayEquals(rows.array(), back.array());
        assertArrayEquals(rows.lengths(), back.lengths());
        assertThrows(ProtocolError.class, () -> stack.unpack(packed, 3, table));
        assertThrows(ProtocolError.class, () -> stack.unpack(packed, 5, table));
        TableSpec narrow = TableSpec.sparse("rows", 2).withVariableRows();
        assertThrows(ProtocolError.class, () -> stack.unpack(packed, 4, narrow));
    }
}
