package tandem.data;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import tandem.math.Hash;

/// A row as bytes between scattering and gathering: its length, place, label, weight, then ids as variable-length
/// numbers and, unless all are 1, values.
final class RowCodec {

    private static final VarHandle INT = view(int[].class);
    private static final VarHandle LONG = view(long[].class);
    private static final VarHandle FLOAT = view(float[].class);
    private static final VarHandle DOUBLE = view(double[].class);
    private static final int HEAD_BYTES = 4 + 8 + 8 + 4 + 4;
    private static final int ONES = 1 << 31;

    private RowCodec() {}

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
    }

    /// The number that decides where the row at `place` comes in the shuffled order.
    static long lot(long seed, long place) {
        return Hash.number(seed, place);
    }

    static long roomFor(Rows rows, int row) {
        return HEAD_BYTES + 14L * (rows.starts[row + 1] - rows.starts[row]);
    }

    /// Writes a row at `bytes[from]`; returns the end of it.
    static int encode(Rows rows, int row, byte[] bytes, int from) {
        int begin = rows.starts[row];
        int end = rows.starts[row + 1];
        boolean ones = true;
        for (int e = begin; e < end; e++) {
            ones &= rows.values[e] == 1;
        }
        LONG.set(bytes, from + 4, rows.places[row]);
        DOUBLE.set(bytes, from + 12, rows.labels[row]);
        FLOAT.set(bytes, from + 20, rows.weights[row]);
        INT.set(bytes, from + 24, (end - begin) | (ones ? ONES : 0));
        int at = from + HEAD_BYTES;
        for (int e = begin; e < end; e++) {
            long id = rows.ids[e];
            while ((id & ~0x7fL) != 0) {
                bytes[at++] = (byte) (id | 0x80);
                id >>>= 7;
            }
            bytes[at++] = (byte) id;
        }
        if (!ones) {
            for (int e = begin; e < end; e++, at += 4) {
                FLOAT.set(bytes, at, rows.values[e]);
            }
        }
        INT.set(bytes, from, at - from);
        return at;
    }

    static int length(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    static long place(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at + 4);
    }

    /// Adds the row at `bytes[from]` to `into`.
    static void decode(byte[] bytes, int from, Rows into) {
        int count = (int) INT.get(bytes, from + 24);
        boolean ones = count < 0;
        count &= ~ONES;
        int at = from + HEAD_BYTES;
        int first = into.entries;
        for (int e = 0; e < count; e++) {
            long id = 0;
            byte part;
            int shift = 0;
            do {
                part = bytes[at++];
                id |= (part & 0x7fL) << shift;
                shift += 7;
            } while (part < 0);
            into.add(id, 1);
        }
        if (!ones) {
            for (int e = first; e < into.entries; e++, at += 4) {
                into.values[e] = (float) FLOAT.get(bytes, at);
            }
        }
        into.end((double) DOUBLE.get(bytes, from + 12), (float) FLOAT.get(bytes, from + 20), place(bytes, from));
    }
}
