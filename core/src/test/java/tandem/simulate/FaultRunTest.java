package tandem.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FaultRunTest {

    @Test
    void whatever_fails_nothing_acknowledged_is_lost_or_counted_twice() {
        long faults = LongStream.range(0, 300)
                .parallel()
                .map(seed -> {
                    FaultPlan plan = FaultPlan.of(seed);
                    FaultRun.Verdict verdict = FaultRun.of(plan);
                    assertEquals(null, verdict.violation(), plan::toString);
                    return verdict.nodeFaults();
                })
                .sum();
        assertTrue(faults > 1000, "only " + faults + " node faults");
    }

    @Test
    void the_same_seed_is_the_same_run() {
        for (long seed = 0; seed < 100; seed++) {
            assertEquals(FaultRun.of(FaultPlan.of(seed)), FaultRun.of(FaultPlan.of(seed)));
        }
    }
}
