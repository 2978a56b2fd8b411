package tandem.problem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tandem.math.Mix;

class GroupKeysTest {

    /// Ids 1 to 3 and 7 are a group, 5 and 6 another; their keys begin at `first` and `second`.
    private static GroupKeys keys(long first, long second) {
        boolean ascending = Long.compareUnsigned(first, second) < 0;
        return GroupKeys.of(
                new long[] {1, 5, 7},
                new long[] {3, 6, 7},
                new long[] {first, second, first + 3},
                ascending ? new long[] {first, second} : new long[] {second, first},
                ascending ? new long[] {first + 3, second + 1} : new long[] {second + 1, first + 3});
    }

    @Test
    void members_follow_each_other_and_others_keep_their_mixed_key() {
        GroupKeys keys = keys(1000, 50);
        long[] ids = {1, 2, 3, 7, 5, 6};
        long[] found = keys.keys(Arrays.stream(ids).map(Mix::mix).toArray());
        assertArrayEquals(new long[] {1000, 1001, 1002, 1003, 50, 51}, found);
        assertArrayEquals(
                new int[] {1, 1, 1, 1, 0, 0},
                Arrays.stream(found).mapToInt(keys::group).toArray());
        assertEquals(Mix.mix(4), keys.key(Mix.mix(4)));
        assertEquals(GroupKeys.ALONE, keys.group(keys.key(Mix.mix(4))));
        assertEquals(GroupKeys.ALONE, keys.group(1004));
        assertEquals(GroupKeys.ALONE, keys.group(49));
    }

    /// The keys of groups are mixed keys of other ids: of one in no group, and of a member.
    @Test
    void no_two_ids_have_one_key_even_where_groups_are_put_in_the_place_of_others() {
        for (long[] places : new long[][] {
            {Mix.mix(100) - 1, Mix.mix(200)},
            {Mix.mix(5), Mix.mix(100) - 1},
            {Mix.mix(7) - 2, Mix.mix(2)},
            {Mix.mix(1), Mix.mix(5)}
        }) {
            GroupKeys keys = keys(places[0], places[1]);
            // All that can meet: ids, and those whose mixed keys are near the places.
            long[] mixed = LongStream.concat(
                            LongStream.range(0, 300).map(Mix::mix),
                            Arrays.stream(places).flatMap(at -> LongStream.range(at - 5, at + 6)))
                    .distinct()
                    .toArray();
            Set<Long> seen = new HashSet<>();
            for (long one : mixed) {
                long key = keys.key(one);
                seen.add(key);
                assertEquals(one, keys.mixed(key), "id " + Mix.unmix(one));
            }
            assertEquals(mixed.length, seen.size());
        }
    }
}
