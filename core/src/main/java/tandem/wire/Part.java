package tandem.wire;

import java.util.Arrays;

/// The part of a message that one shard answers for: keys `from` until `to` of the list, and a row of
/// `width` values for each, `values[from * width]` first. Arrays are shared by the parts of a message.
///
/// @param values null where there are none, as in a pull
public record Part(int table, int shard, Keys keys, int from, int to, int width, float[] values) {

    public int count() {
        return to - from;
    }

    /// The same without the list of keys.
    public Part bare() {
        return new Part(table, shard, keys.bare(), from, to, width, values);
    }

    /// The same with arrays of its own, as if it had travelled as bytes.
    public Part detached() {
        long[] list = keys.isBare() ? null : Arrays.copyOfRange(keys.list(), from, to);
        float[] own = values == null ? null : Arrays.copyOfRange(values, from * width, to * width);
        return new Part(table, shard, new Keys(list, count(), keys.signature()), 0, count(), width, own);
    }
}
