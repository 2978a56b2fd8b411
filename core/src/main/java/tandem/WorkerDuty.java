package tandem;

import java.io.IOException;
import java.io.UncheckedIOException;
import tandem.cluster.Duty;
import tandem.report.Json;

/// What a worker does when it is told to: it runs the loop of its job's method, and reports.
interface WorkerDuty extends Duty {

    /// Carries out an order.
    WorkerReport work(Order order) throws IOException;

    @Override
    default byte[] carryOut(byte[] what) {
        Order order = Json.read(what, Order.class);
        try {
            return Json.bytes(work(order));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The one of workers that talk to servers only.
    static WorkerDuty at(Workplace place) {
        return switch (place.job().method()) {
            case Method.Batches _, Method.Factors _ -> new BatchDuty(place);
            case Method.Blocks blocks -> new BlockDuty(place, blocks);
            case Method.Dual dual -> new DualDuty(place, dual);
            case Method.Vectors _ -> new LbfgsDuty(place);
            case Method.Proximal proximal -> new ProximalDuty(place, proximal);
        };
    }
}
