package tandem.bench.spark;

import java.util.HashSet;
import java.util.Set;
import org.apache.spark.executor.TaskMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/// Sums what Spark knows of the time its tasks took. Spark's bus of events calls it; ask when that is empty.
final class TaskTimes extends SparkListener {

    /// The property of jobs with such a task: one that lasts as long as training, which whoever
    /// runs it knows more of.
    static final String LONG_TASK = "tandem.host";

    private final Set<Integer> longStages = new HashSet<>();
    private double compute;
    private double move;
    private double longSeconds;

    @Override
    public synchronized void onStageSubmitted(SparkListenerStageSubmitted stage) {
        if (stage.properties() != null && stage.properties().getProperty(LONG_TASK) != null) {
            longStages.add(stage.stageInfo().stageId());
        }
    }

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
        TaskMetrics task = end.taskMetrics();
        if (task == null) {
            return;
        }
        if (longStages.contains(end.stageId())) {
            longSeconds += task.executorRunTime() / 1e3;
            return;
        }
        double moved = task.executorDeserializeTime()
                + task.resultSerializationTime()
                + task.shuffleReadMetrics().fetchWaitTime()
                + task.shuffleWriteMetrics().writeTime() / 1e6;
        if (end.taskInfo().gettingResultTime() > 0) {
            moved += end.taskInfo().finishTime() - end.taskInfo().gettingResultTime();
        }
        move += moved / 1e3;
        compute += task.executorCpuTime() / 1e9;
    }

    /// What tasks took since the last call.
    synchronized Sums take() {
        Sums sums = new Sums(compute, move, longSeconds);
        compute = 0;
        move = 0;
        longSeconds = 0;
        return sums;
    }

    /// @param longSeconds of long tasks, from start to end
    record Sums(double compute, double move, double longSeconds) {}
}
