package tandem.wire;

/// The most that one message may hold. Whatever a peer says is held against these, and against the bytes that
/// are really there, before anything is allocated for it.
///
/// @param frameBytes  bytes of a message, in one frame or in pieces
/// @param parts       parts of an update or pull
/// @param keys        keys of a part
/// @param tables      tables of a layout
/// @param shards      shards of a table
/// @param nodes       servers and leases of a layout
/// @param textBytes   bytes of a name or place
public record Limits(int frameBytes, int parts, int keys, int tables, int shards, int nodes, int textBytes) {

    /// Messages of 256 MiB.
    public static final Limits DEFAULT = new Limits(1 << 28, 1 << 20, 1 << 25, 1 << 12, 1 << 16, 1 << 16, 1 << 12);

    public Limits {
        if (frameBytes < 64) {
            throw new IllegalArgumentException(
                    "frames of at most " + frameBytes + " bytes; nothing fits, so use 64 or more");
        }
    }

    public Limits withFrameBytes(int bytes) {
        return new Limits(bytes, parts, keys, tables, shards, nodes, textBytes);
    }
}
