package tandem.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FaultRunTest {

    @Test
    void whatever_fails_nothing_acknowledged_is_lost_or_counted_twice() {
        long faults = LongStream.range(0, 2000)
                .parallel()
                .map(seed -> {
                    FaultPlan plan = FaultPlan.of(seed);
                    FaultRun.Verdict verdict = FaultRun.of(plan);
                    assertNull(verdict.violation(), plan::toString);
                    return verdict.nodeFaults();
                })
                .sum();
        assertTrue(faults > 10_000, "only " + faults + " node faults");
    }

    @Test
    void the_same_seed_is_the_same_run() {
        for (long seed = 0; seed < 100; seed++) {
            assertEquals(FaultRun.of(FaultPlan.of(seed)), FaultRun.of(FaultPlan.of(seed)));
        }
    }

    @Test
    void the_same_seed_is_the_same_run_in_another_process() throws Exception {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FaultTraces.class.getName(),
                        "100")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, other.waitFor());
        assertEquals(FaultTraces.of(100), Long.parseLong(printed.strip()));
    }
}
