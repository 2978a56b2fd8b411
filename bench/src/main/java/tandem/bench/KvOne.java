package tandem.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/// One key at a time, beside a bare echo over the same kind of socket: one whose ends sleep until bytes come, and one
/// whose ends look for them all the time. The targets are against the faster of the two.
record KvOne(KvSettings settings, KvCluster tcp, KvCluster unix, KvCluster embedded, RedisPeer redis, Notes notes)
        implements Part {

    private static final String NAME = "one key";
    private static final int REQUESTS = 20_000;

    @Override
    public Findings run() throws Exception {
        int requests = settings.scaled(REQUESTS);
        Map<String, Callable<KvTrial>> systems = new LinkedHashMap<>();
        add(systems, "TCP", tcp, requests);
        add(systems, "Unix", unix, requests);
        for (String what : List.of("pull", "push")) {
            systems.put(
                    "tandem %s, embedded".formatted(what),
                    () -> embedded.work("one %s %d".formatted(what, 20 * requests)));
        }
        if (redis != null) {
            systems.put("redis GET, TCP", () -> redis.get(requests));
        }
        List<KvRow> rows = new Turns(NAME, settings.rounds).run(systems, notes);
        List<Ratio> ratios = new ArrayList<>();
        for (String kind : List.of("TCP", "Unix")) {
            for (String what : List.of("pull", "push")) {
                ratios.add(Ratio.atMost(
                        2.5,
                        NAME,
                        "p50 of a %s over %s against the faster bare echo".formatted(what, kind),
                        p50(rows, "tandem %s, %s".formatted(what, kind))
                                / Math.min(
                                        p50(rows, "bare echo, " + kind),
                                        p50(rows, "bare echo that does not sleep, " + kind))));
            }
        }
        for (String what : List.of("pull", "push")) {
            ratios.add(Ratio.atMost(
                    1,
                    NAME,
                    "p50 of a %s over Unix against TCP".formatted(what),
                    p50(rows, "tandem %s, Unix".formatted(what)) / p50(rows, "tandem %s, TCP".formatted(what))));
            ratios.add(Ratio.atMost(
                    0.5,
                    NAME,
                    "CPU time of an embedded %s against TCP".formatted(what),
                    KvRow.find(rows, "tandem %s, embedded".formatted(what)).cpuNanosPerKey()
                            / KvRow.find(rows, "tandem %s, TCP".formatted(what)).cpuNanosPerKey()));
        }
        if (redis != null) {
            ratios.add(Ratio.plain(
                    NAME,
                    "p50 of a pull against redis GET",
                    p50(rows, "tandem pull, TCP") / p50(rows, "redis GET, TCP")));
        }
        return new Findings(rows, ratios);
    }

    private static void add(Map<String, Callable<KvTrial>> systems, String kind, KvCluster cluster, int requests) {
        String bare = cluster.bare(false);
        String alert = cluster.bare(true);
        systems.put("bare echo, " + kind, () -> cluster.work("echo sleeps " + bare + " " + requests));
        systems.put(
                "bare echo that does not sleep, " + kind, () -> cluster.work("echo alert " + alert + " " + requests));
        systems.put("tandem pull, " + kind, () -> cluster.work("one pull " + requests));
        systems.put("tandem push, " + kind, () -> cluster.work("one push " + requests));
    }

    private static double p50(List<KvRow> rows, String system) {
        return KvRow.find(rows, system).p50Micros();
    }
}
