package tandem.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import tandem.math.Hash;

class KeyListsTest {

    private static final Hash.Signature ONE = new Hash.Signature(1, 2);
    private static final Hash.Signature TWO = new Hash.Signature(1, 3);

    @Test
    void a_list_is_found_by_its_table_shard_signature_and_length() {
        KeyLists lists = new KeyLists(1000);
        lists.put(0, 1, ONE, new KeyLists.Resolved(new int[] {7, 9}, null, 0));
        assertArrayEquals(new int[] {7, 9}, lists.find(0, 1, ONE, 2).slots());
        assertNull(lists.find(1, 1, ONE, 2));
        assertNull(lists.find(0, 2, ONE, 2));
        assertNull(lists.find(0, 1, TWO, 2));
        assertNull(lists.find(0, 1, ONE, 3));
    }

    @Test
    void the_list_that_was_used_longest_ago_goes_first() {
        KeyLists lists = new KeyLists(300);
        lists.put(0, 0, ONE, new KeyLists.Resolved(new int[10], null, 0));
        lists.put(0, 0, TWO, new KeyLists.Resolved(new int[5], null, 0));
        assertNotNull(lists.find(0, 0, ONE, 10));
        lists.put(0, 1, ONE, new KeyLists.Resolved(new int[1], null, 0));
        assertNull(lists.find(0, 0, TWO, 5));
        assertNotNull(lists.find(0, 0, ONE, 10));
    }

    @Test
    void a_list_that_is_longer_than_all_room_is_not_remembered() {
        KeyLists lists = new KeyLists(300);
        lists.put(0, 0, ONE, new KeyLists.Resolved(new int[100], null, 0));
        assertNull(lists.find(0, 0, ONE, 100));
        assertEquals(0, lists.bytes());
    }

    @Test
    void memory_stays_below_the_limit() {
        KeyLists lists = new KeyLists(10_000);
        for (int i = 0; i < 1000; i++) {
            lists.put(0, 0, new Hash.Signature(i, i), new KeyLists.Resolved(new int[i % 50], null, 0));
            assertTrue(lists.bytes() <= 10_000);
        }
    }
}
