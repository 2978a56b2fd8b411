package tandem.filter;

import net.jpountz.lz4.LZ4Factory;
import tandem.wire.ProtocolError;

/// LZ4: finds repeated bytes, and costs next to nothing where there are none.
public record Lz4() implements Bytes {

    private static final LZ4Factory FACTORY = LZ4Factory.fastestInstance();

    @Override
    public byte[] pack(byte[] bytes) {
        return Squeezed.pack(bytes, FACTORY.fastCompressor()::compress);
    }

    @Override
    public byte[] unpack(byte[] packed, int most) {
        return Squeezed.unpack(packed, most, Lz4::restored);
    }

    private static byte[] restored(byte[] packed, int from, int length) {
        byte[] bytes = new byte[length];
        int found = FACTORY.safeDecompressor().decompress(packed, from, packed.length - from, bytes, 0, length);
        if (found != length) {
            throw new ProtocolError(found + " bytes where " + length + " were announced");
        }
        return bytes;
    }
}
