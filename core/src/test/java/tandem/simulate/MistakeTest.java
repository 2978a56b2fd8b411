package tandem.simulate;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.util.stream.LongStream;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MistakeTest {

    /// How many seeds it may take.
    private static final int SEEDS = 8000;

    /// Seeds that are tried at the same time.
    private static final int PIECE = 16;

    @ParameterizedTest
    @EnumSource
    void a_mistake_is_found(Mistake mistake, TestReporter reporter) {
        Long found = null;
        for (long first = 0; found == null && first < SEEDS; first += PIECE) {
            found = LongStream.range(first, first + PIECE)
                    .parallel()
                    .filter(seed -> FaultRun.of(FaultPlan.of(seed), mistake).violation() != null)
                    .boxed()
                    .findAny()
                    .orElse(null);
        }
        assertNotNull(found, () -> "not found in " + SEEDS + " seeds");
        String violation = FaultRun.of(FaultPlan.of(found), mistake).violation();
        reporter.publishEntry(mistake.name(), "found by seed " + found + ": " + violation);
    }
}
