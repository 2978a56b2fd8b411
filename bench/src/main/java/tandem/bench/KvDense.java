package tandem.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/// Dense rows: 4 MiB one after another, and a hundred times 1 MiB at once, beside the same bytes over a bare socket.
record KvDense(KvSettings settings, KvCluster tcp, KvCluster unix, KvCluster embedded, Notes notes) implements Part {

    private static final int MIB = 1 << 20;
    private static final int ALONE = 100;
    private static final int IN_FLIGHT = 100;

    @Override
    public Findings run() throws Exception {
        List<KvRow> rows = new ArrayList<>();
        List<Ratio> ratios = new ArrayList<>();
        measure("dense, 4 MiB", 4 * MIB, settings.scaled(ALONE), 1, rows, ratios);
        measure("dense, 100 × 1 MiB in flight", IN_FLIGHT * MIB, settings.scaled(2), IN_FLIGHT, rows, ratios);
        return new Findings(rows, ratios);
    }

    private void measure(String name, int bytes, int requests, int inFlight, List<KvRow> rows, List<Ratio> ratios)
            throws Exception {
        Map<String, Callable<KvTrial>> systems = new LinkedHashMap<>();
        for (String way : List.of("push", "pull")) {
            for (Kind kind : List.of(new Kind("TCP", tcp), new Kind("Unix", unix))) {
                String bare = kind.cluster.bare(false);
                systems.put(
                        "bare %s, %s".formatted(way, kind.name),
                        () -> kind.cluster.work("move %s %s %d %d".formatted(bare, way, bytes, requests)));
                systems.put(
                        "tandem %s, %s".formatted(way, kind.name),
                        () -> kind.cluster.work("dense %s %d %d".formatted(way, requests, inFlight)));
            }
            systems.put(
                    "tandem %s, embedded".formatted(way),
                    () -> embedded.work("dense %s %d %d".formatted(way, 3 * requests, inFlight)));
        }
        List<KvRow> found = new Turns(name, settings.rounds).run(systems, notes);
        rows.addAll(found);
        for (String way : List.of("push", "pull")) {
            for (String kind : List.of("TCP", "Unix")) {
                ratios.add(Ratio.atLeast(
                        0.7,
                        name,
                        "speed of a %s over %s against a bare socket".formatted(way, kind),
                        speed(found, "tandem %s, %s".formatted(way, kind))
                                / speed(found, "bare %s, %s".formatted(way, kind))));
            }
            ratios.add(Ratio.atMost(
                    0.5,
                    name,
                    "CPU time of an embedded %s against TCP".formatted(way),
                    KvRow.find(found, "tandem %s, embedded".formatted(way)).cpuNanosPerKey()
                            / KvRow.find(found, "tandem %s, TCP".formatted(way)).cpuNanosPerKey()));
        }
    }

    private record Kind(String name, KvCluster cluster) {}

    private static double speed(List<KvRow> rows, String system) {
        return KvRow.find(rows, system).megabytesPerSecond();
    }
}
