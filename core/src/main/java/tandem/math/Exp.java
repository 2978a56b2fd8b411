package tandem.math;

/// The exponential and its kin as plain polynomials: every operation is an IEEE one, so that an
/// interpreted, a compiled and a vectorised loop give the same bits on every machine.
///
/// Within 2 units in the last place of the exact value ([#log1pExp]: 4, [#logisticBelow]: 5).
public final class Exp {

    private static final double LOG2_E = 1.4426950408889634;
    private static final double LN2_HIGH = 6.93147180369123816490e-01;
    private static final double LN2_LOW = 1.90821492927058770002e-10;
    private static final double LOG_3_2 = 0.4054651081081644;

    /// How finely [#BELOW] has the logistic function, and up to where.
    private static final int STEPS = 128;

    private static final int LAST = 40;

    /// Adding it rounds a double of moderate size to an integer, found in its lowest bits.
    private static final double ROUNDER = 0x1.8p52;

    /// 1 / (1 + e^a) for a = 0, 1/128, 2/128, …
    private static final double[] BELOW = new double[LAST * STEPS + 1];

    static {
        for (int k = 0; k < BELOW.length; k++) {
            double e = exp((double) -k / STEPS);
            BELOW[k] = e / (1 + e);
        }
    }

    private Exp() {}

    /// e to the power `x`: x = k·ln 2 + r with |r| ≤ ½ ln 2, then the Taylor polynomial of e^r, times 2^k.
    public static double exp(double x) {
        if (!(x <= 709.782712893384)) {
            return x + Double.POSITIVE_INFINITY; // NaN stays NaN
        }
        if (x < -745.2) {
            return 0;
        }
        double shifted = x * LOG2_E + ROUNDER;
        double k = shifted - ROUNDER;
        double r = (x - k * LN2_HIGH) - k * LN2_LOW;
        double q = 1.6059043836821613e-10;
        q = q * r + 2.08767569878681e-9;
        q = q * r + 2.505210838544172e-8;
        q = q * r + 2.755731922398589e-7;
        q = q * r + 2.7557319223985893e-6;
        q = q * r + 2.48015873015873e-5;
        q = q * r + 1.984126984126984e-4;
        q = q * r + 1.388888888888889e-3;
        q = q * r + 8.333333333333333e-3;
        q = q * r + 4.1666666666666664e-2;
        q = q * r + 0.16666666666666666;
        q = q * r + 0.5;
        double power = 1 + (r + r * r * q);
        // In two factors, as 2^k itself may be out of range where the product is not.
        int exponent = (int) Double.doubleToRawLongBits(shifted);
        int half = exponent >> 1;
        return power * twoTo(half) * twoTo(exponent - half);
    }

    /// log(1 + e^x), without overflow.
    public static double log1pExp(double x) {
        return Math.max(x, 0) + log1pOfUnit(exp(-Math.abs(x)));
    }

    /// 1 / (1 + e^−x).
    public static double logistic(double x) {
        return 1 / (1 + exp(-x));
    }

    /// 1 / (1 + e^a) for a ≥ 0, within 5 units in the last place: by Taylor from the nearest of many points, where the
    /// derivatives of q = 1 / (1 + e^a) follow from q and b = q(1 − q). No exponential, no division.
    public static double logisticBelow(double a) {
        if (!(a < LAST)) {
            double e = exp(-a);
            return e / (1 + e);
        }
        int nearest = (int) (a * STEPS + 0.5);
        double d = a - nearest * (1.0 / STEPS);
        double q = BELOW[nearest];
        double b = q * (1 - q);
        double t = 1 - 2 * q;
        double more = (1 + b * (120 * b - 30)) * (1.0 / 120);
        more = more * d - t * (1 - 12 * b) * (1.0 / 24);
        more = more * d + (1 - 6 * b) * (1.0 / 6);
        more = more * d - 0.5 * t;
        return q - b * d * (1 + d * more);
    }

    /// log(1 + u) for u in [0, 1]: log((1+s)/(1−s)) = 2(s + s³/3 + s⁵/5 + …), around 1 or 3/2.
    private static double log1pOfUnit(double u) {
        boolean low = u <= 0.5;
        double s = low ? u / (2 + u) : (u - 0.5) / (2.5 + u);
        double t = s * s;
        double q = 2.0 / 23;
        q = q * t + 2.0 / 21;
        q = q * t + 2.0 / 19;
        q = q * t + 2.0 / 17;
        q = q * t + 2.0 / 15;
        q = q * t + 2.0 / 13;
        q = q * t + 2.0 / 11;
        q = q * t + 2.0 / 9;
        q = q * t + 2.0 / 7;
        q = q * t + 2.0 / 5;
        q = q * t + 2.0 / 3;
        double log = 2 * s + s * t * q;
        return low ? log : LOG_3_2 + log;
    }

    private static double twoTo(int exponent) {
        return Double.longBitsToDouble((long) (exponent + 1023) << 52);
    }
}
