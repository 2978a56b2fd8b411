package tandem.wire;

import tandem.math.Hash;

/// Parts as bytes: only what lies between `from` and `to` of shared keys travels.
final class PartCodec {

    /// What a part consists of, one bit each.
    private static final int LIST = 1;

    private static final int SIGNATURE = 2;
    private static final int VALUES = 4;
    private static final int RANGE = 8;
    private static final int PACKED = 16;
    private static final int KEYS = LIST | PACKED | RANGE;

    /// Bytes of a part that has none of these.
    private static final int LEAST = 17;

    private static final Part[] NONE = {};

    private PartCodec() {}

    static void write(Part[] parts, Sink sink) {
        sink.int32(parts.length);
        for (Part part : parts) {
            write(part, sink);
        }
    }

    private static void write(Part part, Sink sink) {
        Keys keys = part.keys();
        sink.int32(part.table());
        sink.int32(part.shard());
        sink.int32(part.count());
        sink.int32(part.width());
        sink.int8((keys.list() == null ? 0 : LIST)
                | (keys.signature() == null ? 0 : SIGNATURE)
                | (keys.isRange() ? RANGE : 0)
                | (keys.isPacked() ? PACKED : 0)
                | (part.values() == null ? 0 : VALUES));
        if (keys.isRange()) {
            sink.int64(keys.at(part.from()));
        }
        if (keys.signature() != null) {
            sink.int64(keys.signature().high());
            sink.int64(keys.signature().low());
        }
        if (keys.list() != null) {
            sink.longs(keys.list(), part.from(), part.count());
        }
        if (keys.isPacked()) {
            sink.blob(keys.packed());
        }
        if (part.values() != null) {
            ValuesCodec.write(part.values(), sink);
        }
    }

    static Part[] read(Source source) {
        int count = source.count(source.limits().parts(), LEAST, "parts");
        Part[] parts = count == 0 ? NONE : new Part[count];
        for (int p = 0; p < count; p++) {
            parts[p] = part(source);
        }
        return parts;
    }

    private static Part part(Source source) {
        int table = source.int32();
        int shard = source.int32();
        int count = source.int32();
        int width = source.int32();
        int has = source.int8();
        if (table < 0
                || shard < 0
                || width < 1
                || count < 0
                || count > source.limits().keys()) {
            throw new ProtocolError("a part of table " + table + ", shard " + shard + " with " + count + " rows of "
                    + width + "; at most " + source.limits().keys() + " rows");
        }
        boolean ranged = (has & RANGE) != 0;
        boolean signed = (has & SIGNATURE) != 0;
        boolean told = signed ? Integer.bitCount(has & KEYS) < 2 && !ranged : Integer.bitCount(has & KEYS) == 1;
        if (has > (KEYS | SIGNATURE | VALUES) || !told) {
            throw new ProtocolError(
                    "a part of kind " + has + ", which has no keys, or two kinds of them, or is not known here");
        }
        long first = ranged ? source.int64() : 0;
        Hash.Signature signature = !signed ? null : new Hash.Signature(source.int64(), source.int64());
        long[] list = (has & LIST) == 0 ? null : source.longs(count);
        byte[] packed = (has & PACKED) == 0 ? null : source.blob(source.limits().frameBytes());
        Values values = (has & VALUES) == 0 ? null : ValuesCodec.read(source);
        return new Part(table, shard, new Keys(list, packed, first, count, signature), 0, count, width, values);
    }
}
