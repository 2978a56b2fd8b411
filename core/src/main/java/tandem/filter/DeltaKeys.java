package tandem.filter;

import tandem.wire.ProtocolError;

/// Each key as its distance to the one before, in seven bits a byte: few bytes where keys are close together, as those
/// of dense tables and of small ids are. Mixed keys are far apart; a list of 100 thousand saves a byte or two of eight.
public record DeltaKeys() implements KeyCoder {

    @Override
    public byte[] pack(long[] keys, int from, int to) {
        Output out = new Output(2 * (to - from));
        long before = 0;
        for (int k = from; k < to; k++) {
            out.varint(keys[k] - before);
            before = keys[k];
        }
        return out.toBytes();
    }

    @Override
    public long[] unpack(byte[] packed, int count) {
        Input in = new Input(packed);
        in.need(count);
        long[] keys = new long[count];
        long before = 0;
        for (int k = 0; k < count; k++) {
            keys[k] = before + in.varint();
            if (Long.compareUnsigned(keys[k], before) < 0) {
                throw new ProtocolError("packed keys go beyond 64 bits");
            }
            before = keys[k];
        }
        in.end();
        return keys;
    }
}
