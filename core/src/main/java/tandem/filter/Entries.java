package tandem.filter;

import java.util.Arrays;
import java.util.BitSet;
import tandem.wire.Values;

/// Numbers side by side, all floats or all doubles.
public final class Entries {

    /// One of the two is null; entry 0 is at `start`.
    private final float[] floats;

    private final double[] doubles;
    private final int start;
    private final int count;

    private Entries(float[] floats, double[] doubles, int start, int count) {
        this.floats = floats;
        this.doubles = doubles;
        this.start = start;
        this.count = count;
    }

    /// The numbers of `values`, in the same array; of rows of lengths of their own, a copy, row after row.
    public static Entries of(Values values) {
        return switch (values) {
            case Values.Floats(float[] array, int at, int length) -> new Entries(array, null, at, length);
            case Values.Doubles(double[] array, int at, int length) -> new Entries(null, array, at, length);
            case Values.Ragged ragged -> of(ragged.sideBySide());
            case Values.Packed _ -> throw new IllegalArgumentException("packed values have to be unpacked first");
        };
    }

    /// The array of those that are floats, all of them.
    float[] floats() {
        return start == 0 && count == floats.length ? floats : Arrays.copyOfRange(floats, start, start + count);
    }

    static Entries zeros(boolean doubles, int count) {
        return doubles ? new Entries(null, new double[count], 0, count) : new Entries(new float[count], null, 0, count);
    }

    /// `count` zeros of the same type.
    public Entries zeros(int howMany) {
        return zeros(isDouble(), howMany);
    }

    public Values values() {
        return floats == null ? new Values.Doubles(doubles, start, count) : new Values.Floats(floats, start, count);
    }

    public int count() {
        return count;
    }

    public boolean isDouble() {
        return floats == null;
    }

    /// Bytes of one of them.
    public int size() {
        return isDouble() ? Double.BYTES : Float.BYTES;
    }

    /// Bytes of all of them.
    long bytes() {
        return (long) count * size();
    }

    public double at(int i) {
        return floats == null ? doubles[start + i] : floats[start + i];
    }

    /// Makes entry `i` the number nearest to `value` that the type has.
    public void set(int i, double value) {
        if (floats == null) {
            doubles[start + i] = value;
        } else {
            floats[start + i] = (float) value;
        }
    }

    /// Whether entry `i` is 0 and not −0.
    public boolean isZero(int i) {
        return floats == null
                ? Double.doubleToRawLongBits(doubles[start + i]) == 0
                : Float.floatToRawIntBits(floats[start + i]) == 0;
    }

    /// Entry `i` of these becomes entry `j` of `from`, bit for bit.
    void copy(int i, Entries from, int j) {
        if (floats == null) {
            doubles[start + i] = from.doubles[from.start + j];
        } else {
            floats[start + i] = from.floats[from.start + j];
        }
    }

    /// Makes these the same as `from`, which is of the same type and as many.
    public void fill(Entries from) {
        for (int i = 0; i < count; i++) {
            copy(i, from, i);
        }
    }

    /// All but the groups of `width` that are in `gaps`.
    Entries without(BitSet gaps, int width) {
        if (gaps == null || gaps.isEmpty()) {
            return this;
        }
        Entries kept = zeros(count - gaps.cardinality() * width);
        for (int i = 0, to = 0; i < count; i++) {
            if (!gaps.get(i / width)) {
                kept.copy(to++, this, i);
            }
        }
        return kept;
    }

    /// Puts `kept` where the groups of `width` that are not in `gaps` belong; the others stay as they are.
    void spread(Entries kept, BitSet gaps, int width) {
        for (int i = 0, from = 0; i < count; i++) {
            if (!gaps.get(i / width)) {
                copy(i, kept, from++);
            }
        }
    }

    void write(Output out) {
        for (int i = 0; i < count; i++) {
            if (floats == null) {
                out.int64(Double.doubleToRawLongBits(doubles[start + i]));
            } else {
                out.int32(Float.floatToRawIntBits(floats[start + i]));
            }
        }
    }

    void read(Input in) {
        in.need(bytes());
        for (int i = 0; i < count; i++) {
            if (floats == null) {
                doubles[start + i] = Double.longBitsToDouble(in.int64());
            } else {
                floats[start + i] = Float.intBitsToFloat(in.int32());
            }
        }
    }

    /// The same in an array of its own.
    Entries copied() {
        return floats == null
                ? new Entries(null, Arrays.copyOfRange(doubles, start, start + count), 0, count)
                : new Entries(Arrays.copyOfRange(floats, start, start + count), null, 0, count);
    }
}
