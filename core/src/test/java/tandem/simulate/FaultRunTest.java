package tandem.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import tandem.wire.Address;

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

    /// A worker that was started again was told what to do before it knew its streams, so it had nothing to do.
    @Test
    void a_worker_that_starts_again_works_on_its_streams() {
        FaultPlan plan = plan(
                705, 53, new Fault(Fault.Kind.CRASH, 25_760_743, 93_812_406, Address.worker(2), Address.server(1)));
        assertNull(FaultRun.of(plan).violation());
    }

    /// Everything counted as done when the last who was at work was given up, before others had its streams.
    @Test
    void others_go_on_with_the_streams_of_a_worker_that_is_given_up_as_the_last() {
        FaultPlan plan = plan(
                2005,
                68,
                new Fault(Fault.Kind.CLOG, 266_341_526, 29_193_101, Address.worker(2), Address.server(1)),
                new Fault(Fault.Kind.SUCCESSION, 307_708_648, 1_960_736, Address.worker(2), Address.worker(2)));
        assertNull(FaultRun.of(plan).violation());
    }

    /// What a read of the life before had been waiting for was taken for the answer to one of the same number.
    @Test
    void an_answer_to_an_earlier_life_is_none_to_the_next() {
        FaultPlan plan = new FaultPlan(
                141_008,
                5,
                4,
                3,
                3,
                true,
                83,
                List.of(
                        new Fault(Fault.Kind.PAUSE, 169_498_573, 117_835_787, Address.worker(3), Address.worker(1)),
                        new Fault(Fault.Kind.CRASH, 219_883_754, 1_777_311, Address.worker(0), Address.server(4)),
                        new Fault(Fault.Kind.CRASH, 258_905_272, 1_655_756, Address.worker(0), Address.COORDINATOR)));
        assertNull(FaultRun.of(plan).violation());
    }

    private static FaultPlan plan(long seed, int pushes, Fault... faults) {
        return new FaultPlan(seed, 5, 4, 2, 3, false, pushes, List.of(faults));
    }

    @Test
    void every_kind_of_fault_strikes() {
        Set<Fault.Kind> struck = new TreeSet<>();
        for (long seed = 0; seed < 40; seed++) {
            struck.addAll(FaultRun.of(FaultPlan.of(seed)).struck().keySet());
        }
        assertEquals(Set.of(Fault.Kind.values()), struck);
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
