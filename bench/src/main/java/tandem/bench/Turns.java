package tandem.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/// Stores that answer the same requests in turns, so that a change in the machine meets all of them.
///
/// @param part   what the work is called in the report
/// @param rounds how often each has its turn, not counting the first times, for code to be compiled
record Turns(String part, int rounds) {

    static final int WARM_UP = 2;

    List<KvRow> run(Map<String, Callable<KvTrial>> systems, Notes notes) throws Exception {
        Map<String, List<KvTrial>> trials = new LinkedHashMap<>();
        systems.keySet().forEach(system -> trials.put(system, new ArrayList<>()));
        for (int round = 0; round < WARM_UP + rounds; round++) {
            boolean counts = round >= WARM_UP;
            notes.progress("%s: %s"
                    .formatted(part, counts ? "round %d of %d".formatted(round - WARM_UP + 1, rounds) : "warming up"));
            for (var system : systems.entrySet()) {
                KvTrial trial = system.getValue().call();
                if (counts) {
                    trials.get(system.getKey()).add(trial);
                }
            }
        }
        List<KvRow> rows = new ArrayList<>();
        trials.forEach((system, runs) -> rows.add(KvRow.of(part, system, runs)));
        return rows;
    }
}
