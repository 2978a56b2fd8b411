package tandem;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tandem.cluster.Heard;
import tandem.cluster.Traffic;
import tandem.wire.Address;
import tandem.worker.Learned;

/// What each worker told last of all that it did, and before it each that worked under the same number.
final class WorkerReports {

    private final Map<Address, TreeMap<Integer, WorkerReport>> reports = new TreeMap<>();

    void add(Address worker, WorkerReport report) {
        reports.computeIfAbsent(worker, _ -> new TreeMap<>()).put(report.life(), report);
    }

    /// Every one of them, for another coordinator.
    List<Milestone.Told> all() {
        return reports.entrySet().stream()
                .flatMap(worker ->
                        worker.getValue().values().stream().map(report -> new Milestone.Told(worker.getKey(), report)))
                .toList();
    }

    /// By number, what those did together that worked under it.
    List<WorkerReport> byWorker() {
        return reports.values().stream()
                .map(lives -> lives.values().stream().reduce(WorkerReport::plus).orElseThrow())
                .toList();
    }

    Learned learned() {
        return byWorker().stream().map(WorkerReport::learned).reduce(Learned.ZERO, Learned::plus);
    }

    Traffic traffic() {
        return byWorker().stream().map(WorkerReport::traffic).reduce(Traffic.NONE, Traffic::plus);
    }

    Map<Heard.Whose, Learned> learnedInEachLife() {
        Map<Heard.Whose, Learned> learned = new HashMap<>();
        reports.forEach((worker, lives) ->
                lives.forEach((life, report) -> learned.put(new Heard.Whose(worker, life), report.learned())));
        return learned;
    }
}
