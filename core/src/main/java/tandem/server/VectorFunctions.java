package tandem.server;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import tandem.wire.Figures;

/// Functions that every server knows. Entry number `i` of all rows together is taken as a vector, so that one table
/// holds several of the same length: the arithmetic of a solver whose vectors never leave the servers.
public final class VectorFunctions {

    private VectorFunctions() {}

    /// Whole numbers `a`, `b`: the inner product of two vectors.
    public static final ServerFunction DOT = (rows, with) -> {
        int a = (int) with.whole(0);
        int b = (int) with.whole(1);
        double[] sum = {0};
        rows.forEach(row -> sum[0] += row.weight(a) * row.weight(b));
        return Figures.of(sum);
    };

    /// Whole number `a`: how many numbers of a vector are not 0.
    public static final ServerFunction NONZEROS = (rows, with) -> {
        int a = (int) with.whole(0);
        long[] count = {0};
        rows.forEach(row -> count[0] += row.weight(a) != 0 ? 1 : 0);
        return Figures.ofWhole(count);
    };

    /// Whole numbers `a`, `k`: the keys and values of the `k` numbers of a vector that are largest without their sign,
    /// largest first; the lesser key first where two are alike.
    public static final ServerFunction TOP = new Top();

    /// Whole number `a`, real number `x`: multiplies a vector.
    public static final ServerChange SCALE = (rows, with) -> {
        int a = (int) with.whole(0);
        rows.forEach(row -> row.set(a, 0, with.real(0) * row.weight(a)));
    };

    /// Whole numbers `a`, `b`, real number `x`: adds `x` times vector `a` to vector `b`.
    public static final ServerChange ADD = (rows, with) -> {
        int a = (int) with.whole(0);
        int b = (int) with.whole(1);
        rows.forEach(row -> row.set(b, 0, row.weight(b) + with.real(0) * row.weight(a)));
    };

    /// Whole numbers `a`, `b`: makes vector `b` the same as vector `a`.
    public static final ServerChange COPY = (rows, with) -> {
        int a = (int) with.whole(0);
        int b = (int) with.whole(1);
        rows.forEach(row -> row.set(b, 0, row.weight(a)));
    };

    /// Whole number `a`, real number `x`: sets every number of a vector.
    public static final ServerChange FILL = (rows, with) -> {
        int a = (int) with.whole(0);
        rows.forEach(row -> row.set(a, 0, with.real(0)));
    };

    private static final class Top implements ServerFunction {

        private record Weight(long key, double value) {}

        private static final Comparator<Weight> LARGEST_FIRST = Comparator.<Weight>comparingDouble(
                        weight -> -Math.abs(weight.value))
                .thenComparing(Weight::key, Long::compareUnsigned);

        @Override
        public Figures over(TableRows rows, Figures with) {
            int a = (int) with.whole(0);
            int most = (int) with.whole(1);
            PriorityQueue<Weight> kept = new PriorityQueue<>(LARGEST_FIRST.reversed());
            rows.forEach(row -> {
                kept.add(new Weight(row.key(), row.weight(a)));
                if (kept.size() > most) {
                    kept.poll();
                }
            });
            return figures(most, kept.toArray(Weight[]::new));
        }

        /// The first whole number is how many were asked for, so that merging knows.
        @Override
        public Figures merge(Figures one, Figures other) {
            Weight[] both = new Weight[one.real().length + other.real().length];
            for (int w = 0; w < both.length; w++) {
                Figures of = w < one.real().length ? one : other;
                int at = of == one ? w : w - one.real().length;
                both[w] = new Weight(of.whole(1 + at), of.real(at));
            }
            return figures((int) one.whole(0), both);
        }

        private static Figures figures(int most, Weight[] weights) {
            Arrays.sort(weights, LARGEST_FIRST);
            int count = Math.min(most, weights.length);
            long[] whole = new long[1 + count];
            double[] real = new double[count];
            whole[0] = most;
            for (int w = 0; w < count; w++) {
                whole[1 + w] = weights[w].key;
                real[w] = weights[w].value;
            }
            return new Figures(whole, real);
        }
    }
}
