package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tandem.cluster.Decided;
import tandem.report.LearningCurve;
import tandem.wire.Address;
import tandem.wire.Chain;
import tandem.wire.Layout;
import tandem.wire.TableSpec;

class LogbookTest {

    @TempDir
    private Path directory;

    @Test
    void what_was_written_last_is_read() throws IOException {
        Logbook log = new Logbook(directory);
        assertNull(log.decided());
        TableSpec[] tables = {
            TableSpec.sparse("weights", 1).withShards(2).withRule("ftrl", new double[] {0.1, 1, 0, 0, 0, 0, 0}),
            null,
            TableSpec.dense("intercept", 1, 1)
        };
        Chain[] chains = {new Chain(new int[] {2, 0}, new long[] {1, 7}, 1)};
        Layout layout = new Layout(7, tables, new int[][] {{0, 0}, null, {0}}, 3, chains);
        Decided decided = new Decided(
                2,
                layout,
                List.of(new Decided.Tenure(Address.worker(1), 3, true)),
                List.of(new Decided.Life(Address.server(2), 1, "unix:/s", 4711)),
                List.of(),
                List.of(Address.server(2)),
                List.of(new Decided.Life(Address.worker(3), 2, "", 12)),
                new Decided.Numbers(4, 5));
        log.keep(new Decided(
                1, Layout.NONE, List.of(), List.of(), List.of(), List.of(), List.of(), new Decided.Numbers(2, 2)));
        log.keep(decided);
        Decided read = new Logbook(directory).decided();
        assertEquals(decided.streams(), read.streams());
        assertEquals(decided.members(), read.members());
        assertEquals(decided.leaving(), read.leaving());
        assertEquals(decided.gone(), read.gone());
        assertEquals(decided.term(), read.term());
        assertEquals(layout.epoch(), read.layout().epoch());
        assertArrayEquals(layout.chains(), read.layout().chains());
        assertArrayEquals(layout.owners(), read.layout().owners());
        assertEquals(3, read.layout().tables().length);
        assertEquals(tables[0].name(), read.layout().tables()[0].name());
        assertArrayEquals(tables[0].settings(), read.layout().tables()[0].settings());
        assertNull(read.layout().tables()[1]);
    }

    @Test
    void a_milestone_keeps_numbers_that_are_none() throws IOException {
        Logbook log = new Logbook(directory);
        LearningCurve.Point point =
                new LearningCurve.Point(10, 0.5, 0.25, Double.NaN, Double.NaN, Double.POSITIVE_INFINITY);
        Milestone milestone = new Milestone(
                1,
                new Manifest.Place(0, 3, 4),
                List.of(),
                Manifest.Best.NONE,
                List.of(),
                List.of(point),
                2.5,
                "passes",
                null);
        log.keep(milestone);
        assertEquals(milestone, log.milestone());
    }

    @Test
    void a_run_that_ends_with_its_coordinator_writes_nothing() throws IOException {
        Logbook.NONE.keep(new Decided(
                1, Layout.NONE, List.of(), List.of(), List.of(), List.of(), List.of(), new Decided.Numbers(2, 2)));
        assertNull(Logbook.NONE.decided());
    }
}
