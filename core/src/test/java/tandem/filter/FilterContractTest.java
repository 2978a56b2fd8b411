package tandem.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.wire.ProtocolError;
import tandem.wire.Values;

/// What every filter of values keeps to, whatever the numbers. A new one adds a line to [Kept].
class FilterContractTest {

    /// A filter, the setting under which it changes nothing, and how far off a number may be otherwise.
    enum Kept {
        SKIP("skip:0", "skip:0.3", Promise.UNBIASED_ROWS),
        SIGNIFICANT("significant:0", "significant:0.5", Promise.LATER),
        RUNS("runs", "runs", Promise.SAME),
        FIXED_1("fixed:0", "fixed:1", new Promise.Off(1.0 / 127, 0, true)),
        FIXED_2("fixed:0", "fixed:2", new Promise.Off(1.0 / 32767, 0, true)),
        FIXED_3("fixed:0", "fixed:3", new Promise.Off(1.0 / 8388607, 0, true)),
        FP16("fp16:exact", "fp16", new Promise.Off(0, 0x1p-10, true)),
        FP16_NEAREST("fp16:exact", "fp16:nearest", new Promise.Off(0, 0x1p-11, false)),
        BF16("bf16:exact", "bf16:stochastic", new Promise.Off(0, 0x1p-7, true)),
        BF16_NEAREST("bf16:exact", "bf16:nearest", new Promise.Off(0, 0x1p-8, false)),
        LZ4("lz4", "lz4", Promise.SAME),
        ZSTD("zstd", "zstd:3", Promise.SAME);

        private final String neutral;
        private final String set;
        private final Promise promise;

        Kept(String neutral, String set, Promise promise) {
            this.neutral = neutral;
            this.set = set;
            this.promise = promise;
        }
    }

    /// What arrives, compared with what was sent.
    sealed interface Promise {

        Promise SAME = new Same();
        Promise LATER = new Later();
        Promise UNBIASED_ROWS = new UnbiasedRows();

        /// The same bits.
        record Same() implements Promise {}

        /// Rows are the same, or come later.
        record Later() implements Promise {}

        /// Rows are left out or scaled, and right on average.
        record UnbiasedRows() implements Promise {}

        /// A number is off by at most a share of the largest one, or of itself (or the least of the format).
        record Off(double ofLargest, double ofItself, boolean unbiased) implements Promise {}
    }

    @ParameterizedTest
    @EnumSource
    void at_its_neutral_setting_it_is_the_identity(Kept filter) {
        for (Values values : Sent.samples()) {
            for (int width : new int[] {1, 3}) {
                Sent sent = Sent.through(filter.neutral, values, width, 1);
                assertSame(Sent.numbers(values), sent.arrived());
                assertTrue(none(sent.leftOut()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void what_arrives_is_as_near_as_it_says(Kept filter) {
        for (Values values : Sent.samples()) {
            double[] before = Sent.numbers(values);
            Sent sent = Sent.through(filter.set, values, 3, 1);
            for (int i = 0; i < before.length; i++) {
                assertKept(filter, before, i, sent);
            }
            assertArrayEquals(before, Sent.numbers(values), "what was given has changed");
        }
    }

    private static void assertKept(Kept filter, double[] before, int i, Sent sent) {
        double was = before[i];
        double is = sent.arrived()[i];
        String where = filter + ": " + was + " became " + is;
        switch (filter.promise) {
            case Promise.Same _ -> assertEquals(Double.doubleToLongBits(was), Double.doubleToLongBits(is), where);
            case Promise.Later _ -> assertTrue(sent.leftOut()[i / 3] || Double.compare(was, is) == 0, where);
            case Promise.UnbiasedRows _ ->
                assertTrue(
                        sent.leftOut()[i / 3] || is == was / 0.7 || Double.compare(is, (float) (was / 0.7)) == 0,
                        where);
            case Promise.Off(double ofLargest, double ofItself, var _) -> {
                double largest = Arrays.stream(before).map(Math::abs).max().orElse(0);
                double step = Double.isFinite(largest) ? largest * ofLargest : 0;
                assertTrue(
                        near(was, is, step + Math.abs(was) * (ofItself + 1e-7) + (ofItself > 0 ? 0x1p-24 : 0)), where);
            }
        }
    }

    private static boolean near(double was, double is, double off) {
        return Double.compare(was, is) == 0 || was == is || Math.abs(was - is) <= off;
    }

    @ParameterizedTest
    @EnumSource
    void over_many_requests_it_is_right_on_average_if_it_says_so(Kept filter) {
        boolean unbiased = filter.promise instanceof Promise.UnbiasedRows
                || filter.promise instanceof Promise.Off(var _, var _, boolean says) && says;
        if (!unbiased) {
            return;
        }
        // Fractions of a step near 0, a half and 1, where a fair coin would be off by nearly half a step.
        double[] numbers = {1, 0.1000, 0.1039, 0.10785, -0.10785, 0.3333333, -0.99, 1.0 / 3000, 0.2001, 0, 0.7777, 0.5};
        int requests = 20_000;
        double[] sums = new double[numbers.length];
        double[] squares = new double[numbers.length];
        for (int request = 1; request <= requests; request++) {
            double[] arrived =
                    Sent.through(filter.set, Values.of(numbers), 1, request).arrived();
            for (int i = 0; i < numbers.length; i++) {
                sums[i] += arrived[i];
                squares[i] += (arrived[i] - numbers[i]) * (arrived[i] - numbers[i]);
            }
        }
        for (int i = 0; i < numbers.length; i++) {
            double error = Math.sqrt(squares[i]) / requests;
            int at = i;
            assertEquals(numbers[i], sums[i] / requests, 4.5 * error + 1e-9, () -> filter + " of " + numbers[at]);
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_same_request_has_the_same_bytes_and_another_one_its_own_chance(Kept filter) {
        Values values = Values.of(new SplittableRandom(2).doubles(300, -1, 1).toArray());
        Sent once = Sent.through(filter.set, values, 3, 5);
        assertArrayEquals(once.packed(), Sent.through(filter.set, values, 3, 5).packed());
        boolean chancy = filter.promise instanceof Promise.UnbiasedRows
                || filter.promise instanceof Promise.Off(var _, var _, boolean says) && says;
        assertEquals(
                !chancy,
                Arrays.equals(
                        once.packed(), Sent.through(filter.set, values, 3, 6).packed()));
    }

    @ParameterizedTest
    @EnumSource
    void bytes_are_counted_the_same_on_both_ends_and_add_up(Kept filter) {
        for (Values values : Sent.samples()) {
            for (String filters : new String[] {filter.set, filter.neutral}) {
                Sent sent = Sent.through(filters, values, 3, 1);
                assertEquals(sent.counted(), sent.recounted());
                long plain = Entries.of(values).bytes();
                long head = varint(Entries.of(values).count());
                long saved = sent.counted().values().stream()
                        .mapToLong(bytes -> bytes.before() - bytes.after())
                        .sum();
                assertEquals(plain + head - saved, sent.packed().length, filters);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void it_never_costs_more_than_a_few_bytes(Kept filter) {
        for (Values values : Sent.samples()) {
            Entries entries = Entries.of(values);
            long most = entries.bytes() + entries.count() / 8 + 16;
            assertTrue(Sent.through(filter.set, values, 3, 1).packed().length <= most, filter::toString);
        }
    }

    @ParameterizedTest
    @EnumSource
    void strange_bytes_are_refused(Kept filter) {
        SplittableRandom chance = new SplittableRandom(9);
        Values values =
                Values.of(chance.doubles(60, -1, 1).map(v -> v < 0 ? 0 : v).toArray());
        byte[] good = Sent.through(filter.set, values, 3, 1).packed();
        Stack stack = Sent.stack(filter.set, new Tally());
        for (int round = 0; round < 3000; round++) {
            byte[] bad = round % 2 == 0 ? Arrays.copyOf(good, chance.nextInt(good.length)) : good.clone();
            for (int flips = round % 2 * (1 + chance.nextInt(4)); flips > 0; flips--) {
                bad[chance.nextInt(Math.min(bad.length, 40))] ^= (byte) (1 << chance.nextInt(8));
            }
            try {
                Stack.Unpacked read = stack.unpack(new Values.Packed(bad), 20, 60, true);
                assertTrue(read.count() <= 60 && read.leftOut().length() <= 20);
            } catch (ProtocolError refused) {
                // As it should be.
            }
        }
        assertThrows(ProtocolError.class, () -> stack.unpack(new Values.Packed(good), 19, 57, true));
        assertThrows(ProtocolError.class, () -> stack.unpack(new Values.Packed(new byte[0]), 20, 60, true));
    }

    /// Every two filters that may stand together, and some more.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "skip:0.3,runs,fixed:1,lz4,zstd",
                "significant:0.5,runs,bf16,zstd",
                "runs,fp16,lz4",
                "skip:0.5,runs",
                "runs,lz4,lz4",
                "keycache,delta,runs,fixed:3"
            })
    void stacks_count_and_restore_like_one_filter(String filters) {
        for (Values values : Sent.samples()) {
            Sent sent = Sent.through(filters, values, 3, 1);
            assertEquals(sent.counted(), sent.recounted());
            assertArrayEquals(sent.packed(), Sent.through(filters, values, 3, 1).packed());
            assertEquals(Entries.of(values).count(), sent.arrived().length);
        }
    }

    private static int varint(int value) {
        Output out = new Output(8);
        out.varint(value);
        return out.size();
    }

    private static boolean none(boolean[] all) {
        for (boolean one : all) {
            if (one) {
                return false;
            }
        }
        return true;
    }

    private static void assertSame(double[] expected, double[] actual) {
        assertEquals(expected.length, actual.length);
        for (int i = 0; i < expected.length; i++) {
            assertEquals(Double.doubleToLongBits(expected[i]), Double.doubleToLongBits(actual[i]));
        }
    }
}
