package tandem.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import tandem.wire.Address;
import tandem.wire.Chain;
import tandem.wire.Layout;
import tandem.wire.TableSpec;

class CopiesTest {

    /// Servers 1 and 4 have all of a seat, and 7 is still being given it.
    private static final Layout LAYOUT = new Layout(2, new TableSpec[0], new int[0][], 1, new Chain[] {
        new Chain(new int[] {1, 4, 7}, new long[] {1, 1, 2}, 2)
    });

    /// Whoever has everything and is not heard may be no more, and then the silent one has the last copy.
    @Test
    void nobody_is_given_up_because_a_newcomer_is_heard() {
        assertNull(Copies.without(Address.server(1), LAYOUT, other -> other == 7));
        assertArrayEquals(
                new int[] {4, 7}, Copies.without(Address.server(1), LAYOUT, other -> other == 4)[0].servers());
    }
}
