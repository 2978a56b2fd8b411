package tandem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tandem.client.Session;
import tandem.client.Slice;
import tandem.client.Ticket;
import tandem.consistency.After;
import tandem.data.Clicks;
import tandem.data.Data;
import tandem.problem.Separable;
import tandem.server.UpdateRule;
import tandem.simulate.Network;
import tandem.wire.Age;
import tandem.wire.Keys;
import tandem.wire.TableSpec;

/// How late updates are, as the rules of servers hear it.
class AgesTest {

    /// Sums up the delays of updates in its weight.
    private record Delays(long delay) implements UpdateRule {

        @Override
        public int columns() {
            return 1;
        }

        @Override
        public UpdateRule aged(Age age) {
            return new Delays(age.delay());
        }

        @Override
        public void update(float[] entries, int at, float gradient) {
            entries[at] += delay;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void an_update_is_as_late_as_there_were_others_since_its_rows_were_read(int servers) {
        TableSpec table = TableSpec.dense("delays", 4, 1).withRule("delays");
        float[] delays = new float[4];
        Cluster.embedded(1, servers, table)
                .withRules(rules -> rules.with("delays", _ -> new Delays(0)))
                .run(worker -> {
                    Session session = worker.session();
                    int stream = session.streams()[0];
                    Slice rows = new Slice(0, Keys.range(0, 4), delays);
                    Ticket early = read(session, stream, rows);
                    for (int clock = 1; clock <= 3; clock++) {
                        push(session, stream, clock, early);
                    }
                    Ticket late = read(session, stream, rows);
                    assertEquals(early.updates() + 3, late.updates());
                    push(session, stream, 4, late);
                    push(session, stream, 5, late);
                    read(session, stream, rows);
                    session.await(session.update(stream, 6, new Slice(0, Keys.range(0, 4), new float[4])));
                    read(session, stream, rows);
                });
        // 0 + 1 + 2, then 0 + 1; of the last nobody knows, so it counts as in time
        assertArrayEquals(new float[] {4, 4, 4, 4}, delays);
    }

    private static Ticket read(Session session, int stream, Slice rows) {
        Ticket read = session.pull(stream, After.NOTHING, rows);
        session.await(read);
        return read;
    }

    private static void push(Session session, int stream, long clock, Ticket read) {
        Slice change = new Slice(0, Keys.range(0, 4), new float[4]);
        session.await(session.update(stream, clock, Age.of(read.updates()), change));
    }

    /// Messages travel for longer than anybody computes, so that the next batch is computed before what came of the
    /// last is known, unless it has to be.
    @ParameterizedTest
    @CsvSource({"bsp, 1", "bsp, 3", "bounded:1, 1", "async, 3"})
    void in_training_adadelay_is_adagrad_only_where_nothing_is_late(
            String consistency, int workers, @TempDir Path directory) throws IOException {
        Path clicks = directory.resolve("clicks.svm");
        Clicks.DEFAULT.withRows(600).withFeatures(100).write(clicks, 1, _ -> {});
        Where.Simulated far = new Where.Simulated(new Network(50_000_000, 0, 1.25e9, 0, 0), 25, 0, 1);
        double[] went = new double[2];
        for (Solver.Rule rule : new Solver.Rule[] {Solver.Rule.ADAGRAD, Solver.Rule.ADADELAY}) {
            Solver solver = Solver.Online.of(rule).withAlpha(0.1).withBeta(1).withPasses(1);
            double[] weights = LinearTraining.of(
                            Linear.DEFAULT
                                    .withThreads(1)
                                    .withIntercept(false)
                                    .withPenalty(Separable.NONE)
                                    .withSolver(solver),
                            Data.of(clicks.toString()))
                    .withCache(new CacheUse.Auto(directory.resolve("cache")))
                    .withCluster(ClusterPlan.DEFAULT
                            .withNodes(workers, 1)
                            .withConsistency(consistency)
                            .withBatchRows(20)
                            .withWhere(far))
                    .run()
                    .model()
                    .weights()[0];
            went[rule == Solver.Rule.ADADELAY ? 1 : 0] =
                    DoubleStream.of(weights).map(Math::abs).sum();
        }
        String said = "adadelay " + went[1] + ", adagrad " + went[0];
        if (consistency.equals("bsp") && workers == 1) {
            assertEquals(went[0], went[1], said);
        } else {
            assertTrue(Math.abs(went[1] - went[0]) > 0.01 * went[0], said);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"essp:2", "significant", "budget", "aggregate"})
    void what_hides_how_late_an_update_is_does_not_go_with_adadelay(String what) {
        ClusterPlan plan = ClusterPlan.DEFAULT.withNodes(2, 2);
        ClusterPlan hiding = switch (what) {
            case "significant" -> plan.withFilters("significant:0.01");
            case "budget" ->
                plan.withRhythm(plan.rhythm().withBatchesPerClock(8).withPushBytesPerSecond(1e6));
            case "aggregate" ->
                plan.withConsistency("bsp")
                        .withCopies(Copies.NONE.withReplicas(1).withReplication(Copies.Replication.AGGREGATE));
            default -> plan.withConsistency(what);
        };
        Solver adaDelay = Solver.Online.of(Solver.Rule.ADADELAY);
        String why = assertThrows(IllegalArgumentException.class, () -> hiding.check(adaDelay))
                .getMessage();
        assertTrue(why.contains("use --solver adagrad"), why);
        hiding.check(Solver.Online.of(Solver.Rule.ADAGRAD));
    }

    @Test
    void an_age_that_nobody_knows_is_no_delay() {
        assertEquals(0, Age.UNKNOWN.met(7).delay());
        assertEquals(0, Age.of(-1).met(7).delay());
        assertEquals(3, Age.of(4).met(7).delay());
    }
}
