package tandem.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/// Repeated lists over a link of 1 Gbit/s, beside the time that the bytes of keys and values would take on it.
record KvShaped(KvSettings settings, Notes notes) implements Part {

    private static final String NAME = "100 k keys, the same list, at 1 Gbit/s";
    private static final double BYTES_PER_SECOND = 125e6;
    private static final int KEYS = 100_000;

    @Override
    public Findings run() throws Exception {
        int keys = settings.scaled(KEYS);
        try (KvCluster cluster = KvCluster.processes(KvNetwork.shaped(BYTES_PER_SECOND), 1, 1, notes)) {
            Map<String, Callable<KvTrial>> systems = new LinkedHashMap<>();
            for (String way : List.of("push", "pull")) {
                systems.put("tandem " + way, () -> cluster.work("list %s %d 50".formatted(way, keys)));
            }
            List<KvRow> rows = new Turns(NAME, settings.rounds).run(systems, notes);
            return new Findings(
                    rows, List.of(ratio(rows, "push", 12, 0.45, keys), ratio(rows, "pull", 20, 0.30, keys)));
        }
    }

    private static Ratio ratio(List<KvRow> rows, String way, int bytes, double target, int keys) {
        double alone = bytes * keys / BYTES_PER_SECOND;
        return Ratio.atMost(
                target,
                NAME,
                "time of a %s against %d bytes a key on that link".formatted(way, bytes),
                KvRow.find(rows, "tandem " + way).secondsPerRequest() / alone);
    }
}
