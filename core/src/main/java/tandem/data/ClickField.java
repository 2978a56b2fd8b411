package tandem.data;

/// One categorical field of the generated clicks: its values are the ids from `first` on, `size` of
/// them, the value of rank r drawn with probability proportional to about r^-1.125.
///
/// The exponent is 1 + 1/8 so that the inverse of the distribution is an eighth power, which costs
/// three multiplications. Ranks are scattered over the ids, so that small ids are not the popular ones.
record ClickField(long first, long size, double span, long step) {

    private static final int ROOT = 8;

    /// Distinct values of the 26 categorical fields of the Criteo display advertising challenge.
    private static final long[] CRITEO = {
        1_460, 583, 10_131_227, 2_202_608, 305, 24, 12_517, 633, 3, 93_145, 5_683, 8_351_593, 3_194,
        27, 14_992, 5_461_306, 10, 5_652, 2_173, 4, 7_046_547, 18, 15, 286_181, 105, 142_572
    };

    static final int COUNT = CRITEO.length;
    static final int SMALLEST = 3;

    static ClickField of(long first, long size) {
        double span = 1 - StrictMath.pow(size + 1.0, -1.0 / ROOT);
        long step = Math.max(1, (long) (size * 0.6180339887498949));
        while (divisor(step, size) != 1) {
            step++;
        }
        return new ClickField(first, size, span, step);
    }

    /// The id drawn by `chance`, which is uniform in [0, 1).
    long id(double chance) {
        double root = 1 - chance * span;
        double square = root * root;
        double fourth = square * square;
        long rank = Math.min((long) (1 / (fourth * fourth)), size) - 1;
        return first + rank * step % size;
    }

    /// Fields that fill the ids from `first` to `last`, sized like Criteo's: each to the same power,
    /// whichever makes the sum right.
    static ClickField[] fill(long first, long last) {
        long total = last - first + 1;
        double low = 0;
        double high = 2;
        for (int round = 0; round < 60; round++) {
            double middle = (low + high) / 2;
            if (sum(middle) > total) {
                high = middle;
            } else {
                low = middle;
            }
        }
        long rest = total - sum(low);
        ClickField[] fields = new ClickField[COUNT];
        long next = first;
        for (int f = 0; f < COUNT; f++) {
            // The largest takes what rounding left over.
            long size = size(CRITEO[f], low) + (f == 2 ? rest : 0);
            fields[f] = of(next, size);
            next += size;
        }
        return fields;
    }

    private static long sum(double power) {
        long sum = 0;
        for (long size : CRITEO) {
            sum += size(size, power);
        }
        return sum;
    }

    private static long size(long criteo, double power) {
        return Math.max(SMALLEST, Math.round(StrictMath.pow(criteo, power)));
    }

    private static long divisor(long a, long b) {
        return b == 0 ? a : divisor(b, a % b);
    }
}
