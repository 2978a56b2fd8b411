package tandem.data;

import tandem.math.Mix;

/// What generated clicks follow: the log-odds of a click are an intercept, a weight for each count and
/// each categorical value (most are 0), and a factorisation machine of rank 4 over eight of the fields.
///
/// A weight is a function of the seed and the id, and a row of the seed and the row's number, so neither
/// is stored and any thread can make any row.
public final class ClickTruth {

    /// Thirteen counts, then the categorical fields.
    public static final int FIELDS = 13 + ClickField.COUNT;

    public static final long FEWEST_FEATURES = 13 + ClickField.SMALLEST * (long) ClickField.COUNT;

    static final int COUNTS = 13;

    private static final long STEP = 0x9e3779b97f4a7c15L;
    private static final int QUANTILES = 1 << 10;
    private static final int SAMPLE = 1 << 15;

    /// Share of ids with a weight, in 1/256.
    private static final int WEIGHTED = 96;

    private static final double WEIGHT_SCALE = 0.5;
    private static final double COUNT_SCALE = 0.5;

    /// Fields of middling size, so that both sides of a pair are seen often enough to be learnt.
    private static final int INTERACTING = mask(0, 1, 4, 6, 7, 10, 12, 17);

    private static final int PAIRS = 8 * 7 / 2;
    private static final int RANK = 4;

    private final long weightSeed;
    private final long rowSeed;
    private final double interaction;
    private final double intercept;
    private final ClickField[] fields;
    private final int[][] countQuantiles = new int[COUNTS][QUANTILES];
    private final double[] countWeights = new double[COUNTS];
    private final int[] missing = new int[COUNTS];

    ClickTruth(Clicks clicks) {
        weightSeed = Mix.mix(clicks.seed() + STEP);
        rowSeed = Mix.mix(weightSeed + STEP);
        interaction = clicks.interactions() / Math.sqrt(PAIRS * (double) RANK);
        fields = ClickField.fill(COUNTS + 1, clicks.features());
        for (int f = 0; f < COUNTS; f++) {
            plantCount(f);
        }
        intercept = interceptFor(clicks.clickRate());
    }

    /// Fills `row` with example `number`.
    public void fill(long number, ClickRow row) {
        double u = draw(rowSeed, number, row);
        row.margin += intercept;
        row.clicked = u < 1 / (1 + StrictMath.exp(-row.margin));
    }

    /// Fills in all but the intercept and the label; returns the chance that decides the label.
    private double draw(long seed, long number, ClickRow row) {
        long state = Mix.mix(seed ^ Mix.mix(number));
        double margin = 0;
        int entry = 0;
        for (int f = 0; f < COUNTS; f++) {
            long bits = Mix.mix(state += STEP);
            if ((bits & 0xff) < missing[f]) {
                continue;
            }
            int hundredths = countQuantiles[f][(int) (bits >>> 54)];
            row.ids[entry] = f + 1L;
            row.hundredths[entry++] = hundredths;
            margin += countWeights[f] * hundredths;
        }
        int a = 0;
        int b = 0;
        int c = 0;
        int d = 0;
        for (int f = 0; f < fields.length; f++) {
            long id = fields[f].id((Mix.mix(state += STEP) >>> 11) * 0x1p-53);
            row.ids[entry] = id;
            row.hundredths[entry++] = 100;
            long bits = Mix.mix(id * STEP ^ weightSeed);
            if ((bits & 0xff) < WEIGHTED) {
                margin += WEIGHT_SCALE * bell(bits);
            }
            int in = INTERACTING >>> f & 1;
            a += in * (int) (bits >>> 8 & 1);
            b += in * (int) (bits >>> 9 & 1);
            c += in * (int) (bits >>> 10 & 1);
            d += in * (int) (bits >>> 11 & 1);
        }
        row.entries = entry;
        row.margin = margin + interaction * (pairs(a) + pairs(b) + pairs(c) + pairs(d));
        return (Mix.mix(state + STEP) >>> 11) * 0x1p-53;
    }

    /// Σ over pairs of the product of eight signs, of which `positive` are +1.
    private static int pairs(int positive) {
        int sum = 2 * positive - 8;
        return (sum * sum - 8) / 2;
    }

    /// Nearly normal with variance 1: the sum of three uniform numbers, taken from the upper 48 bits.
    private static double bell(long bits) {
        long sum = (bits >>> 48) + (bits >>> 32 & 0xffff) + (bits >>> 16 & 0xffff);
        return (sum * 0x1p-16 - 1.5) * 2;
    }

    /// A count is log-normal, at least 1; its value is log(1 + count) on a scale where most are below 2.
    private void plantCount(int f) {
        long bits = Mix.mix(weightSeed ^ Mix.mix(f + 1));
        double centre = (bits & 7) * 0.5;
        double spread = 0.8 + (bits >>> 3 & 7) * 0.15;
        missing[f] = (int) (bits >>> 6 & 3) * 12;
        double mean = 0;
        for (int q = 0; q < QUANTILES; q++) {
            double count = Math.rint(StrictMath.exp(centre + spread * normal((q + 0.5) / QUANTILES)));
            countQuantiles[f][q] = (int) Math.rint(StrictMath.log(1 + Math.max(1, count)) * 25);
            mean += countQuantiles[f][q] / (double) QUANTILES;
        }
        countWeights[f] = COUNT_SCALE * bell(bits) / Math.max(mean, 1);
    }

    /// Nearly the quantile of the normal distribution: that of the logistic one, which has a closed form.
    private static double normal(double share) {
        return StrictMath.log(share / (1 - share)) / 1.702;
    }

    /// The intercept at which a sample of rows, none of them generated, has this click rate on average.
    private double interceptFor(double rate) {
        ClickRow row = new ClickRow();
        double[] odds = new double[SAMPLE];
        for (int i = 0; i < SAMPLE; i++) {
            draw(~rowSeed, i, row);
            odds[i] = StrictMath.exp(-row.margin);
        }
        double low = -60;
        double high = 60;
        while (high - low > 1e-9) {
            double middle = (low + high) / 2;
            double factor = StrictMath.exp(-middle);
            double clicks = 0;
            for (double o : odds) {
                clicks += 1 / (1 + factor * o);
            }
            if (clicks > rate * SAMPLE) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }

    private static int mask(int... fields) {
        int mask = 0;
        for (int f : fields) {
            mask |= 1 << f;
        }
        return mask;
    }
}
