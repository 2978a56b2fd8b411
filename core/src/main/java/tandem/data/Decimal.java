package tandem.data;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Reads decimal numbers from bytes, rounded as [Double#parseDouble] rounds them.
///
/// A number m·10^e with m < 2⁵³ and |e| ≤ 22 is one exact product or quotient (Clinger 1990); that
/// covers what data files hold, and the rest goes the slow way.
final class Decimal {

    static final long EXACT = 1L << 53;
    static final double[] TENS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22
    };

    private Decimal() {}

    /// The number in `text[from]` until `text[to]`, or NaN if that is not a decimal number (`nan` and `inf` are not).
    static double parse(byte[] text, int from, int to) {
        int at = from;
        boolean negative = at < to && text[at] == '-';
        if (negative || at < to && text[at] == '+') {
            at++;
        }
        long digits = 0;
        int significant = 0;
        int exponent = 0;
        int seen = 0;
        boolean fraction = false;
        for (; at < to; at++) {
            int digit = text[at] - '0';
            if (digit >= 0 && digit <= 9) {
                seen++;
                if (significant < 18) {
                    digits = digits * 10 + digit;
                    significant += digits == 0 ? 0 : 1;
                } else {
                    significant++;
                }
                exponent -= fraction ? 1 : 0;
            } else if (text[at] == '.' && !fraction) {
                fraction = true;
            } else {
                break;
            }
        }
        if (seen == 0) {
            return Double.NaN;
        }
        if (at < to) {
            int power = power(text, at, to);
            if (power == Integer.MIN_VALUE) {
                return Double.NaN;
            }
            exponent += power;
        }
        if (significant <= 18 && digits < EXACT && exponent >= -22 && exponent <= 22) {
            double magnitude = exponent < 0 ? digits / TENS[-exponent] : digits * TENS[exponent];
            return negative ? -magnitude : magnitude;
        }
        return Double.parseDouble(new String(text, from, to - from, StandardCharsets.ISO_8859_1));
    }

    /// The exponent part `e±digits` that fills `text[at]` until `text[to]`; MIN_VALUE if it is not one.
    private static int power(byte[] text, int at, int to) {
        if (text[at] != 'e' && text[at] != 'E') {
            return Integer.MIN_VALUE;
        }
        at++;
        boolean negative = at < to && text[at] == '-';
        if (negative || at < to && text[at] == '+') {
            at++;
        }
        if (at == to) {
            return Integer.MIN_VALUE;
        }
        int power = 0;
        for (; at < to; at++) {
            int digit = text[at] - '0';
            if (digit < 0 || digit > 9) {
                return Integer.MIN_VALUE;
            }
            power = Math.min(power * 10 + digit, 100_000);
        }
        return negative ? -power : power;
    }

    /// Whether the text is one of the marks that stand for a number that is unknown.
    static boolean isMissing(byte[] text, int from, int to) {
        if (to - from > 4) {
            return false;
        }
        String word = new String(text, from, to - from, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        return switch (word) {
            case "", "?", "na", "n/a", "nan", "null" -> true;
            default -> false;
        };
    }

    /// Whether the text is a way to write "not a number" or infinity.
    static boolean isNotFinite(byte[] text, int from, int to) {
        if (to - from > 9) {
            return false;
        }
        String word = new String(text, from, to - from, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT);
        String bare = word.startsWith("+") || word.startsWith("-") ? word.substring(1) : word;
        return bare.equals("nan") || bare.equals("inf") || bare.equals("infinity");
    }
}
