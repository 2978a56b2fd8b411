package tandem.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import tandem.wire.Address;
import tandem.wire.Lease;

class LeasesTest {

    private static final Address ZERO = Address.worker(0);
    private static final Address ONE = Address.worker(1);
    private static final Address TWO = Address.worker(2);

    private final Leases leases = new Leases(Cast.of(1, 2, 5));

    @Test
    void streams_are_dealt_in_turn() {
        assertArrayEquals(new int[] {0, 2, 4}, streams(ZERO));
        assertArrayEquals(new int[] {1, 3}, streams(ONE));
        assertFalse(leases.share(List.of(ZERO, ONE), null));
    }

    @Test
    void another_life_of_a_worker_has_later_leases_of_streams_that_nobody_tells_of() {
        leases.live(ZERO, 1);
        assertEquals(new Lease(0, 1, false), leases.of(ZERO)[0]);
        leases.live(ZERO, 1);
        assertEquals(new Lease(0, 1, false), leases.of(ZERO)[0]);
        leases.live(ZERO, 2);
        assertEquals(new Lease(0, 2, true), leases.of(ZERO)[0]);
        assertEquals(new Lease(1, 1, false), leases.of(ONE)[0]);
    }

    @Test
    void who_comes_gets_a_share_and_who_goes_leaves_all_of_it() {
        assertTrue(leases.share(List.of(ZERO, ONE, TWO), null));
        assertEquals(1, leases.of(TWO).length);
        assertEquals(new Lease(4, 2, false), leases.of(TWO)[0]);
        assertTrue(leases.share(List.of(ONE, TWO), ZERO));
        assertFalse(leases.isHolder(ZERO));
        assertEquals(5, leases.of(ONE).length + leases.of(TWO).length);
        List<Lease> orphans =
                Arrays.stream(leases.of(ONE)).filter(Lease::orphaned).toList();
        assertTrue(orphans.stream().allMatch(lease -> lease.number() == 2), orphans::toString);
    }

    private int[] streams(Address worker) {
        return Arrays.stream(leases.of(worker)).mapToInt(Lease::stream).toArray();
    }
}
