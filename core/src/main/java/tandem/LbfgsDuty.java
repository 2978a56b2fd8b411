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
        GradientTask task = tasks.get(order.table());
        Order.Vectors vectors = order.vectors();
        GradientLoop.Point point = vectors.point();
        Ticket enough = place.enough();
        Map<Integer, GradientLoop.Seen> seen = Map.of();
        Map<Integer, double[]> figures = Map.of();
        switch (vectors.what()) {
            case "look" ->
                seen = loop.look(task, point, new MemberRanges(place.member(), place.session(), enough), enough);
            case "own" -> {
                int streams = place.job().terms().streams();
                long batches = (long) vectors.number();
                seen = loop.look(task, point, of -> GradientLoop.Portion.of(of, streams, batches), enough);
            }
            case "tick" -> loop.tick(task, order.rounds(), enough);
            case "push" -> loop.push(task, order.rounds(), point, vectors.shares(), enough);
            case "between" -> figures = loop.between(point.base(), point.number(), vectors.number());
            case "dual" -> figures = loop.dual(point.number(), point.balance(), vectors.number());
            default -> {
                Call call = new Call(task.table(), SolverRules.change(vectors.what()), vectors.change());
                loop.change(task, order.rounds(), call, enough);
            }
        }
        return place.report(loop.learned(), true).seeing(seen).saying(figures);
    }
}
