package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tandem.cluster.Heard;
import tandem.wire.Address;
import tandem.worker.Learned;

class PassProgressTest {

    private static final Heard.Whose FIRST = new Heard.Whose(Address.worker(0), 1);
    private static final Heard.Whose AGAIN = new Heard.Whose(Address.worker(0), 2);
    private static final Heard.Whose OTHER = new Heard.Whose(Address.worker(1), 1);

    private static Learned told(long examples, double loss) {
        return new Learned(examples, examples, loss, 0, 0);
    }

    @Test
    void what_was_told_of_earlier_work_is_no_progress_though_it_is_heard_late() {
        PassProgress progress =
                new PassProgress(List.of(new Heard(FIRST, 90, 9)), Map.of(FIRST, told(100, 10), OTHER, told(50, 5)));
        assertEquals(0, progress.of(List.of(new Heard(FIRST, 90, 9))).examples());
        Learned now = progress.of(List.of(new Heard(FIRST, 130, 12), new Heard(OTHER, 60, 7)));
        assertEquals(40, now.examples());
        assertEquals(4, now.loss());
    }

    /// Positives may count many times, and nothing is known of the loss of those that a successor finds done.
    @Test
    void losses_are_means_whatever_examples_count() {
        Learned before = new Learned(100, 2_000, 600, 0, 0); // 0.3 each
        PassProgress progress = new PassProgress(List.of(), Map.of(FIRST, before));
        Learned more = before.plus(new Learned(50, 1_000, 100, 0, 0)).byExample();
        Learned now = progress.of(List.of(new Heard(FIRST, more.examples(), more.loss())));
        assertEquals(50, now.examples());
        assertEquals((700.0 / 3_000 * 150 - 30) / 50, now.meanLoss(), 1e-12);
        Learned orphans = new Learned(100, 50, 15, 0, 0);
        assertEquals(0.3, orphans.byExample().meanLoss(), 1e-12);
    }

    @Test
    void one_that_dies_leaves_what_it_did_and_its_successor_begins_at_nothing() {
        PassProgress progress = new PassProgress(List.of(), Map.of(FIRST, told(100, 10)));
        assertEquals(
                50,
                progress.of(List.of(new Heard(FIRST, 130, 12), new Heard(AGAIN, 20, 2)))
                        .examples());
        PassProgress next = new PassProgress(
                List.of(new Heard(FIRST, 130, 12), new Heard(AGAIN, 20, 2)),
                Map.of(FIRST, told(100, 10), AGAIN, told(70, 7)));
        assertEquals(
                5,
                next.of(List.of(new Heard(FIRST, 130, 12), new Heard(AGAIN, 75, 8)))
                        .examples());
    }
}
