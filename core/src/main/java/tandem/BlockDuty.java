package tandem;

import java.io.IOException;
import java.util.List;
import tandem.worker.BlockLoop;
import tandem.worker.BlockTask;

/// Says what the examples here think of the weights of each block; see [BlockCourse].
final class BlockDuty implements WorkerDuty {

    private final Workplace place;
    private final List<BlockTask> tasks;
    private final BlockLoop loop;

    BlockDuty(Workplace place, Method.Blocks blocks) {
        this.place = place;
        tasks = place.tasks().stream()
                .map(task -> new BlockTask(
                        task.loss(),
                        task.target(),
                        task.positiveWeight(),
                        task.table(),
                        task.intercept(),
                        blocks.ranges(),
                        blocks.proven(),
                        blocks.groups(),
                        place.job().terms().seed()))
                .toList();
        loop = new BlockLoop(place.session(), place.data(), blocks.columns(), place::tell);
    }

    @Override
    public WorkerReport work(Order order) throws IOException {
        Order.Blocks round = order.work(Order.Blocks.class);
        // Nothing is sent for a bound: the streams are where they should be.
        boolean bounds = round.aim() == Order.Blocks.Aim.BOUND;
        long number = bounds ? order.rounds() - 1 : order.rounds();
        int delay = BlockCourse.delay(order.consistency());
        boolean over = loop.run(tasks.get(order.problem()), round.round(number, delay, place.enough()));
        return place.report(loop.learned(), over)
                .withBlocks(bounds ? loop.bounds(round.balance(), round.scale()) : loop.sums());
    }
}
