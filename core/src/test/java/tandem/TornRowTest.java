package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.wire.Keys;
import tandem.wire.TableSpec;

/// A reader never sees a part of one update and a part of another: every update adds the same to all elements of a row,
/// so all that anybody reads are rows of equal elements.
@Timeout(60)
class TornRowTest {

    private static final int WORKERS = 3;
    private static final int ROWS = 4;

    /// @param elements of a row: few, or so many that a row takes several pieces of a frame
    record Way(String name, int updates, TableSpec table, int elements, UnaryOperator<Cluster> in) {

        Keys keys() {
            return table.isSparse() ? Keys.repeated(new long[] {0, 1, 2, 3}, ROWS) : Keys.range(0, ROWS);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static final List<Way> WAYS = List.of(
            new Way("threads", 1_000, TableSpec.dense("rows", ROWS, 16), 16, cluster -> cluster),
            new Way("threads, sparse", 1_000, TableSpec.sparse("rows", 16), 16, cluster -> cluster),
            new Way("threads, long rows", 30, TableSpec.dense("rows", ROWS, 40_000), 40_000, cluster -> cluster),
            new Way("tcp", 500, TableSpec.sparse("rows", 16), 16, cluster -> cluster.overSockets(Where.Transport.TCP)),
            new Way(
                    "unix sockets, long rows",
                    30,
                    TableSpec.dense("rows", ROWS, 40_000),
                    40_000,
                    cluster -> cluster.overSockets(Where.Transport.UNIX)));

    @ParameterizedTest
    @FieldSource("WAYS")
    void a_row_is_never_seen_between_two_updates(Way way) {
        float[] rows = way.in
                .apply(Cluster.embedded(WORKERS, 2, way.table).withConsistency("async"))
                .run(worker -> work(worker, way), session -> read(session, way));
        float[] all = new float[rows.length];
        Arrays.fill(all, WORKERS * way.updates);
        assertArrayEquals(all, rows);
    }

    private static void work(Worker worker, Way way) {
        float[] ones = new float[ROWS * way.elements];
        Arrays.fill(ones, 1);
        float[] seen = new float[ones.length];
        Keys keys = way.keys();
        int table = worker.table("rows");
        Ticket read = null;
        for (int update = 0; update < way.updates; update++) {
            Ticket sent = worker.push(new Slice(table, keys, ones));
            if (read != null) {
                worker.await(read);
                check(seen, way);
            }
            read = worker.pull(new Slice(table, keys, seen));
            if (update % 4 == 3) {
                worker.await(sent);
            }
        }
        worker.await(read);
        check(seen, way);
    }

    private static void check(float[] seen, Way way) {
        for (int row = 0; row < ROWS; row++) {
            float first = seen[row * way.elements];
            for (int e = 1; e < way.elements; e++) {
                assertEquals(first, seen[row * way.elements + e], "element " + e + " of row " + row);
            }
        }
    }

    private static float[] read(Session session, Way way) {
        float[] all = new float[ROWS * way.elements];
        session.read(new Slice(session.layout().table("rows"), way.keys(), all));
        return all;
    }
}
