package tandem.filter;

import tandem.wire.ProtocolError;

/// Bytes that a compressor has been at: one byte says whether they became fewer, then comes their length and they, or
/// they as they were. So the worst that can happen to bytes is one more of them.
final class Squeezed {

    private static final int AS_THEY_ARE = 0;
    private static final int SMALLER = 1;

    private Squeezed() {}

    /// What a compressor makes of bytes.
    @FunctionalInterface
    interface Squeeze {
        byte[] of(byte[] bytes);
    }

    /// What a decompressor makes of the bytes of `packed` from `from` on; it throws if they cannot become `length`.
    @FunctionalInterface
    interface Restore {
        byte[] of(byte[] packed, int from, int length);
    }

    static byte[] pack(byte[] bytes, Squeeze squeeze) {
        byte[] smaller = squeeze.of(bytes);
        Output out = new Output(6 + Math.min(bytes.length, smaller.length));
        if (smaller.length + 5 < bytes.length) {
            out.int8(SMALLER);
            out.varint(bytes.length);
            out.bytes(smaller);
        } else {
            out.int8(AS_THEY_ARE);
            out.bytes(bytes);
        }
        return out.toBytes();
    }

    static byte[] unpack(byte[] packed, int most, Restore restore) {
        Input in = new Input(packed);
        int form = in.int8();
        if (form == AS_THEY_ARE) {
            if (in.remaining() > most) {
                throw new ProtocolError("packed values take " + in.remaining() + " bytes; at most " + most);
            }
            return in.bytes(in.remaining());
        }
        if (form != SMALLER) {
            throw new ProtocolError("squeezed bytes of form " + form + ", which is not known here");
        }
        int length = in.varint(most, "bytes");
        try {
            return restore.of(packed, packed.length - in.remaining(), length);
        } catch (RuntimeException e) {
            throw new ProtocolError("squeezed bytes are damaged: " + e.getMessage(), e);
        }
    }
}
