package tandem.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tandem.math.KeySpace;
import tandem.wire.Address;
import tandem.wire.Layout;
import tandem.wire.TableSpec;

class HomesTest {

    private static final int SHARDS_A_STREAM = 4;

    private static Layout layout(Cast cast, TableSpec table) {
        List<Address> servers =
                IntStream.range(0, cast.servers()).mapToObj(Address::server).toList();
        return new Tables(cast).first(List.of(table), new Copies(cast.replicas() + 1).first(servers, cast.seats()));
    }

    /// Streams are dealt to workers in turn, and the server of the same number is beside each.
    @ParameterizedTest
    @CsvSource({"8, 8, 8, 8, 0", "8, 4, 4, 8, 1", "6, 3, 3, 3, 0", "7, 3, 5, 10, 2", "5, 5, 2, 4, 1", "2, 1, 3, 6, 0"})
    void every_key_begins_on_the_server_beside_the_worker_that_has_its_stream(
            int streams, int workers, int servers, int seats, int replicas) {
        Cast cast = Cast.of(servers, workers, streams)
                .withSeats(seats)
                .withReplicas(replicas, Long.MAX_VALUE)
                .withHomes();
        TableSpec table = TableSpec.sparse("weights", 1).withShards(SHARDS_A_STREAM * streams);
        Layout layout = layout(cast, table);
        Leases leases = new Leases(cast);
        for (int stream = 0; stream < streams; stream++) {
            int worker = leases.tenures().get(stream).holder().number();
            for (long key : new long[] {
                KeySpace.first(stream, streams),
                KeySpace.first(stream, streams) + Long.divideUnsigned(-1L, streams) / 2,
                (stream + 1 == streams ? 0 : KeySpace.first(stream + 1, streams)) - 1
            }) {
                int server = layout.head(layout.owners()[0][table.shardOf(key)]).number();
                assertEquals(
                        worker % servers, server % Math.min(workers, servers), "stream " + stream + " of " + worker);
            }
        }
    }

    @Test
    void shards_of_a_stream_are_spread_over_the_seats_beside_its_worker() {
        Cast cast = Cast.of(2, 2, 2).withSeats(4).withHomes();
        assertArrayEquals(new int[] {0, 2, 0, 2, 1, 3, 1, 3}, new Homes(cast).seats(8));
        Cast many = Cast.of(4, 2, 2).withHomes();
        assertArrayEquals(new int[] {0, 2, 0, 2, 1, 3, 1, 3}, new Homes(many).seats(8));
    }

    @Test
    void tables_of_rows_in_order_and_others_without_homes_are_where_the_ring_has_them() {
        Cast cast = Cast.of(3, 3, 3).withHomes();
        int[] ring = new Ring(0, 1, 2).owners("slopes", 8);
        assertArrayEquals(ring, layout(cast, TableSpec.dense("slopes", 100, 1)).owners()[0]);
        assertArrayEquals(
                ring, layout(Cast.of(3, 3, 3), TableSpec.sparse("slopes", 1)).owners()[0]);
    }
}
