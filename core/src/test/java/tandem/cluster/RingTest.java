package tandem.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RingTest {

    @ParameterizedTest
    @CsvSource({"1,8", "2,16", "3,24", "10,80", "200,1600"})
    void no_server_holds_much_more_than_its_share(int servers, int shards) {
        int[] loads = new int[servers];
        for (int owner : ring(servers).owners("weights", shards)) {
            loads[owner]++;
        }
        int most = Arrays.stream(loads).max().orElseThrow();
        assertTrue(most <= Math.ceil(1.1 * shards / servers), "one holds " + most);
    }

    @ParameterizedTest
    @CsvSource({"2,16", "10,80", "50,400", "200,1600"})
    void a_server_that_comes_takes_about_its_share_and_little_else_moves(int servers, int shards) {
        int[] before = ring(servers).owners("weights", shards);
        int[] after = ring(servers + 1).owners("weights", shards);
        long moved =
                IntStream.range(0, shards).filter(s -> before[s] != after[s]).count();
        double share = (double) shards / (servers + 1);
        assertTrue(moved <= 4 * share + 2, moved + " moved where a share is " + share);
    }

    @Test
    void the_same_servers_give_the_same_owners_whatever_their_order() {
        assertArrayEquals(new Ring(3, 1, 2).owners("weights", 64), new Ring(1, 2, 3).owners("weights", 64));
    }

    @Test
    void another_table_is_laid_out_another_way() {
        Ring ring = ring(8);
        assertTrue(!Arrays.equals(ring.owners("weights", 64), ring.owners("other", 64)));
    }

    @Test
    void there_is_no_ring_of_nobody() {
        assertThrows(IllegalArgumentException.class, Ring::new);
    }

    private static Ring ring(int servers) {
        return new Ring(IntStream.range(0, servers).toArray());
    }
}
