package tandem.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;

/// One measured run: times, the most memory it held (0 where not known), and what it reached (NaN and -1
/// where that does not apply). Objectives are on the sum scale.
record Trial(double wallSeconds, double cpuSeconds, long peakBytes, double logloss, double objective, long nonZeros) {

    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    static Trial of(double wallSeconds, double cpuSeconds) {
        return new Trial(wallSeconds, cpuSeconds, 0, Double.NaN, Double.NaN, -1);
    }

    /// Runs `work` in this JVM; `result` turns the bare times and what `work` gave into the trial. CPU time
    /// is that of the whole JVM, compiler and collector included.
    static <T> Trial of(Callable<T> work, Result<T> result) throws Exception {
        long cpu = SYSTEM.getProcessCpuTime();
        long wall = System.nanoTime();
        T value = work.call();
        double wallSeconds = (System.nanoTime() - wall) / 1e9;
        return result.of(of(wallSeconds, (SYSTEM.getProcessCpuTime() - cpu) / 1e9), value);
    }

    @FunctionalInterface
    interface Result<T> {
        Trial of(Trial times, T value);
    }

    Trial withPeakBytes(long peakBytes) {
        return new Trial(wallSeconds, cpuSeconds, peakBytes, logloss, objective, nonZeros);
    }

    Trial withLogloss(double logloss) {
        return new Trial(wallSeconds, cpuSeconds, peakBytes, logloss, objective, nonZeros);
    }

    Trial withObjective(double objective, long nonZeros) {
        return new Trial(wallSeconds, cpuSeconds, peakBytes, logloss, objective, nonZeros);
    }

    /// Without the time that `part` of it took.
    Trial minus(Trial part) {
        return new Trial(
                Math.max(0, wallSeconds - part.wallSeconds),
                Math.max(0, cpuSeconds - part.cpuSeconds),
                peakBytes,
                logloss,
                objective,
                nonZeros);
    }
}
