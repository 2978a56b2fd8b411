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

    /// Where to begin: at a seed that found it once, if few do.
    private static long first(Mistake mistake) {
        return switch (mistake) {
            case READ_BEFORE_STORED -> 108;
            case LEASE_FROM_RECEIPT -> 485;
            case KEPT_WHEN_COMING_BACK -> 613;
            case GIVEN_UP_UNHEARD -> 750;
            case LAST_COPY_GIVEN_UP -> 1203;
            case EPOCH_NOT_CHECKED -> 3768;
            case OLD_NEWS_BELIEVED -> 4839;
            default -> 0;
        };
    }

    @ParameterizedTest
    @EnumSource
    void a_mistake_is_found(Mistake mistake, TestReporter reporter) {
        Long found = null;
        long end = first(mistake) + SEEDS;
        for (long first = first(mistake); found == null && first < end; first += PIECE) {
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
