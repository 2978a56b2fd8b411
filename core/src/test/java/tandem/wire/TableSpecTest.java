package tandem.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableSpecTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 100, 1000, 1599, 1600, 65_535, 65_536})
    void shards_cover_all_64_bit_keys_without_a_gap_or_overlap(int shards) {
        TableSpec table = sparse(shards);
        assertEquals(0, table.firstKey(0));
        assertEquals(0, table.shardOf(0));
        assertEquals(shards - 1, table.shardOf(-1));
        for (int shard = 1; shard < shards; shard++) {
            assertEquals(shard, table.shardOf(table.firstKey(shard)));
            assertEquals(shard - 1, table.shardOf(table.firstKey(shard) - 1));
        }
    }

    @Test
    void any_key_lies_between_the_first_keys_of_its_shard_and_the_next() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            TableSpec table = sparse(1 + random.nextInt(65_536));
            long key = random.nextLong();
            int shard = table.shardOf(key);
            assertTrue(Long.compareUnsigned(table.firstKey(shard), key) <= 0);
            assertTrue(shard + 1 == table.shards() || Long.compareUnsigned(key, table.firstKey(shard + 1)) < 0);
        }
    }

    @Test
    void shards_are_as_large_as_each_other_but_for_one_key() {
        TableSpec table = sparse(1599);
        long least = Long.divideUnsigned(-1, 1599);
        for (int shard = 0; shard + 1 < table.shards(); shard++) {
            long size = table.firstKey(shard + 1) - table.firstKey(shard);
            assertTrue(size == least || size == least + 1, "shard " + shard);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 7, 1000, 1L << 40})
    void dense_rows_are_cut_into_plain_ranges(long rows) {
        int shards = (int) Math.min(7, rows);
        TableSpec table = TableSpec.dense("dense", rows, 1).withShards(shards);
        assertEquals(0, table.shardOf(0));
        assertEquals(shards - 1, table.shardOf(rows - 1));
        assertEquals(rows, table.firstKey(shards));
        for (int shard = 1; shard < shards; shard++) {
            assertEquals(shard, table.shardOf(table.firstKey(shard)));
            assertEquals(shard - 1, table.shardOf(table.firstKey(shard) - 1));
        }
    }

    @Test
    void positions_of_a_shard_in_a_sorted_list_are_those_of_a_plain_look() {
        Random random = new Random(2);
        for (int round = 0; round < 200; round++) {
            TableSpec table = sparse(1 + random.nextInt(20));
            long[] keys = random.longs(random.nextInt(50))
                    .boxed()
                    .sorted(Long::compareUnsigned)
                    .mapToLong(Long::longValue)
                    .toArray();
            int shard = random.nextInt(table.shards());
            int plain = 0;
            while (plain < keys.length && table.shardOf(keys[plain]) < shard) {
                plain++;
            }
            assertEquals(plain, Keys.once(keys, keys.length).positionOf(table.firstKey(shard), 0, keys.length));
        }
    }

    @Test
    void positions_in_a_range_of_keys_are_those_in_the_list_of_them() {
        Random random = new Random(3);
        for (int round = 0; round < 2000; round++) {
            Keys range = Keys.range(random.nextInt(50), random.nextInt(50));
            long[] list = new long[range.count()];
            Arrays.setAll(list, range::at);
            int from = random.nextInt(range.count() + 1);
            long key = round % 10 == 0 ? random.nextLong() : random.nextInt(120);
            assertEquals(
                    Keys.once(list, list.length).positionOf(key, from, list.length),
                    range.positionOf(key, from, list.length));
        }
    }

    @Test
    void a_table_refuses_what_cannot_be() {
        assertThrows(IllegalArgumentException.class, () -> sparse(0));
        assertThrows(
                IllegalArgumentException.class, () -> TableSpec.dense("t", 3, 1).withShards(4));
        assertThrows(IllegalArgumentException.class, () -> TableSpec.dense("t", 0, 1));
        assertThrows(IllegalArgumentException.class, () -> TableSpec.dense("t", 3, 0));
    }

    @Test
    void a_table_with_admission_or_a_budget_refuses_what_cannot_be() {
        TableSpec table = sparse(4);
        assertThrows(IllegalArgumentException.class, () -> table.withAdmission(0, 1 << 20));
        assertThrows(IllegalArgumentException.class, () -> table.withAdmission(256, 1 << 20));
        assertThrows(IllegalArgumentException.class, () -> table.withAdmission(2, 10));
        assertThrows(IllegalArgumentException.class, () -> table.withBudget(4 * 65_536 - 1));
        assertThrows(
                IllegalArgumentException.class,
                () -> table.withAdmission(2, 1 << 20).withBudget(1 << 20));
        assertThrows(
                IllegalArgumentException.class,
                () -> TableSpec.dense("d", 10, 1).withBudget(1 << 30));
        assertThrows(IllegalArgumentException.class, () -> table.withDoubles().withVariableRows());
        assertEquals(
                1 << 20,
                table.withBudget(1 << 20).withAdmission(3, 1 << 12).upkeep().mostBytes());
    }

    private static TableSpec sparse(int shards) {
        return TableSpec.sparse("sparse", 1).withShards(shards);
    }
}
