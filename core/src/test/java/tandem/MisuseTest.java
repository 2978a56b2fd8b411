package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.client.Call;
import tandem.client.Rationed;
import tandem.client.Session;
import tandem.client.SharedRows;
import tandem.client.Slice;
import tandem.server.RowRule;
import tandem.wire.Figures;
import tandem.wire.Keys;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// What does not fit its table is refused where it is asked for, in the same words in all runtimes, and nothing of it
/// is sent.
@Timeout(60)
class MisuseTest {

    private static final int WORDS = 0;
    private static final int GRID = 1;
    private static final int EXACT = 2;
    private static final int LISTS = 3;

    private static final TableSpec[] TABLES = {
        TableSpec.sparse("words", 1),
        TableSpec.dense("grid", 10, 2),
        TableSpec.dense("exact", 4, 1).withDoubles(),
        TableSpec.sparse("lists", 3).withVariableRows().withRule("whole")
    };

    /// Rows that are as long as they can be.
    private record Whole() implements RowRule {

        @Override
        public int columns() {
            return 1;
        }

        @Override
        public int update(float[] row, int at, int length, float[] gradients, int from, int count) {
            return length;
        }
    }

    /// Something that nobody should ask for, and what is said to it.
    private record Misuse(String said, Slice... slices) {}

    private static Keys keys(long... list) {
        return Keys.once(list, list.length);
    }

    private static Keys again(long... list) {
        return Keys.repeated(list, list.length);
    }

    /// Wrong both for reading and for writing.
    private static final List<Misuse> MISUSES = List.of(
            new Misuse(
                    "there is no table 7 in epoch 1; it was dropped, or the number is wrong: there are 0 words,"
                            + " 1 grid, 2 exact, 3 lists",
                    new Slice(7, keys(1), new float[1])),
            new Misuse("there is no table -1", new Slice(-1, keys(1), new float[1])),
            new Misuse(
                    "table exact is number 2 and came after number 2; give slices in the order of their tables, one"
                            + " each",
                    new Slice(EXACT, keys(1), new double[1]),
                    new Slice(EXACT, keys(2), new double[1])),
            new Misuse(
                    "table words is number 0 and came after number 2; give slices in the order of their tables, one"
                            + " each",
                    new Slice(EXACT, keys(1), new double[1]),
                    new Slice(WORDS, keys(2), new float[1])),
            new Misuse(
                    "table words holds floats and was given doubles; use float[]",
                    new Slice(WORDS, keys(1), new double[1])),
            new Misuse(
                    "table exact holds doubles and was given floats; use double[]",
                    new Slice(EXACT, keys(1), new float[1])),
            new Misuse(
                    "table lists has rows of lengths of their own and was given floats; use Values.Ragged",
                    new Slice(LISTS, keys(1), new float[3])),
            new Misuse(
                    "table words holds floats and was given rows of lengths of their own; use float[]",
                    new Slice(WORDS, keys(1), Values.Ragged.room(1, 1))),
            new Misuse(
                    "table lists was given 2 rows for 1 keys; give one for each",
                    new Slice(LISTS, keys(1), Values.Ragged.room(2, 3))),
            new Misuse(
                    "table words was given key 1 after 5, at position 1; sort keys as unsigned numbers"
                            + " (Long.compareUnsigned)",
                    new Slice(WORDS, keys(5, 1), new float[2])),
            new Misuse(
                    "table words was given key 1 after 18446744073709551615, at position 1; sort",
                    new Slice(WORDS, again(-1, 1, 1L << 62, 3), new float[4])),
            new Misuse(
                    "table words was given key 5 twice, at positions 1 and 2; give each key once",
                    new Slice(WORDS, again(3, 5, 5), new float[3])),
            new Misuse(
                    "table words is sparse and was given a range of 3 keys from 5 on; ranges are for dense tables",
                    new Slice(WORDS, Keys.range(5, 3), new float[3])),
            new Misuse(
                    "table words was given 3 keys in a list of 2; the count is at most the length of the list",
                    new Slice(WORDS, Keys.once(new long[2], 3), new float[3])),
            new Misuse(
                    "table words was given keys without their list; make them by Keys.repeated or Keys.once",
                    new Slice(WORDS, again(1, 2).bare(), new float[2])),
            new Misuse(
                    "table grid has rows 0 until 10 and was given key 16; give keys below 10, or make the table sparse",
                    new Slice(GRID, keys(3, 16, 20), new float[6])),
            new Misuse(
                    "table grid has rows 0 until 10 and was given key 18446744073709551615; give",
                    new Slice(GRID, keys(-1), new float[2])),
            new Misuse(
                    "table grid has rows 0 until 10 and was given key 10; give",
                    new Slice(GRID, Keys.range(8, 3), new float[6])),
            new Misuse(
                    "table grid has rows 0 until 10 and was given key 12; give",
                    new Slice(GRID, Keys.range(12, 1), new float[2])),
            new Misuse(
                    "table grid was given 3 numbers for 2 rows of 2; give 4",
                    new Slice(GRID, keys(1, 2), new float[3])),
            new Misuse(
                    "table grid was given 5 numbers for 2 rows of 2; give 4, or a piece of the array (Values.piece)",
                    new Slice(GRID, Keys.range(1, 2), new float[5])));

    private static void refused(String said, Executable asked) {
        String message =
                assertThrows(IllegalArgumentException.class, asked, said).getMessage();
        assertEquals(said, message.substring(0, Math.min(said.length(), message.length())));
    }

    static List<ClusterTest.Way> ways() {
        return ClusterTest.WAYS;
    }

    private static Cluster cluster() {
        return Cluster.embedded(2, 2, TABLES)
                .withRules(rules -> rules.withRows("whole", _ -> new Whole()))
                .withSilence(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void what_does_not_fit_its_table_is_refused_and_the_worker_goes_on(ClusterTest.Way way) {
        float[] grid = way.in()
                .apply(cluster())
                .run(
                        worker -> {
                            Session session = worker.session();
                            for (Misuse misuse : MISUSES) {
                                refused(misuse.said, () -> worker.push(misuse.slices));
                                refused(misuse.said, () -> worker.pull(misuse.slices));
                                refused(misuse.said, () -> session.read(misuse.slices));
                            }
                            assertEquals(0, session.sent(worker.number()));
                            worker.push(new Slice(GRID, keys(1, 9), new float[] {1, 2, 3, 4}));
                            worker.await(worker.pull(new Slice(GRID, Keys.range(0, 10), new float[20])));
                        },
                        session -> {
                            float[] rows = new float[4];
                            session.read(new Slice(GRID, keys(1, 9), rows));
                            return rows;
                        });
        assertArrayEquals(new float[] {2, 4, 6, 8}, grid);
    }

    @Test
    void rows_that_come_back_need_a_place_that_fits() {
        cluster().run(worker -> {
            Session session = worker.session();
            Slice slice = new Slice(GRID, keys(1, 2), new float[4]);
            refused(
                    "table grid was given 2 numbers for 2 rows of 2; give 4",
                    () -> session.pushPull(worker.number(), 1, slice, Values.of(new float[2])));
            refused(
                    "table grid holds floats and was given doubles; use float[]",
                    () -> session.pushPull(worker.number(), 1, slice, Values.of(new double[4])));
            refused(
                    "table lists has rows of up to 3 numbers and was given room for 2; use Values.Ragged.room",
                    () -> worker.pull(new Slice(LISTS, keys(1, 2), Values.Ragged.room(2, 2))));
            refused(
                    "table lists was given a row of 4; its rows have up to 3 numbers",
                    () -> worker.push(new Slice(LISTS, keys(1), Values.Ragged.packed(new float[4], 4))));
            refused(
                    "table lists was given a row of 3 numbers from 0 on in an array of 2; make the array longer",
                    () -> worker.push(new Slice(LISTS, keys(1), Values.Ragged.packed(new float[2], 3))));
            worker.await(worker.pull(new Slice(LISTS, keys(1, 2), Values.Ragged.room(2, 3))));
            assertEquals(0, session.sent(worker.number()));
        });
    }

    @Test
    void shared_rows_refuse_the_same() {
        cluster().run(worker -> {
            SharedRows rows = worker.rows();
            refused("there is no table 9", () -> rows.get(9, 1));
            refused("there is no table 9", () -> rows.inc(9, 1, 1));
            refused("table grid has rows 0 until 10 and was given key 10", () -> rows.get(GRID, 3, 10));
            refused("table grid has rows 0 until 10 and was given key 10", () -> rows.inc(GRID, 10, 1, 1));
            refused("table grid was given an increment of 1 numbers for a row of 2", () -> rows.inc(GRID, 1, 1));
            refused("table lists has rows of lengths of their own, which are not kept", () -> rows.get(LISTS, 1));
            for (Misuse misuse : MISUSES) {
                refused(misuse.said, () -> rows.update(1, misuse.slices));
            }
            rows.clock();
            assertEquals(1, rows.clocks());
        });
    }

    @Test
    void updates_within_a_budget_are_refused_before_they_are_kept() {
        cluster().run(worker -> {
            Rationed rationed = new Rationed(worker.session(), worker.number(), 1e6, Rationed.RELATIVE);
            for (Misuse misuse : MISUSES) {
                refused(misuse.said, () -> rationed.update(1, misuse.slices, misuse.slices));
            }
            assertEquals(0, rationed.kept());
        });
    }

    @Test
    void functions_are_of_tables_that_there_are() {
        cluster().run(worker -> {
            Call call = new Call(9, "fill", Figures.NONE);
            refused("there is no table 9", () -> worker.session().change(worker.number(), 1, call));
            refused("there is no table 9", () -> worker.session().compute(call, (one, _) -> one));
        });
    }

    @Test
    void a_list_that_was_found_in_order_is_not_looked_through_again() {
        cluster().run(worker -> {
            long[] list = {1, 2, 3};
            Keys keys = Keys.repeated(list, 3);
            worker.await(worker.push(new Slice(WORDS, keys, new float[3])));
            list[0] = 9; // nobody should; a second look would find it
            worker.await(worker.push(new Slice(WORDS, keys, new float[3])));
            refused(
                    "table words was given key 2 after 9",
                    () -> worker.push(new Slice(WORDS, keys(list), new float[3])));
        });
    }
}
