package tandem;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import tandem.client.Call;
import tandem.client.Ticket;
import tandem.worker.GradientLoop;
import tandem.worker.GradientTask;

/// Looks at points and pushes their gradients, and passes on what servers are to do with vectors; see [LbfgsCourse].
final class LbfgsDuty implements WorkerDuty {

    private final Workplace place;
    private final List<GradientTask> tasks;
    private final GradientLoop loop;

    LbfgsDuty(Workplace place) {
        this.place = place;
        tasks = place.tasks().stream()
                .map(task -> new GradientTask(task.loss(), task.target(), task.positiveWeight(), task.table()))
                .toList();
        loop = new GradientLoop(place.session(), place.data(), place::tell);
    }

    @Override
    public WorkerReport work(Order order) throws IOException {
        GradientTask task = tasks.get(order.problem());
        Order.Vectors vectors = order.work(Order.Vectors.class);
        GradientLoop.Point point = vectors.point();
        Ticket enough = place.enough();
        Map<Integer, GradientLoop.Seen> seen = Map.of();
        Map<Integer, double[]> figures = Map.of();
        switch (vectors.deed()) {
            case Order.Vectors.Look _ ->
                seen = loop.look(task, point, new MemberRanges(place.member(), place.session(), enough), enough);
            case Order.Vectors.LookAtOwn own -> {
                int streams = place.job().terms().streams();
                seen = loop.look(task, point, of -> GradientLoop.Portion.of(of, streams, own.batches()), enough);
            }
            case Order.Vectors.Push push -> loop.push(task, order.rounds(), point, push.shares(), enough);
            case Order.Vectors.Tick _ -> loop.tick(task, order.rounds(), enough);
            case Order.Vectors.Between between -> figures = loop.between(point.base(), point.number(), between.at());
            case Order.Vectors.Bound bound -> figures = loop.dual(point.number(), point.balance(), bound.scale());
            case Order.Vectors.Change change -> {
                Call call = new Call(task.table(), SolverRules.change(change.what()), change.with());
                loop.change(task, order.rounds(), call, enough);
            }
        }
        return place.report(loop.learned(), true).with(new WorkerReport.Vectors(seen, figures));
    }
}
