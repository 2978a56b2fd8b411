package tandem.wire;

import java.nio.ByteBuffer;

/// Where the frames of a long message go, one after another.
public interface Frames {

    /// An empty buffer, if possible of so many bytes.
    ByteBuffer take(int bytes);

    /// Takes over a buffer that holds a frame, from its position to its limit.
    void give(ByteBuffer frame);
}
