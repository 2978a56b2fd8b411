package tandem;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tandem.cluster.Conductor;
import tandem.cluster.Coordinator;
import tandem.report.Json;
import tandem.wire.Address;

/// All workers, the coordinator's side: waits for what they were told to do, and takes what they tell of it.
final class Workers {

    private static final int GENERATION_BITS = 24;

    private final Run run;
    private final Conductor conductor;
    private final WorkerReports reports;

    /// What each worker told last of the work that it was given last.
    private final Map<Address, WorkerReport> told = new TreeMap<>();

    /// Orders to work of which nothing has been heard, though the work may be over.
    private final List<Coordinator.Order> unsettled = new ArrayList<>();

    /// How many orders went to workers that average among themselves.
    private long generations;

    /// @param reports where to put what they tell
    Workers(Run run, Conductor conductor, WorkerReports reports) {
        this.run = run;
        this.conductor = conductor;
        this.reports = reports;
    }

    /// Waits until enough of them have done what was begun.
    void await(Coordinator.Round round, Runnable meanwhile) {
        told.clear();
        conductor.awaitEnough(round, DistributedTraining.TICK_NANOS, meanwhile);
        unsettled.addAll(conductor.orders(round));
    }

    /// Takes what workers have told of their work, and if `all` waits for those that have not.
    void settle(boolean all) {
        for (Coordinator.Order order : List.copyOf(unsettled)) {
            if (all || order.ticket().isDone()) {
                byte[] result = conductor.result(order, DistributedTraining.TICK_NANOS, run::stopUnlessKept);
                unsettled.remove(order);
                if (result.length == 0) {
                    continue; // it is gone, and others did what it had to do
                }
                WorkerReport report = Json.read(result, WorkerReport.class);
                reports.add(order.to(), report);
                told.put(order.to(), report);
            }
        }
    }

    /// What each told of the work that it was given last.
    Map<Address, WorkerReport> told() {
        return told;
    }

    /// How far streams have come, as those told who worked on them last.
    Stream<WorkerReport.Position> positions() {
        return told.values().stream().flatMap(report -> report.streams().stream());
    }

    /// A number that rises, whoever is the coordinator.
    long generation() {
        return (conductor.term() << GENERATION_BITS) + ++generations;
    }
}
