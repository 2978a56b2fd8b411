package tandem.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Cuts the body of a message into frames of limited length, so that others can travel between them and both sides
/// hold little. No number lies across a cut.
final class Cut implements Sink {

    private final int kind;
    private final Frames frames;
    private ByteBuffer piece;

    Cut(int kind, Frames frames) {
        this.kind = kind;
        this.frames = frames;
        begin();
    }

    private void begin() {
        ByteBuffer taken = frames.take(Codec.PIECE).clear().order(ByteOrder.LITTLE_ENDIAN);
        piece = taken.limit(Math.min(taken.capacity(), Codec.PIECE)).position(Codec.HEADER);
    }

    private void end(int flags) {
        Codec.seal(piece.flip(), kind, flags);
        frames.give(piece);
    }

    /// Sends off what is left.
    void end() {
        end(Codec.LAST);
    }

    /// The piece that the next numbers go to; how many of so many bytes each fit is told by [#fit].
    private ByteBuffer room(int bytes) {
        if (piece.remaining() < bytes) {
            end(Codec.MORE);
            begin();
        }
        return piece;
    }

    private int fit(int bytesEach, int count) {
        return Math.min(count, room(bytesEach).remaining() / bytesEach);
    }

    private void skip(int bytes) {
        piece.position(piece.position() + bytes);
    }

    @Override
    public void int8(int value) {
        room(1).put((byte) value);
    }

    @Override
    public void int32(int value) {
        room(Integer.BYTES).putInt(value);
    }

    @Override
    public void int64(long value) {
        room(Long.BYTES).putLong(value);
    }

    @Override
    public void longs(long[] values, int from, int count) {
        for (int at = from, end = from + count, some; at < end; at += some) {
            some = fit(Long.BYTES, end - at);
            piece.asLongBuffer().put(values, at, some);
            skip(Long.BYTES * some);
        }
    }

    @Override
    public void floats(float[] values, int from, int count) {
        for (int at = from, end = from + count, some; at < end; at += some) {
            some = fit(Float.BYTES, end - at);
            piece.asFloatBuffer().put(values, at, some);
            skip(Float.BYTES * some);
        }
    }

    @Override
    public void doubles(double[] values, int from, int count) {
        for (int at = from, end = from + count, some; at < end; at += some) {
            some = fit(Double.BYTES, end - at);
            piece.asDoubleBuffer().put(values, at, some);
            skip(Double.BYTES * some);
        }
    }

    @Override
    public void ints(int[] values) {
        for (int at = 0, some; at < values.length; at += some) {
            some = fit(Integer.BYTES, values.length - at);
            piece.asIntBuffer().put(values, at, some);
            skip(Integer.BYTES * some);
        }
    }

    @Override
    public void bytes(byte[] values) {
        for (int at = 0, some; at < values.length; at += some) {
            some = fit(1, values.length - at);
            piece.put(values, at, some);
        }
    }
}
