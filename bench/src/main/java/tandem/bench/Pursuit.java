package tandem.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tandem.LinearTraining;
import tandem.Watch;
import tandem.report.Moment;

/// A training that is followed until its objective is low enough, and then stopped.
final class Pursuit implements Watch {

    private final double goal;
    private final double mostSeconds;
    private final List<Moment> moments = new ArrayList<>();
    private final List<Double> cpuSeconds = new ArrayList<>();

    private Pursuit(double goal, double mostSeconds) {
        this.goal = goal;
        this.mostSeconds = mostSeconds;
    }

    /// How a training went.
    ///
    /// @param moments    its objective at each look, in their order
    /// @param cpuSeconds of this process, at each look
    /// @param report     of the training, which may have been stopped
    record Trail(List<Moment> moments, List<Double> cpuSeconds, JsonNode report) {

        /// The number of the first look at an objective as low as this; −1 if there was none.
        int reached(double objective) {
            for (int k = 0; k < moments.size(); k++) {
                if (moments.get(k).objective() <= objective) {
                    return k;
                }
            }
            return -1;
        }

        double seconds(double objective) {
            int at = reached(objective);
            return at < 0 ? Double.NaN : moments.get(at).seconds();
        }

        double passes(double objective) {
            int at = reached(objective);
            return at < 0 ? Double.NaN : moments.get(at).passes();
        }

        /// The share of the time that workers neither computed nor sent.
        double idle() {
            double busy = 0;
            int workers = 0;
            for (JsonNode worker : report.path("workers")) {
                busy += worker.path("computeSeconds").asDouble()
                        + worker.path("communicationSeconds").asDouble();
                workers++;
            }
            return 1 - busy / (workers * report.path("seconds").asDouble());
        }
    }

    /// Trains until the objective is at most `goal`, or a look at it comes after so many seconds, or it ends by itself.
    static Trail run(LinearTraining job, double goal, double mostSeconds) throws IOException {
        Pursuit watch = new Pursuit(goal, mostSeconds);
        JsonNode report =
                job.withMeasured(false).withWatch(watch).run().report().tree();
        return new Trail(watch.moments, watch.cpuSeconds, report);
    }

    static Trail run(LinearTraining job, double goal) throws IOException {
        return run(job, goal, Double.POSITIVE_INFINITY);
    }

    @Override
    public boolean wantsObjective() {
        return true;
    }

    @Override
    public void reached(Moment now) {
        moments.add(now);
        cpuSeconds.add(CpuClock.nanos(ProcessHandle.current().pid()) * 1e-9);
    }

    @Override
    public boolean stopping() {
        return !moments.isEmpty()
                && (moments.getLast().objective() <= goal || moments.getLast().seconds() > mostSeconds);
    }
}
