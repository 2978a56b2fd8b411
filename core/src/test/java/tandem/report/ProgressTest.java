package tandem.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {

    private final AtomicLong now = new AtomicLong(1_000);
    private final StringBuilder text = new StringBuilder();

    @Test
    void a_file_gets_a_plain_line_every_five_seconds() {
        Progress progress = new Progress(text::append, false, now::get);
        for (int second = 1; second <= 12; second++) {
            now.addAndGet(1_000_000_000L);
            progress.update("pass 1", second / 20.0, second * 1_000_000L, 0.45);
        }
        progress.finish("done");
        assertEquals("""
            pass 1   25 %  5,000,000 examples  1,000,000/s  loss 0.45000  15 s left
            pass 1   50 %  10,000,000 examples  1,000,000/s  loss 0.45000  10 s left
            done
            """, text.toString());
    }

    @Test
    void stages_of_less_than_five_seconds_are_seen_too_and_the_time_left_is_of_all_of_them() {
        Progress progress = new Progress(text::append, false, now::get);
        progress.update("reading", 0, 0, Double.NaN);
        now.addAndGet(2_000_000_000L);
        progress.update("reading", 1, 0, Double.NaN);
        for (int pass = 1; pass <= 8; pass++) {
            for (int second = 0; second <= 2; second++) {
                progress.update("pass " + pass, (pass - 1 + second / 2.0) / 8, second * 100L, 0.5);
                now.addAndGet(second < 2 ? 1_000_000_000L : 0);
            }
        }
        assertEquals("""
            pass 2   19 %  100 examples  100/s  loss 0.50000  13 s left
            pass 4   50 %  200 examples  100/s  loss 0.50000  8 s left
            pass 7   81 %  100 examples  100/s  loss 0.50000  3 s left
            """, text.toString());
    }

    @Test
    void a_terminal_line_is_drawn_over_itself() {
        Progress progress = new Progress(text::append, true, now::get);
        now.addAndGet(50_000_000L);
        progress.update("pass 1", 0.1, 5, 0.5);
        assertEquals("", text.toString());
        now.addAndGet(150_000_000L);
        progress.update("pass 1", Double.NaN, 100, Double.NaN);
        progress.finish("done");
        assertEquals("\rpass 1  100 examples  500/s\rdone" + " ".repeat(23) + "\n", text.toString());
    }

    @Test
    void clearing_leaves_an_empty_line() {
        Progress progress = new Progress(text::append, true, now::get);
        progress.clear();
        now.addAndGet(1_000_000_000L);
        progress.update("x", Double.NaN, 1, Double.NaN);
        progress.clear();
        assertEquals("\rx  1 examples  1/s\r" + " ".repeat(18) + "\r", text.toString());
    }

    @Test
    void times_are_said_in_fitting_units() {
        assertEquals("1 s", Progress.span(0.2));
        assertEquals("3 min 20 s", Progress.span(200));
        assertEquals("2 h 5 min", Progress.span(7_500));
    }
}
