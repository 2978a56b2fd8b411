package tandem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tandem.simulate.Network;
import tandem.wire.Upkeep;

@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DeterminismTest {

    private static final ClusterPlan PLAN = ClusterBits.PLAN;

    @TempDir
    Path directory;

    private ClusterBits cluster;

    @BeforeEach
    void makeClicks() throws IOException {
        cluster = new ClusterBits(directory, 6_000);
    }

    @Test
    void any_number_of_workers_servers_and_threads_gives_the_same_bits() throws IOException {
        String first = ClusterBits.bits(cluster.job(PLAN.withNodes(1, 1), 1, 3));
        for (int workers = 1; workers <= 3; workers++) {
            for (int servers = 1; servers <= 3; servers++) {
                ClusterPlan plan = PLAN.withNodes(workers, servers).withReplicas(servers / 2);
                assertEquals(
                        first,
                        ClusterBits.bits(cluster.job(plan, 1 + servers, 3)),
                        workers + " workers, " + servers + " servers");
            }
        }
    }

    @Test
    void every_runtime_gives_the_same_bits() throws IOException {
        String first = ClusterBits.bits(cluster.job(PLAN.withNodes(1, 1), 1, 2));
        Network bad = Network.DEFAULT.withFaults(0.05, 0.05, 300_000);
        ClusterPlan simulated = PLAN.withNodes(3, 2).withWhere(new Where.Simulated(bad, 25, 0.5, 3));
        assertEquals(first, ClusterBits.bits(cluster.job(simulated, 1, 2)));
        ClusterPlan processes = PLAN.withNodes(2, 3).withWhere(new Where.Processes(Where.Transport.UNIX));
        assertEquals(first, ClusterBits.bits(cluster.job(processes, 2, 2)));
        ClusterPlan filtered = processes.withFilters("keycache,delta,runs,zstd").withNodes(1, 2);
        assertEquals(first, ClusterBits.bits(cluster.job(filtered, 2, 2)));
    }

    @Test
    void parts_with_features_in_common_give_the_same_bits_too() throws IOException {
        ClusterPlan plan = PLAN.withPlacement(Placement.PARSA);
        String first = ClusterBits.bits(cluster.job(plan.withNodes(1, 1), 1, 2));
        assertEquals(first, ClusterBits.bits(cluster.job(plan.withNodes(3, 2), 1, 2)));
        ClusterPlan processes = plan.withNodes(2, 2).withWhere(new Where.Processes(Where.Transport.UNIX));
        assertEquals(first, ClusterBits.bits(cluster.job(processes, 1, 2)));
        assertNotEquals(first, ClusterBits.bits(cluster.job(PLAN, 1, 2)));
    }

    @Test
    void other_numbers_of_streams_or_seeds_give_other_bits() throws IOException {
        String first = ClusterBits.bits(cluster.job(PLAN, 1, 2));
        assertNotEquals(first, ClusterBits.bits(cluster.job(PLAN.withStreams(5), 1, 2)));
        LinearTraining job = cluster.job(PLAN, 1, 2);
        assertNotEquals(first, ClusterBits.bits(job.withData(job.data().withSeed(8))));
    }

    @Test
    void a_worker_that_is_killed_changes_no_bit() throws IOException {
        assertSameWhenKilled(
                PLAN.withNodes(2, 2),
                new ClusterBits.Killer("WORKER", 0, 0.2),
                new ClusterBits.Killer("WORKER", 1, 0.5));
    }

    /// The second one has to be replaced by what the first one's successor was given.
    @Test
    void servers_that_are_killed_one_after_the_other_change_no_bit() throws IOException {
        assertSameWhenKilled(
                PLAN.withNodes(2, 3).withReplicas(1),
                new ClusterBits.Killer("SERVER", 0, 0.1),
                new ClusterBits.Killer("SERVER", 1, 0.6));
    }

    private void assertSameWhenKilled(ClusterPlan plan, ClusterBits.Killer one, ClusterBits.Killer other)
            throws IOException {
        ClusterBits large = new ClusterBits(directory, 20_000);
        String first = ClusterBits.bits(large.job(PLAN.withNodes(2, 1), 1, 10));
        LinearTraining job = large.job(plan.withWhere(new Where.Processes(Where.Transport.UNIX)), 1, 10);
        assertEquals(first, ClusterBits.bits(job.withWatch(ClusterBits.watch(one.andThen(other)))));
        assertTrue(one.killed && other.killed, "the run was over before both were killed");
    }

    @Test
    void what_cannot_be_the_same_every_time_is_refused() {
        assertRefused("the consistency bsp, not ssp:3", () -> Rhythm.DEFAULT.withDeterminism());
        assertRefused("--clock", () -> PLAN.rhythm().withBatchesPerClock(4));
        assertRefused("the filter fixed:2", () -> PLAN.withFilters("keycache,fixed:2"));
        assertRefused("--admit", () -> PLAN.withUpkeep(new Upkeep(2, 1 << 20, Long.MAX_VALUE)));
        assertRefused("--streams 9", () -> PLAN.withStreams(8).withNodes(9, 1));
        assertRefused(
                "8 streams for 9 workers",
                () -> PLAN.withStreams(ClusterPlan.USUAL).withNodes(9, 1));
    }

    private static void assertRefused(String why, Runnable settings) {
        String said =
                assertThrows(IllegalArgumentException.class, settings::run).getMessage();
        assertTrue(said.contains(why), said);
    }
}
