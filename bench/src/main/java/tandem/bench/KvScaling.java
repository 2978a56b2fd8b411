package tandem.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import tandem.report.Chart;

/// Keys a second and bytes against the number of servers and workers, each a process: repeated lists, every worker
/// with pushes and pulls of its own.
record KvScaling(KvSettings settings, Notes notes) implements Part {

    private static final String NAME = "servers and workers, 100 k keys, the same list";
    private static final int KEYS = 100_000;
    private static final int[] SERVERS = {1, 2};
    private static final int[] WORKERS = {1, 2, 4};

    @Override
    public Findings run() throws Exception {
        int keys = settings.scaled(KEYS);
        List<KvRow> rows = new ArrayList<>();
        for (int servers : SERVERS) {
            try (KvCluster cluster = KvCluster.processes(KvNetwork.of("tcp"), servers, 4, notes)) {
                Map<String, Callable<KvTrial>> systems = new LinkedHashMap<>();
                for (int workers : WORKERS) {
                    systems.put(system(servers, workers), () -> cluster.work(workers, "both %d 50".formatted(keys)));
                }
                rows.addAll(new Turns(NAME, settings.rounds).run(systems, notes));
            }
        }
        if (settings.plots != null) {
            draw(rows);
        }
        double one = KvRow.find(rows, system(1, 1)).keysPerSecond();
        return new Findings(
                rows,
                List.of(
                        Ratio.plain(
                                NAME,
                                "keys/s of 2 workers against 1, 1 server",
                                KvRow.find(rows, system(1, 2)).keysPerSecond() / one),
                        Ratio.plain(
                                NAME,
                                "keys/s of 2 servers and 2 workers against 1 and 1",
                                KvRow.find(rows, system(2, 2)).keysPerSecond() / one),
                        Ratio.plain(
                                NAME,
                                "bytes a key with 4 workers against 1",
                                KvRow.find(rows, system(1, 4)).wireBytesPerKey()
                                        / KvRow.find(rows, system(1, 1)).wireBytesPerKey())));
    }

    private static String system(int servers, int workers) {
        return "tandem, %d server%s, %d worker%s"
                .formatted(servers, servers == 1 ? "" : "s", workers, workers == 1 ? "" : "s");
    }

    private void draw(List<KvRow> rows) throws Exception {
        Path folder = Files.createDirectories(settings.plots);
        List<Chart.Line> speed = new ArrayList<>();
        List<Chart.Line> bytes = new ArrayList<>();
        for (int servers : SERVERS) {
            double[] x = new double[WORKERS.length];
            double[] perSecond = new double[WORKERS.length];
            double[] perStep = new double[WORKERS.length];
            for (int w = 0; w < WORKERS.length; w++) {
                KvRow row = KvRow.find(rows, system(servers, WORKERS[w]));
                x[w] = WORKERS[w];
                perSecond[w] = row.keysPerSecond();
                perStep[w] = row.wireBytesPerKey() * 2 * settings.scaled(KEYS) * WORKERS[w];
            }
            String name = servers + (servers == 1 ? " server" : " servers");
            speed.add(new Chart.Line(name, x, perSecond));
            bytes.add(new Chart.Line(name, x, perStep));
        }
        new Chart("keys pushed and pulled a second", "workers", "keys/s", speed).write(folder.resolve("kv-keys.svg"));
        new Chart("bytes for one push and pull of every worker", "workers", "bytes", bytes)
                .write(folder.resolve("kv-bytes.svg"));
    }
}
