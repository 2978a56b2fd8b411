package tandem.server;

/// A row that moves from slot to slot of a shard, so that looking at many makes no garbage.
abstract class Cursor implements Row {

    private long key;
    private boolean mayChange;

    /// Whether whoever looks may set numbers.
    final Cursor changing(boolean may) {
        mayChange = may;
        return this;
    }

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

    @Override
    public final void set(int entry, int column, double value) {
        if (!mayChange) {
            throw new IllegalStateException(
                    "a function that reads has tried to change a row; give it to the servers as a change");
        }
        put(entry, column, value);
    }

    abstract void move(int slot);

    abstract void put(int entry, int column, double value);
}
