package tandem.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SharedRoomTest {

    private final SharedRoom room = new SharedRoom();

    @Test
    void no_more_is_taken_in_all_than_there_is() {
        assertTrue(room.take(SharedRoom.BYTES - 1));
        assertFalse(room.take(2));
        assertTrue(room.take(1));
        room.give(SharedRoom.BYTES);
        assertTrue(room.take(SharedRoom.BYTES));
    }

    @Test
    void an_array_is_used_again_once_it_is_given_back_and_by_one_at_a_time() {
        float[] array = room.floats(SharedRoom.LEAST_LENGTH);
        assertNotSame(array, room.floats(SharedRoom.LEAST_LENGTH));
        room.keep(array);
        assertEquals(SharedRoom.LEAST_LENGTH + 1, room.floats(SharedRoom.LEAST_LENGTH + 1).length);
        assertEquals(SharedRoom.LEAST_LENGTH - 1, room.floats(SharedRoom.LEAST_LENGTH - 1).length);
        assertSame(array, room.floats(SharedRoom.LEAST_LENGTH));
        assertNotSame(array, room.floats(SharedRoom.LEAST_LENGTH));
    }

    @Test
    void short_arrays_and_those_that_have_waited_longest_are_not_kept() {
        float[] tiny = new float[SharedRoom.LEAST_LENGTH - 1];
        room.keep(tiny);
        assertNotSame(tiny, room.floats(tiny.length));
        int length = (int) (SharedRoom.KEPT_BYTES / Float.BYTES / 4);
        float[][] arrays = new float[5][length];
        for (float[] array : arrays) {
            room.keep(array);
        }
        for (int last = 4; last > 0; last--) {
            assertSame(arrays[last], room.floats(length));
        }
        assertNotSame(arrays[0], room.floats(length));
    }

    @Test
    void an_array_that_is_too_long_to_be_kept_drives_out_no_other() {
        float[] array = new float[SharedRoom.LEAST_LENGTH];
        room.keep(array);
        room.keep(new float[(int) (SharedRoom.KEPT_BYTES / Float.BYTES) + 1]);
        assertSame(array, room.floats(array.length));
    }

    @Test
    void what_is_in_use_takes_no_room_from_what_is_kept() {
        float[] array = new float[(int) (SharedRoom.KEPT_BYTES / Float.BYTES)];
        for (int use = 0; use < 3; use++) {
            room.keep(array);
            assertSame(array, room.floats(array.length));
        }
    }
}
