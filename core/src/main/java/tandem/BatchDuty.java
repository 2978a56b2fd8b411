package tandem;

import java.io.IOException;
import java.util.List;
import tandem.client.Ticket;
import tandem.consistency.Changing;
import tandem.consistency.Consistency;
import tandem.consistency.Timetable;
import tandem.worker.MinibatchLoop;
import tandem.worker.MinibatchTask;
import tandem.worker.Ranges;

/// Works through a pass, batch after batch, reading as far behind others as the consistency of the moment allows.
final class BatchDuty implements WorkerDuty {

    private final Workplace place;
    private final Rhythm rhythm;
    private final List<MinibatchTask> tasks;
    private final Changing consistency;
    private final MinibatchLoop loop;

    BatchDuty(Workplace place) {
        this.place = place;
        rhythm = place.job().terms().rhythm();
        tasks = place.tasks();
        consistency = new Changing(Consistency.named(new Timetable(rhythm.consistency()).at(0, 1)));
        place.member().whenGuided(name -> consistency.become(Consistency.named(name)));
        loop = new MinibatchLoop(
                place.session(),
                place.data(),
                new MinibatchLoop.Beat(
                        consistency,
                        rhythm.batchesPerClock(),
                        rhythm.pushBytesPerSecond(),
                        place.job().inOrder()),
                place::tell);
    }

    @Override
    public WorkerReport work(Order order) throws IOException {
        Order.Pass pass = order.work(Order.Pass.class);
        consistency.become(Consistency.named(order.consistency()));
        Ticket enough = place.enough();
        Ranges ranges = rhythm.steal() ? new MemberRanges(place.member(), place.session(), enough) : null;
        boolean over = loop.run(
                tasks.get(order.problem()),
                new MinibatchLoop.Round(pass.number(), order.rounds(), pass.until(), enough, ranges));
        return place.report(loop.learned(), over);
    }
}
