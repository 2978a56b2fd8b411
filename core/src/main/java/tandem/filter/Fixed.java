package tandem.filter;

import tandem.math.Hash;
import tandem.wire.ProtocolError;

/// Numbers as whole multiples of a step, in 1 to 3 bytes each. The step is the largest magnitude among them over the
/// largest multiple, so one large number makes all others coarse.
///
/// Rounding is stochastic: up with a probability that is the distance to the multiple below, in steps. So what arrives
/// is off by less than a step and right on average, whatever the number is (a fair coin would not do). Zeros stay
/// zeros. Numbers with an infinity or NaN among them travel as they are.
///
/// @param bytes 0 to leave numbers as they are
public record Fixed(int bytes) implements Numbers {

    private static final int AS_THEY_ARE = 0;
    private static final int MULTIPLES = 1;

    public Fixed {
        if (bytes < 0 || bytes > 3) {
            throw new IllegalArgumentException(
                    "fixed point in " + bytes + " bytes; use 1 to 3, or 0 to leave numbers as they are");
        }
    }

    /// The largest multiple.
    private int most() {
        return (1 << 8 * bytes - 1) - 1;
    }

    @Override
    public Entries pack(Entries entries, Output out, long chance) {
        double largest = largest(entries);
        long packed = Double.BYTES + (long) bytes * entries.count();
        if (bytes == 0 || !Double.isFinite(largest) || packed >= entries.bytes()) {
            out.int8(AS_THEY_ARE);
            return entries;
        }
        out.int8(MULTIPLES);
        out.float64(largest);
        for (int i = 0; largest > 0 && i < entries.count(); i++) {
            put(multiple(entries.at(i) / largest * most(), Hash.fraction(Hash.number(chance, i))), out);
        }
        return entries.zeros(0);
    }

    /// A whole number beside `steps`, on average `steps` over all `chance` in [0, 1).
    private static int multiple(double steps, double chance) {
        return (int) Math.floor(steps + chance);
    }

    private static double largest(Entries entries) {
        double largest = 0;
        for (int i = 0; i < entries.count(); i++) {
            largest = Math.max(largest, Math.abs(entries.at(i)));
        }
        return largest;
    }

    @Override
    public void unpack(Input in, Entries entries, Rest rest) {
        int form = in.int8();
        if (form == AS_THEY_ARE) {
            entries.fill(rest.read(entries.count()));
            return;
        }
        double largest = in.float64();
        if (form != MULTIPLES || !(largest >= 0 && largest < Double.POSITIVE_INFINITY) || bytes == 0) {
            throw new ProtocolError(
                    "packed values are multiples of form " + form + " up to " + largest + ", which cannot be");
        }
        if (largest > 0) {
            for (int i = 0; i < entries.count(); i++) {
                entries.set(i, (double) take(in) / most() * largest);
            }
        }
    }

    private void put(int multiple, Output out) {
        switch (bytes) {
            case 1 -> out.int8(multiple);
            case 2 -> out.int16(multiple);
            default -> {
                out.int16(multiple);
                out.int8(multiple >> 16);
            }
        }
    }

    private int take(Input in) {
        return switch (bytes) {
            case 1 -> (byte) in.int8();
            case 2 -> in.int16();
            default -> in.int16() & 0xffff | (byte) in.int8() << 16;
        };
    }
}
