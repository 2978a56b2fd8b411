package tandem;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tandem.worker.MinibatchTask;
import tandem.worker.ProximalLoop;
import tandem.worker.ProximalTask;

/// Finds the gradients of the examples here, or of the features, clock after clock; see [ProximalCourse].
final class ProximalDuty implements WorkerDuty {

    private final Workplace place;
    private final List<ProximalTask> tasks = new ArrayList<>();
    private final ProximalLoop loop;

    ProximalDuty(Workplace place, Method.Proximal proximal) {
        this.place = place;
        for (MinibatchTask task : place.tasks()) {
            tasks.add(new ProximalTask(
                    task.loss(),
                    task.target(),
                    task.positiveWeight(),
                    task.table(),
                    task.intercept(),
                    place.job().marginTable(tasks.size()),
                    proximal.penalty(),
                    proximal.guaranteed()));
        }
        loop = new ProximalLoop(place.session(), place.data(), place::tell);
    }

    @Override
    public WorkerReport work(Order order) throws IOException {
        int delay = ProximalCourse.delay(order.consistency());
        ProximalLoop.Round round = order.work(Order.Clocks.class).round(delay, place.enough());
        boolean over = loop.run(tasks.get(order.problem()), round);
        return place.report(loop.learned(), over)
                .with(new WorkerReport.Clocks(loop.sums(round).stream()
                        .collect(Collectors.toMap(ProximalLoop.Sums::stream, ProximalLoop.Sums::numbers))));
    }
}
