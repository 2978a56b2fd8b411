package tandem.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/// Lists of keys: the same again, fresh ones on a large store, and keys that are new to it. What counts is the CPU time
/// of all processes for a key.
record KvKeys(KvSettings settings, KvCluster tcp, KvCluster embedded, RedisPeer redis, Notes notes) implements Part {

    private static final int HUNDRED_THOUSAND = 100_000;
    private static final int MILLION = 1_000_000;

    private static final class Found {
        final List<KvRow> rows = new ArrayList<>();
        final List<Ratio> ratios = new ArrayList<>();
    }

    @Override
    public Findings run() throws Exception {
        Found found = new Found();
        repeated("100 k keys, the same list", settings.scaled(HUNDRED_THOUSAND), 300, 8, found);
        repeated("1 M keys, the same list", settings.scaled(MILLION), 30, 15, found);
        inserted(found);
        fresh(found);
        return new Findings(found.rows, found.ratios);
    }

    private void repeated(String name, int keys, int requests, double target, Found found) throws Exception {
        Map<String, Callable<KvTrial>> systems = both(way -> "list %s %d %d".formatted(way, keys, requests));
        if (redis != null && keys <= HUNDRED_THOUSAND) {
            systems.put("redis MSET", () -> redis.many(true, keys, 3));
            systems.put("redis MGET", () -> redis.many(false, keys, 3));
            systems.put("redis INCRBYFLOAT", () -> redis.add(keys, 1));
        }
        List<KvRow> rows = new Turns(name, settings.rounds).run(systems, notes);
        compare(name, rows, target, found);
        if (redis != null && keys <= HUNDRED_THOUSAND) {
            for (String command : List.of("MSET", "INCRBYFLOAT", "MGET")) {
                String mine = command.equals("MGET") ? "tandem pull, TCP" : "tandem push, TCP";
                found.ratios.add(Ratio.atLeast(
                        command.equals("INCRBYFLOAT") ? 20 : 10,
                        name,
                        "keys a second of a %s against redis %s".formatted(mine.split("[ ,]")[1], command),
                        KvRow.find(rows, mine).keysPerSecond()
                                / KvRow.find(rows, "redis " + command).keysPerSecond()));
            }
        }
    }

    private void inserted(Found found) throws Exception {
        String name = "new keys, up to %,d in the store".formatted(settings.keys);
        int keys = settings.scaled(HUNDRED_THOUSAND);
        int requests = (int) (settings.keys / keys / (settings.rounds + Turns.WARM_UP));
        Map<String, Callable<KvTrial>> systems = new LinkedHashMap<>();
        systems.put("tandem push, TCP", () -> tcp.work("insert %d %d".formatted(keys, requests)));
        systems.put("tandem push, embedded", () -> embedded.work("insert %d %d".formatted(keys, requests)));
        List<KvRow> rows = new Turns(name, settings.rounds).run(systems, notes);
        found.rows.addAll(rows);
        for (KvRow row : rows) {
            found.ratios.add(Ratio.atLeast(
                    5, name, "million new keys a second and core, " + row.system(), 1e3 / row.cpuNanosPerKey()));
        }
        half(name, rows, "push", found);
    }

    private void fresh(Found found) throws Exception {
        String name = "fresh random 100 k keys of %,d in the store".formatted(settings.keys);
        int keys = settings.scaled(HUNDRED_THOUSAND);
        List<KvRow> rows =
                new Turns(name, settings.rounds).run(both(way -> "fresh %s %d %d".formatted(way, keys, 20)), notes);
        compare(name, rows, 45, found);
    }

    private interface Order {
        String of(String way);
    }

    private Map<String, Callable<KvTrial>> both(Order order) {
        Map<String, Callable<KvTrial>> systems = new LinkedHashMap<>();
        for (String way : List.of("push", "pull")) {
            systems.put("tandem %s, TCP".formatted(way), () -> tcp.work(order.of(way)));
            systems.put("tandem %s, embedded".formatted(way), () -> embedded.work(order.of(way)));
        }
        return systems;
    }

    private void compare(String name, List<KvRow> rows, double target, Found found) {
        found.rows.addAll(rows);
        for (String way : List.of("push", "pull")) {
            found.ratios.add(
                    Ratio.atMost(target, name, "CPU ns a key of a %s over TCP".formatted(way), cpu(rows, way, "TCP")));
            half(name, rows, way, found);
        }
    }

    private static void half(String name, List<KvRow> rows, String way, Found found) {
        found.ratios.add(Ratio.atMost(
                0.5,
                name,
                "CPU time of an embedded %s against TCP".formatted(way),
                cpu(rows, way, "embedded") / cpu(rows, way, "TCP")));
    }

    private static double cpu(List<KvRow> rows, String way, String kind) {
        return KvRow.find(rows, "tandem %s, %s".formatted(way, kind)).cpuNanosPerKey();
    }
}
