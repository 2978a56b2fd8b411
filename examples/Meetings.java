import java.util.Arrays;
import java.util.stream.IntStream;
import tandem.Cluster;
import tandem.client.Slice;
import tandem.consistency.After;
import tandem.consistency.Consistency;
import tandem.simulate.Network;
import tandem.simulate.Simulation;
import tandem.wire.Keys;
import tandem.wire.TableSpec;

/// A consistency of one's own: workers run free, and everyone meets at every tenth clock. Each counts its clocks in a
/// row of its own and looks at everyone's; worker 0 is three times slower.
void main() {
    Consistency meetings = (clock, sent) -> new After(sent, clock - clock % 10);
    int workers = 4;
    long[] furthest = new long[10];
    var simulation = new Simulation(1, Network.DEFAULT, (node, work) -> work * (node.number() == 0 ? 3_000_000 : 1_000_000));
    TableSpec counts = TableSpec.dense("counts", workers, 1);
    Cluster.embedded(workers, 2, counts).in(simulation).withConsistency(meetings).run(worker -> {
        Keys everyone = Keys.range(0, workers);
        Keys mine = Keys.range(worker.number(), 1);
        for (int clock = 0; clock < 100; clock++) {
            float[] seen = new float[workers];
            worker.await(worker.pull(new Slice(0, everyone, seen)));
            long slowest = (long) IntStream.range(0, workers).mapToDouble(w -> seen[w]).min().orElseThrow();
            furthest[clock % 10] = Math.max(furthest[clock % 10], clock - slowest);
            worker.session().station().worked(1);
            worker.push(new Slice(0, mine, new float[] {1}));
        }
    });
    IO.println("clocks ahead of the slowest, at most, by clocks since the last meeting: " + Arrays.toString(furthest));
    for (int since = 0; since < 10; since++) {
        if (furthest[since] > since) {
            throw new AssertionError(since + " clocks after a meeting someone was " + furthest[since] + " ahead");
        }
    }
    if (furthest[9] < 3) {
        throw new AssertionError("nobody ran ahead");
    }
}
