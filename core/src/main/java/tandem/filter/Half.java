package tandem.filter;

import tandem.math.Hash;
import tandem.wire.ProtocolError;

/// Numbers in 2 bytes each, as one of the two common short formats. Infinities and zeros of both signs stay what they
/// are, NaN stays some NaN. Numbers of which one is beyond the format's range travel as they are.
///
/// @param rounding how a number between two of the format becomes one of them
public record Half(Format format, Rounding rounding) implements Numbers {

    private static final int AS_THEY_ARE = 0;
    private static final int SHORT = 1;

    /// A format of 16 bits, whose numbers ascend in magnitude with their bits.
    public enum Format {
        /// IEEE 754 half precision: 11 bits of precision, up to 65504.
        FP16 {
            @Override
            short nearest(double value) {
                // By way of a float, which may round twice; [Half#below] puts it right.
                return Float.floatToFloat16((float) value);
            }

            @Override
            float value(short bits) {
                return Float.float16ToFloat(bits);
            }

            @Override
            double most() {
                return 65504;
            }
        },
        /// The upper half of a float: 8 bits of precision, the range of a float.
        BF16 {
            @Override
            short nearest(double value) {
                int bits = Float.floatToRawIntBits((float) value);
                return (short)
                        (Float.isNaN((float) value) ? bits >>> 16 | 0x40 : bits + 0x7fff + (bits >>> 16 & 1) >>> 16);
            }

            @Override
            float value(short bits) {
                return Float.intBitsToFloat(bits << 16);
            }

            @Override
            double most() {
                return 0x1.fep127;
            }
        };

        /// The bits of the number nearest to `value`, or of one beside it.
        abstract short nearest(double value);

        abstract float value(short bits);

        /// The largest finite number.
        abstract double most();

        /// The bits of the number beside `value` that is nearer to zero, or of `value` itself.
        short below(double value) {
            short bits = nearest(value);
            return Math.abs(value(bits)) > Math.abs(value) ? (short) (bits - 1) : bits;
        }
    }

    /// How a number becomes one that the format has.
    public enum Rounding {
        /// Right on average: away from zero with a probability that is the distance to the number below, as a share of
        /// the gap.
        STOCHASTIC,
        /// The nearer one; of two as near, the even one.
        NEAREST,
        /// Not at all: numbers of which one does not fit the format travel as they are.
        EXACT
    }

    @Override
    public Entries pack(Entries entries, Output out, long chance) {
        if (!suits(entries)) {
            out.int8(AS_THEY_ARE);
            return entries;
        }
        out.int8(SHORT);
        for (int i = 0; i < entries.count(); i++) {
            out.int16(rounded(entries.at(i), chance, i));
        }
        return entries.zeros(0);
    }

    private boolean suits(Entries entries) {
        for (int i = 0; i < entries.count(); i++) {
            double value = entries.at(i);
            boolean fits = rounding == Rounding.EXACT
                    ? Double.doubleToRawLongBits(format.value(format.nearest(value)))
                            == Double.doubleToRawLongBits(value)
                    : Math.abs(value) <= format.most() || !Double.isFinite(value);
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    private short rounded(double value, long chance, int i) {
        short nearest = format.nearest(value);
        if (rounding == Rounding.EXACT || !Double.isFinite(value) || format.value(nearest) == value) {
            return nearest;
        }
        short below = format.below(value);
        short above = (short) (below + 1);
        double low = Math.abs(format.value(below));
        double high = Math.abs(format.value(above));
        double share = (Math.abs(value) - low) / (high - low);
        if (rounding == Rounding.NEAREST) {
            return share < 0.5 || share == 0.5 && (below & 1) == 0 ? below : above;
        }
        return Hash.fraction(Hash.number(chance, i)) < share ? above : below;
    }

    @Override
    public void unpack(Input in, Entries entries, Rest rest) {
        switch (in.int8()) {
            case AS_THEY_ARE -> entries.fill(rest.read(entries.count()));
            case SHORT -> {
                in.need((long) Short.BYTES * entries.count());
                for (int i = 0; i < entries.count(); i++) {
                    entries.set(i, format.value((short) in.int16()));
                }
            }
            default -> throw new ProtocolError("packed values are of a short form that is not known here");
        }
    }
}
