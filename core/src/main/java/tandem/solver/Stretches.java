package tandem.solver;

import java.util.Arrays;
import tandem.math.Parallel;

/// Work over a vector, cut into stretches that do not depend on how many threads there are.
///
/// @param length of the vector
record Stretches(int length, Parallel parallel) {

    private static final int MOST = 32;
    private static final int LEAST_BITS = 12;

    @FunctionalInterface
    interface Work {
        void over(int from, int to);
    }

    @FunctionalInterface
    interface Sum {
        double over(int from, int to);
    }

    private int count() {
        return Math.clamp(length >> LEAST_BITS, 1, MOST);
    }

    private int start(int piece) {
        return (int) ((long) length * piece / count());
    }

    void each(Work work) {
        parallel.run(count(), piece -> work.over(start(piece), start(piece + 1)));
    }

    double sum(Sum sum) {
        double[] parts = new double[count()];
        parallel.run(parts.length, piece -> parts[piece] = sum.over(start(piece), start(piece + 1)));
        return Arrays.stream(parts).sum();
    }

    double dot(double[] a, double[] b) {
        return sum((from, to) -> {
            double some = 0;
            for (int j = from; j < to; j++) {
                some += a[j] * b[j];
            }
            return some;
        });
    }
}
