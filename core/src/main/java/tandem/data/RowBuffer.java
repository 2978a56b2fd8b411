package tandem.data;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.TreeSet;
import tandem.math.Hash;

/// Rows that somebody else has read, on their way to where they are packed: entries and labels go in, blocks of bytes
/// come out. A block is the length of the names of labels in it, these names, each on a line, and rows; one with a
/// length below 0 says why there are none. One a thread.
///
/// A row's place, by which rows are shuffled, is a hash of what is in it: it is the same when the row is read again
/// elsewhere, in whatever order.
public final class RowBuffer {

    /// A block is about so large: small enough for many to make equal parts.
    private static final int BLOCK_ENTRIES = 1 << 11;

    /// The first is about so large and each one after it larger by as much, so that few rows make many blocks as well.
    private static final int FIRST_ENTRIES = 1 << 5;

    private static final int COMPLAINT = -1;

    private final Rows rows = new Rows();

    /// The names of labels in this block.
    private final TreeSet<String> names = new TreeSet<>();

    private int enough = FIRST_ENTRIES;

    /// Adds an entry to the row in hand.
    public void add(long id, float value) {
        rows.add(id, value);
    }

    /// Ends the row in hand.
    public void end(double label, float weight) {
        rows.end(label, weight, 0);
        ended();
    }

    /// The same with a label that is a name.
    public void end(String label, float weight) {
        end(named(label), weight);
    }

    /// The stand-in for a label that is a name.
    double named(String name) {
        names.add(name);
        return LabelSet.standIn(name);
    }

    /// Where a parser puts its rows; each is [#ended].
    Rows rows() {
        return rows;
    }

    /// The last row is whole.
    void ended() {
        int row = rows.count - 1;
        long hash =
                Hash.number(Double.doubleToRawLongBits(rows.labels[row]), Float.floatToRawIntBits(rows.weights[row]));
        for (int e = rows.starts[row]; e < rows.starts[row + 1]; e++) {
            hash = Hash.number(hash ^ Float.floatToRawIntBits(rows.values[e]), rows.ids[e]);
        }
        rows.places[row] = hash;
    }

    /// Whether it is time to [#take] a block.
    public boolean isFull() {
        return rows.count + rows.entries >= enough;
    }

    public boolean isEmpty() {
        return rows.count == 0;
    }

    /// The rows so far as a block, which leaves none.
    public byte[] take() {
        byte[] named = String.join("\n", names).getBytes(StandardCharsets.UTF_8);
        long room = Integer.BYTES + named.length;
        for (int r = 0; r < rows.count; r++) {
            room += RowCodec.roomFor(rows, r);
        }
        byte[] bytes = new byte[Math.toIntExact(room)];
        ByteBuffer.wrap(bytes).putInt(named.length).put(named);
        int at = Integer.BYTES + named.length;
        for (int r = 0; r < rows.count; r++) {
            at = RowCodec.encode(rows, r, bytes, at);
        }
        rows.clear();
        names.clear();
        enough = Math.min(BLOCK_ENTRIES, enough + FIRST_ENTRIES);
        return Arrays.copyOf(bytes, at);
    }

    /// A block that says what is wrong with the data: who reads it elsewhere has nobody else to tell.
    public static byte[] complaint(String why) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Integer.BYTES + text.length)
                .putInt(COMPLAINT)
                .put(text)
                .array();
    }

    /// What a block says is wrong with the data; null if it has rows.
    static String complaint(byte[] block) {
        return ByteBuffer.wrap(block).getInt() == COMPLAINT
                ? new String(block, Integer.BYTES, block.length - Integer.BYTES, StandardCharsets.UTF_8)
                : null;
    }

    /// Adds the rows of a block to `into`.
    static void read(byte[] block, Rows into) {
        for (int at = Integer.BYTES + ByteBuffer.wrap(block).getInt(); at < block.length; ) {
            RowCodec.decode(block, at, into);
            at += RowCodec.length(block, at);
        }
    }

    /// The names of labels in a block.
    static String[] names(byte[] block) {
        int length = ByteBuffer.wrap(block).getInt();
        return length == 0
                ? new String[0]
                : new String(block, Integer.BYTES, length, StandardCharsets.UTF_8).split("\n");
    }
}
