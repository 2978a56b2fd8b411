package tandem.server;

/// A row that moves from slot to slot of a shard, so that looking at many makes no garbage.
abstract class Cursor implements Row {

    private long key;

    /// Moves to the row of `key`, which is in `slot`.
    final Row at(long key, int slot) {
        this.key = key;
        move(slot);
        return this;
    }

    @Override
    public final long key() {
        return key;
    }

    abstract void move(int slot);
}
