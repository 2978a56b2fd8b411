package tandem.simulate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tandem.client.Call;
import tandem.client.Refused;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.consistency.Consistency;
import tandem.server.RowRule;
import tandem.server.Rules;
import tandem.server.VectorFunctions;
import tandem.wire.Figures;
import tandem.wire.Keys;
import tandem.wire.TableSpec;
import tandem.wire.Values;

/// Workers change a table by functions, and push and pull in one, over a network that loses, doubles and reorders.
class FunctionProtocolTest {

    private static final int WORKERS = 4;
    private static final int SERVERS = 3;
    private static final int CLOCKS = 25;
    private static final int ROWS = 40;

    private static final TableSpec SUMS =
            TableSpec.dense("sums", ROWS, 2).withDoubles().withShards(10);
    private static final TableSpec COUNTS =
            TableSpec.sparse("counts", 2).withDoubles().withShards(7);

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    private static Rules rules() {
        return new Rules()
                .withChange("more", (rows, with) -> rows.forEach(row -> row.set(0, 0, row.weight(0) + with.real(0))))
                .withChange("refuses", (_, _) -> {
                    throw new IllegalStateException("not today");
                })
                .withFunction("least", (rows, _) -> {
                    double[] least = {Double.POSITIVE_INFINITY};
                    rows.forEach(row -> least[0] = Math.min(least[0], row.weight(0)));
                    return Figures.of(least);
                });
    }

    private static TinyCluster cluster(long seed, int workers) {
        return new TinyCluster(seed, TinyCluster.lossy(seed), workers, SERVERS, rules(), SUMS, COUNTS);
    }

    /// Every worker adds 1 to all rows at each clock, and looks at the least row before: it must be within the bound.
    @ParameterizedTest
    @MethodSource("seeds")
    void a_change_counts_once_and_a_function_reads_within_the_bound(long seed) {
        int staleness = (int) (seed % 3);
        Consistency consistency = Consistency.ssp(staleness);
        TinyCluster cluster = cluster(seed, WORKERS);
        double[] last = {0, 0};
        cluster.run((worker, session) -> {
            for (long clock = 0; clock < CLOCKS; clock++) {
                var answer = session.compute(
                        worker,
                        consistency.after(session.clock(worker), session.sent(worker)),
                        new Call(0, "least", Figures.NONE),
                        (one, other) -> Figures.of(Math.min(one.real(0), other.real(0))));
                session.await(answer.ticket());
                double seen = answer.figures().real(0);
                assertTrue(
                        seen >= WORKERS * (clock - staleness) && seen >= clock,
                        "seed " + seed + ": worker " + worker + " at " + clock + " saw " + seen);
                session.change(worker, clock + 1, new Call(0, "more", Figures.of(1)));
            }
            session.flush(worker);
            if (cluster.over(session, worker)) {
                last[0] = session.compute(new Call(0, "dot", Figures.ofWhole(0, 0)), Figures::plus)
                        .real(0);
                last[1] = session.compute(new Call(0, "nonzeros", Figures.ofWhole(0)), Figures::plus)
                        .whole(0);
            }
        });
        double each = WORKERS * CLOCKS;
        assertEquals(ROWS * each * each, last[0], "seed " + seed);
        assertEquals(ROWS, last[1], "seed " + seed);
    }

    /// A worker's own keys hold its own pushes only. What comes back has this push in it, all that were answered
    /// before, and no more than were sent; with nothing else under way that is an exact number.
    @ParameterizedTest
    @MethodSource("seeds")
    void push_pull_brings_the_rows_back_as_they_are_after_it_once(long seed) {
        TinyCluster cluster = cluster(seed, WORKERS);
        double[] all = new double[2 * WORKERS];
        cluster.run((worker, session) -> {
            long[] own = {Long.MIN_VALUE + worker, -1 - worker};
            List<Ticket> tickets = new ArrayList<>();
            long answered = 0;
            for (int clock = 1; clock <= CLOCKS; clock++) {
                double[] back = new double[4];
                Slice pushed = new Slice(1, Keys.repeated(own, 2), new double[] {1, 2, 3, 4});
                tickets.add(session.pushPull(worker, clock, pushed, Values.of(back)));
                if (clock % 3 == 0) {
                    continue;
                }
                session.await(tickets.getLast());
                for (int key = 0; key < 2; key++) {
                    double pushes = back[2 * key] / (1 + 2 * key);
                    assertTrue(pushes >= answered + 1 && pushes <= clock, "seed " + seed + ": " + pushes);
                    assertEquals(pushes * (2 + 2 * key), back[2 * key + 1], "seed " + seed);
                }
                tickets.forEach(session::await);
                answered = clock;
            }
            tickets.forEach(session::await);
            session.end(worker);
            session.read(new Slice(1, Keys.once(new long[] {own[0]}, 1), new Values.Doubles(all, 2 * worker, 2)));
        });
        for (int worker = 0; worker < WORKERS; worker++) {
            assertEquals(CLOCKS, all[2 * worker], "seed " + seed);
            assertEquals(2 * CLOCKS, all[2 * worker + 1], "seed " + seed);
        }
    }

    /// Each update adds to a row and lengthens it by one, so its length says how many came, and its values too.
    @ParameterizedTest
    @MethodSource("seeds")
    void rows_of_lengths_of_their_own_grow_once_an_update(long seed) {
        TableSpec growing = TableSpec.sparse("growing", 40)
                .withVariableRows()
                .withRule("grow")
                .withShards(5);
        Rules rules = new Rules().withRows("grow", _ -> new Grow());
        TinyCluster cluster = new TinyCluster(seed, TinyCluster.lossy(seed), WORKERS, SERVERS, rules, growing);
        cluster.run((worker, session) -> {
            long[] keys = {worker, Long.MAX_VALUE - worker, -1 - worker};
            Keys list = Keys.repeated(keys, 3);
            for (int clock = 0; clock < CLOCKS; clock++) {
                Values.Ragged rows = Values.Ragged.room(3, 40);
                session.await(session.pull(
                        worker,
                        Consistency.ssp(1).after(session.clock(worker), session.sent(worker)),
                        new Slice(0, list, rows)));
                float[] gradients = new float[rows.array().length];
                for (int row = 0; row < 3; row++) {
                    assertEquals(1 + clock, rows.length(row), "seed " + seed);
                    for (int e = 0; e < rows.length(row); e++) {
                        assertEquals(clock - Math.max(0, e - 1) - (e > 0 ? 1 : 0), rows.array()[rows.start(row) + e]);
                        gradients[rows.start(row) + e] = 1;
                    }
                }
                session.update(worker, clock + 1, new Slice(0, list, rows.with(gradients)));
            }
            session.end(worker);
        });
    }

    private record Grow() implements RowRule {

        @Override
        public int columns() {
            return 1;
        }

        @Override
        public int update(float[] row, int at, int length, float[] gradients, int from, int count) {
            for (int e = 0; e < count; e++) {
                row[at + e] += gradients[from + e];
            }
            return length + 1;
        }
    }

    @Test
    void the_largest_weights_are_found_across_shards() {
        List<Figures> found = new ArrayList<>();
        cluster(3, 1).run((worker, session) -> {
            long[] keys = LongStream.range(0, 200)
                    .map(i -> i * 0x10_0000_0000_0001L)
                    .boxed()
                    .sorted(Long::compareUnsigned)
                    .mapToLong(Long::longValue)
                    .toArray();
            double[] values = new double[2 * keys.length];
            for (int k = 0; k < keys.length; k++) {
                values[2 * k] = (k * 37 % 200) * (k % 2 == 0 ? 1 : -1);
            }
            session.await(session.update(worker, 1, new Slice(1, Keys.once(keys, keys.length), values)));
            found.add(session.compute(new Call(1, "top", Figures.ofWhole(0, 3)), VectorFunctions.TOP::merge));
            found.add(new Figures(keys, values));
        });
        double[] largest = found.getFirst().real();
        assertArrayEquals(new double[] {-199, 198, -197}, largest);
        for (int k = 0; k < 200; k++) {
            for (int place = 0; place < 3; place++) {
                if (found.getLast().real(2 * k) == largest[place]) {
                    assertEquals(found.getLast().whole(k), found.getFirst().whole(1 + place));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void what_a_server_cannot_do_is_said_and_does_not_stop_the_stream(long seed) {
        List<Double> least = new ArrayList<>();
        cluster(seed, 1).run((worker, session) -> {
            Ticket wrong = session.change(worker, 1, new Call(0, "refuses", Figures.NONE));
            Ticket unknown = session.change(worker, 2, new Call(0, "unheard-of", Figures.NONE));
            Ticket right = session.change(worker, 3, new Call(0, "more", Figures.of(5)));
            session.await(right);
            assertSays("could not run refuses: not today", session, wrong);
            assertSays("no change is called unheard-of; there are axpy, copy", session, unknown);
            Refused reading = assertThrows(
                    Refused.class, () -> session.compute(new Call(0, "nothing", Figures.NONE), Figures::plus));
            assertTrue(reading.getMessage().contains("no function is called nothing"), reading.getMessage());
            least.add(session.compute(new Call(0, "least", Figures.NONE), (one, _) -> one)
                    .real(0));
        });
        assertEquals(List.of(5.0), least);
    }

    private static void assertSays(String why, Session session, Ticket ticket) {
        Refused refused = assertThrows(Refused.class, () -> session.await(ticket));
        assertTrue(refused.getMessage().contains(why), refused.getMessage());
    }

    @Test
    void a_function_that_reads_may_not_change_rows() {
        Rules sly = new Rules().withFunction("sly", (rows, _) -> {
            rows.forEach(row -> row.set(0, 0, 7));
            return Figures.NONE;
        });
        new TinyCluster(1, Network.DEFAULT, 1, SERVERS, sly, SUMS).run((worker, session) -> {
            Refused refused =
                    assertThrows(Refused.class, () -> session.compute(new Call(0, "sly", Figures.NONE), Figures::plus));
            assertTrue(refused.getMessage().contains("tried to change a row"), refused.getMessage());
        });
    }
}
