package tandem.wire;

import java.util.Arrays;

/// The part of a message that one shard answers for: keys `from` until `to` of a message's keys, which its parts may
/// share, and the numbers of their rows.
///
/// @param values null where there are none, as in a pull
public record Part(int table, int shard, Keys keys, int from, int to, int width, Values values) {

    public int count() {
        return to - from;
    }

    /// About how many bytes it takes: its keys, if they are listed, and values.
    public long lengthBytes() {
        long listed = keys.isRange() || keys.isBare() ? 0 : keys.isPacked() ? keys.packed().length : 8L * count();
        return listed + (values == null ? 0 : values.lengthBytes());
    }

    /// Key number `k` of this part.
    public long key(int k) {
        return keys.at(from + k);
    }

    /// The same without the list of keys.
    public Part bare() {
        return new Part(table, shard, keys.bare(), from, to, width, values);
    }

    /// The same with its keys said otherwise; `other` has those of this part only.
    public Part with(Keys other) {
        return new Part(table, shard, other, 0, count(), width, values);
    }

    /// The same with other values.
    public Part with(Values other) {
        return new Part(table, shard, keys, from, to, width, other);
    }

    /// The same with arrays of its own, as if it had travelled as bytes.
    public Part detached() {
        return new Part(table, shard, ownKeys(), 0, count(), width, values == null ? null : values.detached());
    }

    private Keys ownKeys() {
        if (keys.isRange()) {
            return Keys.range(keys.at(from), count());
        }
        if (keys.isPacked()) {
            return Keys.packed(keys.packed().clone(), count(), keys.signature());
        }
        return Keys.known(keys.isBare() ? null : Arrays.copyOfRange(keys.list(), from, to), count(), keys.signature());
    }
}
