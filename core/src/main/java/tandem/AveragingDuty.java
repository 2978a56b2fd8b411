package tandem;

import java.io.IOException;
import java.util.List;
import tandem.topology.Peers;
import tandem.worker.AveragingLoop;
import tandem.worker.MinibatchTask;

/// Works through a pass on weights of its own, and averages them with other workers. An order that was given to this
/// worker in an earlier life is not for it: others wait for sums that it has forgotten.
final class AveragingDuty implements WorkerDuty {

    private final Workplace place;
    private final int self;
    private final List<MinibatchTask> tasks;
    private final AveragingLoop loop;

    /// @param self the number of this worker
    AveragingDuty(Workplace place, Peers peers, int self) {
        this.place = place;
        this.self = self;
        tasks = place.tasks();
        loop = new AveragingLoop(
                place.session(), place.data(), peers, place.job().topology(), place::tell);
    }

    @Override
    public WorkerReport work(Order order) throws IOException {
        Order.Averages averages = order.work(Order.Averages.class);
        MinibatchTask task = tasks.get(order.problem());
        AveragingLoop.Round round = averages.round(order.rounds(), self, place.enough());
        boolean over = averages.lives().get(self) == place.life()
                && (averages.writers() == null ? loop.run(task, round) : loop.write(task, round, averages.writers()));
        return place.report(loop.learned(), over);
    }
}
