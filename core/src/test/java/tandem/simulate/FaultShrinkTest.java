package tandem.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tandem.wire.Address;

class FaultShrinkTest {

    @Test
    void of_many_faults_those_are_left_that_matter() {
        FaultPlan plan = LongStream.range(0, 1000)
                .mapToObj(FaultPlan::of)
                .filter(one -> one.faults().size() > 10)
                .filter(one -> isFound(one))
                .findFirst()
                .orElseThrow();
        FaultPlan small = FaultShrink.of(plan, FaultShrinkTest::isFound);
        assertTrue(isFound(small));
        assertTrue(small.faults().size() <= 3, small::toString);
        for (Fault fault : small.faults()) {
            List<Fault> others =
                    small.faults().stream().filter(other -> other != fault).toList();
            assertTrue(!isFound(small.with(others)), "without " + fault + " it is found as well");
        }
    }

    private static boolean isFound(FaultPlan plan) {
        return FaultRun.of(plan, Mistake.NO_LEASE).violation() != null;
    }

    @Test
    void what_matters_is_made_shorter() {
        FaultPlan plan = FaultPlan.of(1)
                .with(List.of(
                        new Fault(Fault.Kind.PAUSE, 5, 70_000_000, Address.server(1), Address.server(2)),
                        new Fault(Fault.Kind.LOSS, 6, 90_000_000, Address.server(1), Address.server(2))));
        FaultPlan small =
                FaultShrink.of(plan, one -> one.faults().stream().anyMatch(fault -> fault.forNanos() > 30_000_000));
        assertEquals(
                List.of(new Fault(Fault.Kind.LOSS, 6, 45_000_000, Address.server(1), Address.server(2))),
                small.faults());
    }

    @Test
    void a_plan_is_printed_as_a_test() {
        FaultPlan plan = new FaultPlan(
                7,
                5,
                4,
                2,
                3,
                true,
                48,
                List.of(
                        new Fault(Fault.Kind.CRASH, 5, 6, Address.server(1), Address.COORDINATOR),
                        new Fault(Fault.Kind.PAUSE, 7, 8, Address.worker(0), Address.server(3))));
        assertEquals("""
            @Test
            void seed_7_is_well() {
                FaultPlan plan = new FaultPlan(7L, 5, 4, 2, 3, true, 48, List.of(
                        new Fault(Fault.Kind.CRASH, 5L, 6L, Address.server(1), Address.COORDINATOR),
                        new Fault(Fault.Kind.PAUSE, 7L, 8L, Address.worker(0), Address.server(3))));
                assertNull(FaultRun.of(plan).violation());
            }
            """, FaultShrink.test(plan));
        assertNotNull(FaultRun.of(plan));
    }
}
