package tandem.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParsaTest {

    /// Rows that have most of their keys in a community of their own and a few anywhere.
    private static List<int[]> graph(int rows, int communities, int keysEach, double stray, long seed) {
        Random random = new Random(seed);
        List<int[]> graph = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            int home = random.nextInt(communities);
            graph.add(random.ints(6, 0, keysEach)
                    .map(key -> random.nextDouble() < stray
                            ? random.nextInt(communities * keysEach)
                            : home * keysEach + key)
                    .distinct()
                    .toArray());
        }
        return graph;
    }

    private static Parsa cut(List<int[]> graph, int parts, int blockRows) {
        Parsa parsa = new Parsa(parts, blockRows);
        for (int[] row : graph) {
            Arrays.stream(row).forEach(parsa::add);
            parsa.end();
        }
        return parsa;
    }

    /// By part, the keys that its rows have.
    private static long[] neighbours(List<int[]> graph, byte[] assigned, int keys) {
        long[] needed = new long[keys];
        for (int row = 0; row < assigned.length; row++) {
            for (int key : graph.get(row)) {
                needed[key] |= 1L << assigned[row];
            }
        }
        return needed;
    }

    private static long all(long[] needed) {
        return Arrays.stream(needed).map(Long::bitCount).sum();
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 10", "7, 3, 100", "500, 8, 64", "501, 7, 100000", "1000, 64, 333"})
    void every_row_is_in_one_part_and_parts_are_of_one_size(int rows, int parts, int blockRows) {
        List<int[]> graph = graph(rows, 5, 40, 0.2, 3);
        Parsa parsa = cut(graph, parts, blockRows);
        byte[] assigned = parsa.parts();
        assertEquals(rows, assigned.length);
        int[] sizes = new int[parts];
        for (byte part : assigned) {
            sizes[part]++;
        }
        int most = Arrays.stream(sizes).max().orElseThrow();
        int least = Arrays.stream(sizes).min().orElseThrow();
        assertTrue(most - least <= 1, Arrays.toString(sizes));
        long[] needed = parsa.needed();
        assertEquals(Arrays.toString(neighbours(graph, assigned, needed.length)), Arrays.toString(needed));
    }

    @Test
    void communities_that_share_nothing_are_not_torn_apart() {
        List<int[]> graph = new ArrayList<>();
        Random random = new Random(2);
        for (int row = 0; row < 60; row++) {
            int home = row % 3;
            graph.add(
                    random.ints(8, 0, 10).distinct().map(key -> 10 * home + key).toArray());
        }
        long[] needed = cut(graph, 3, 1000).needed();
        assertEquals(30, all(needed), "each key is needed by one part");
        PartTraffic traffic = PartTraffic.of(new long[3], needed, Parsa.owners(new PartCounts(needed), 3));
        assertEquals(0, traffic.remote());
        assertEquals(10, traffic.workingSet());
    }

    /// Against all ways to cut ten rows into two halves.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void two_parts_are_nearly_as_good_as_the_best(long seed) {
        int rows = 10;
        List<int[]> graph = graph(rows, 2, 10, 0.15, seed);
        long[] needed = cut(graph, 2, rows).needed();
        long best = Long.MAX_VALUE;
        for (int half = 0; half < 1 << rows; half++) {
            if (Integer.bitCount(half) == rows / 2) {
                byte[] assigned = new byte[rows];
                for (int row = 0; row < rows; row++) {
                    assigned[row] = (byte) (half >> row & 1);
                }
                best = Math.min(best, all(neighbours(graph, assigned, needed.length)));
            }
        }
        assertTrue(all(needed) >= best, "better than the best");
        assertTrue(all(needed) <= 1.25 * best, all(needed) + " keys, and " + best + " would do");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void parts_are_better_than_those_drawn_by_chance(long seed) {
        List<int[]> graph = graph(800, 16, 50, 0.1, seed);
        byte[] dealt = new byte[graph.size()];
        for (int row = 0; row < dealt.length; row++) {
            dealt[row] = (byte) (row % 8);
        }
        long byChance = all(neighbours(graph, dealt, 16 * 50));
        for (int blockRows : new int[] {200, 800}) {
            long keys = all(cut(graph, 8, blockRows).needed());
            assertTrue(keys < 0.85 * byChance, keys + " keys, " + byChance + " by chance; blocks of " + blockRows);
        }
    }

    /// What a part holds that all three need, it is asked for twice.
    @Test
    void keys_that_all_need_are_spread_evenly() {
        long[] needed = {7, 7, 7, 7, 7, 7};
        PartTraffic traffic = PartTraffic.of(new long[3], needed, Parsa.owners(new PartCounts(needed), 3));
        assertEquals(12, traffic.remote());
        assertEquals(2 * 2 + 4, traffic.mostRemote());
    }

    @Test
    void a_key_goes_to_the_part_whose_rows_have_it_most_often() {
        PartCounts counts = new PartCounts(new long[] {0b111, 0b1010, 0b1});
        for (int part : new int[] {0, 1, 1, 2}) {
            counts.add(0, part);
        }
        for (int part : new int[] {1, 3, 3}) {
            counts.add(1, part);
        }
        counts.add(2, 0);
        assertEquals("[1, 3, 0]", Arrays.toString(Parsa.owners(counts, 4)));
        assertEquals(2, counts.rows(0, 1));
        assertEquals(1, counts.rows(1, 1));
    }

    /// Parts are through with their first communities at about the same time, and go on with different ones.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void parts_share_few_communities_where_each_has_several(long seed) {
        List<int[]> graph = graph(1_600, 16, 50, 0, seed);
        long keys = all(cut(graph, 4, 2_000).needed());
        assertTrue(keys < 1.25 * 16 * 50, keys + " keys are needed, of " + 16 * 50);
    }

    /// Against all ways to give eight keys to three parts. A key that is at a part which needs it saves one transfer,
    /// wherever that is, so only how evenly they are spread can differ.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void keys_go_where_they_save_most(long seed) {
        Random random = new Random(seed);
        long[] needed = random.longs(8, 1, 8).toArray();
        PartTraffic greedy = PartTraffic.of(new long[3], needed, Parsa.owners(new PartCounts(needed), 3));
        long leastRemote = Long.MAX_VALUE;
        long leastBusy = Long.MAX_VALUE;
        for (int way = 0; way < Math.pow(3, 8); way++) {
            byte[] owners = new byte[8];
            for (int key = 0, rest = way; key < 8; key++, rest /= 3) {
                owners[key] = (byte) (rest % 3);
            }
            PartTraffic traffic = PartTraffic.of(new long[3], needed, owners);
            leastRemote = Math.min(leastRemote, traffic.remote());
            leastBusy = Math.min(leastBusy, traffic.mostRemote());
        }
        assertEquals(leastRemote, greedy.remote());
        assertTrue(greedy.mostRemote() <= 1.5 * leastBusy + 1, greedy + ", and " + leastBusy + " would do");
    }

    @Test
    void numbers_that_make_no_sense_are_refused() {
        assertThrows(IllegalArgumentException.class, () -> new Parsa(0, 1));
        assertThrows(IllegalArgumentException.class, () -> new Parsa(65, 1));
        assertThrows(IllegalArgumentException.class, () -> new Parsa(2, 0));
    }
}
