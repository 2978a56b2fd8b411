package tandem.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import tandem.wire.Keys;
import tandem.wire.Message;
import tandem.wire.Part;
import tandem.wire.Values;

class PartsAheadTest {

    private final PartsAhead ahead = new PartsAhead();

    /// Four bytes a row.
    private static Part part(int rows) {
        return new Part(0, 0, Keys.range(0, rows), 0, rows, 1, Values.of(new float[rows]));
    }

    private static Message.Ahead ahead(long sequence, int from, Part... parts) {
        return new Message.Ahead(1, 0, 1, sequence, from, parts);
    }

    private static Message.Update update(long sequence, Part... parts) {
        return new Message.Update(1, 0, 1, sequence, 0, parts);
    }

    @Test
    void parts_in_any_order_and_the_rest_are_the_update() {
        Part first = part(1);
        Part second = part(2);
        Part third = part(3);
        ahead.add(ahead(1, 1, second), 4);
        Message.Rest rest = new Message.Rest(2, update(1, third));
        assertNull(ahead.whole(rest));
        ahead.add(ahead(1, 0, first), 4);
        Message.Update whole = ahead.whole(rest);
        assertArrayEquals(new Part[] {first, second, third}, whole.parts());
        assertEquals(2, ahead.take(whole, 4));
        assertEquals(0, ahead.take(whole, 4), "it was taken before");
    }

    @Test
    void who_was_not_told_all_of_them_is_told_again() {
        Message.Update whole = update(1, part(1), part(2));
        ahead.add(ahead(1, 0, whole.parts()[0]), 4);
        assertEquals(0, ahead.take(whole, 5));
        ahead.add(ahead(1, 0, whole.parts()[0]), 5);
        ahead.add(ahead(1, 1, whole.parts()[1]), 4);
        assertEquals(0, ahead.take(whole, 4));
        ahead.add(ahead(1, 1, whole.parts()[1]), 4);
        assertEquals(0, ahead.take(whole, 4), "the first part is missing");
    }

    @Test
    void the_oldest_go_when_there_are_too_many() {
        Part mebibyte = part(1 << 18);
        for (long sequence = 1; sequence <= 100; sequence++) {
            ahead.add(ahead(sequence, 0, mebibyte), 4);
        }
        assertNull(ahead.whole(new Message.Rest(1, update(1))));
        assertNull(ahead.whole(new Message.Rest(1, update(36))));
        assertNotNull(ahead.whole(new Message.Rest(1, update(38))));
        assertNotNull(ahead.whole(new Message.Rest(1, update(100))));
    }
}
