package tandem;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tandem.worker.DualLoop;
import tandem.worker.DualTask;
import tandem.worker.MinibatchTask;

/// Ascends the dual of the examples here; see [DualCourse].
final class DualDuty implements WorkerDuty {

    private final Workplace place;
    private final List<DualTask> tasks = new ArrayList<>();
    private final DualLoop loop;

    DualDuty(Workplace place, Method.Dual dual) {
        this.place = place;
        LinearJob job = place.job();
        for (MinibatchTask task : place.tasks()) {
            tasks.add(new DualTask(
                    task.loss(),
                    task.target(),
                    task.positiveWeight(),
                    task.table(),
                    job.slopesTable(tasks.size()),
                    dual.penalty(),
                    job.intercept(),
                    dual.batchRows(),
                    job.terms().seed()));
        }
        loop = new DualLoop(place.session(), place.data(), place::tell);
    }

    @Override
    public WorkerReport work(Order order) throws IOException {
        DualLoop.Round round = order.work(Order.Dual.class).round(order.rounds(), place.enough());
        boolean over = loop.run(tasks.get(order.problem()), round);
        return place.report(loop.learned(), over).with(new WorkerReport.Dual(over ? loop.sums(round) : List.of()));
    }
}
