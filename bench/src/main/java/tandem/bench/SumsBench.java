package tandem.bench;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tandem.Cluster;
import tandem.simulate.Machines;
import tandem.simulate.Network;
import tandem.simulate.Simulation;
import tandem.topology.Topology;
import tandem.wire.Address;
import tandem.wire.Values;

/// `bench sums`.
@Command(
        name = "sums",
        header = "Is a sum over workers faster round a ring or directly?",
        description = "Workers sum arrays with each other over simulated links; beside what the bytes and the latency"
                + " of each way cost without pipelining.",
        sortOptions = false)
final class SumsBench implements Callable<Integer> {

    private static final int SUMS = 5;

    /// 1 Gbit/s and 0.1 ms.
    private static final Network LINKS = new Network(100_000, 0, 1.25e8, 0, 0);

    @Mixin
    private JsonOption printed = new JsonOption();

    private final PrintStream out;
    private final Notes notes;

    SumsBench(PrintStream out, Notes notes) {
        this.out = out;
        this.notes = notes;
    }

    /// One line.
    ///
    /// @param millis     virtual time of a sum
    /// @param plainMillis what its steps cost one after the other: latency, and bytes at the speed of a link
    /// @param sentShare  bytes that a worker sent, as a share of the array's
    record SumRow(String part, String system, double millis, double plainMillis, double sentShare) implements Measured {

        @Override
        public List<Cell> cells() {
            return List.of(
                    new Cell("system", system),
                    new Cell("virtual ms", Outcome.number(millis)),
                    new Cell("steps one by one, ms", Outcome.number(plainMillis)),
                    new Cell("sent, of the array", Outcome.fixed(3, sentShare)));
        }
    }

    @Override
    public Integer call() {
        List<SumRow> rows = new ArrayList<>();
        List<Ratio> ratios = new ArrayList<>();
        for (int length : new int[] {256, 16_384, 1 << 20}) {
            String part = "%s floats".formatted(length);
            notes.progress(part);
            for (int workers : new int[] {2, 4, 8}) {
                SumRow ring = row(part, Topology.RING, workers, length);
                SumRow direct = row(part, Topology.DIRECT, workers, length);
                rows.add(ring);
                rows.add(direct);
                ratios.add(Ratio.plain(
                        part, workers + " workers: ring, times the time of direct", ring.millis / direct.millis));
            }
        }
        Outcome outcome = new Outcome(
                "sums",
                "Is a sum over workers faster round a ring or directly?",
                "./tandem bench sums",
                Machine.here(),
                1,
                "arrays of floats; 1 Gbit/s in and out of each worker, 0.1 ms, simulated",
                rows,
                ratios,
                List.of(),
                notes.remarks());
        out.print(printed.json ? outcome.json() : outcome.text());
        out.flush();
        return 0;
    }

    private static SumRow row(String part, Topology topology, int workers, int length) {
        Simulation simulation = new Simulation(1, LINKS, Machines.even(0));
        long[] spent = new long[workers];
        long[] before = new long[workers];
        long[] sent = new long[workers];
        Cluster.embedded(workers, 1).in(simulation).run(worker -> {
            float[] values = new float[length];
            int self = worker.number();
            // The first one finds out where everybody is.
            worker.await(worker.sum(topology, Values.of(values)));
            before[self] = simulation.traffic(Address.worker(self)).sent();
            long start = simulation.nowNanos();
            for (int s = 0; s < SUMS; s++) {
                worker.await(worker.sum(topology, Values.of(values)));
            }
            spent[self] = simulation.nowNanos() - start;
            sent[self] = simulation.traffic(Address.worker(self)).sent() - before[self];
        });
        double share = 2.0 * (workers - 1) / workers;
        double steps = topology == Topology.RING ? 2 * (workers - 1) : 2;
        double plain = steps * LINKS.latencyNanos() + share * length * Float.BYTES / LINKS.bytesPerSecond() * 1e9;
        return new SumRow(
                part,
                "%s, %d workers".formatted(topology.name().toLowerCase(Locale.ROOT), workers),
                spent[0] * 1e-6 / SUMS,
                plain * 1e-6,
                (double) sent[0] / SUMS / (length * (double) Float.BYTES));
    }
}
