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
