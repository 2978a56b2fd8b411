package tandem.server;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import tandem.wire.Age;

/// Keys and their entries in one process, shared by threads that pull and push without locks
/// (Hogwild): a float never tears, and an update lost to a race is noise like any other. Where it is to be strict,
/// each update holds one of many locks, by its slot, and none is lost.
///
/// Otherwise only finding slots is guarded: the key space is cut into [#SHARDS] ranges, each with an index and a
/// lock of its own. Key lists come sorted, so a list visits each range once.
public final class Table {

    private static final int SHARD_BITS = 6;
    private static final int SHARDS = 1 << SHARD_BITS;

    /// Locks of a strict table: so many that two threads seldom want one for different slots.
    private static final int LOCKS = 1 << 12;

    private final UpdateRule rule;
    private final Slabs slabs;
    private final Shard[] shards = new Shard[SHARDS];

    /// Null if updates need no lock.
    private final Object[] locks;

    /// Pushes so far, for rules that want to know.
    private final AtomicLong pushes = new AtomicLong();

    public Table(UpdateRule rule) {
        this(rule, 0);
    }

    /// `salt` decides where keys go that someone chose to crowd; a number nobody can guess keeps them from it.
    /// Nothing else depends on it.
    public Table(UpdateRule rule, long salt) {
        this(rule, salt, Hogwild.RELAXED);
    }

    public Table(UpdateRule rule, long salt, Hogwild hogwild) {
        this.rule = rule;
        this.locks = switch (hogwild) {
            case RELAXED -> null;
            case STRICT -> Stream.generate(Object::new).limit(LOCKS).toArray();
        };
        this.slabs = new Slabs(rule.columns());
        for (int s = 0; s < SHARDS; s++) {
            shards[s] = new Shard((long) s << (64 - SHARD_BITS), salt);
        }
    }

    public UpdateRule rule() {
        return rule;
    }

    /// How many keys have an entry.
    public long size() {
        long size = 0;
        for (Shard shard : shards) {
            synchronized (shard) {
                size += shard.index.size();
            }
        }
        return size;
    }

    /// Finds the slot of each of the first `count` keys (sorted as unsigned), making entries for new ones.
    public void resolve(long[] keys, int count, int[] slots) {
        resolve(keys, count, slots, true);
    }

    /// The same without making entries: a key that has none gets a slot that pulls as 0.
    public void find(long[] keys, int count, int[] slots) {
        resolve(keys, count, slots, false);
    }

    private void resolve(long[] keys, int count, int[] slots, boolean make) {
        int from = 0;
        while (from < count) {
            int s = shardOf(keys[from]);
            int to = from + 1;
            while (to < count && shardOf(keys[to]) == s) {
                to++;
            }
            Shard shard = shards[s];
            synchronized (shard) {
                shard.index.find(keys, from, to, slots, from);
                for (int k = from; make && k < to; k++) {
                    if (slots[k] == KeyIndex.NONE) {
                        slots[k] = shard.slot(keys[k]);
                    }
                }
            }
            from = to;
        }
    }

    /// The weights at `slots`.
    public void pull(int[] slots, int count, float[] weights) {
        float[][] view = slabs.view();
        for (int k = 0; k < count; k++) {
            weights[k] = slots[k] == KeyIndex.NONE ? 0 : Slabs.slab(view, slots[k])[slabs.offset(slots[k])];
        }
    }

    /// Applies `gradients[p]` at `slots[p]` for each listed position `p`, sets that gradient back to 0 and
    /// leaves the new weight in `weights[p]`.
    public void push(int[] slots, int[] listed, int count, float[] gradients, float[] weights) {
        float[][] view = slabs.view();
        UpdateRule now = now();
        for (int k = 0; k < count; k++) {
            int p = listed[k];
            float[] slab = Slabs.slab(view, slots[p]);
            int at = slabs.offset(slots[p]);
            if (locks == null) {
                now.update(slab, at, gradients[p]);
            } else {
                synchronized (locks[slots[p] & (LOCKS - 1)]) {
                    now.update(slab, at, gradients[p]);
                }
            }
            gradients[p] = 0;
            weights[p] = slab[at];
        }
    }

    /// The rule for the next push. Nothing is late here: what a push is computed from is what the ones before left.
    private UpdateRule now() {
        if (!rule.ages()) {
            return rule;
        }
        long before = pushes.getAndIncrement();
        return rule.aged(new Age(before, before));
    }

    /// Pushes so far, if its rule wants to know of them, else 0.
    public long pushes() {
        return pushes.get();
    }

    /// Goes on after so many, to restore a checkpoint.
    public void restore(long pushed) {
        pushes.set(pushed);
    }

    /// Sets the entry of `key`, to restore a checkpoint. `columns` has [UpdateRule#columns] numbers.
    public void restore(long key, float[] columns) {
        Shard shard = shards[shardOf(key)];
        synchronized (shard) {
            int slot = shard.slot(key);
            System.arraycopy(columns, 0, Slabs.slab(slabs.view(), slot), slabs.offset(slot), slabs.columns());
        }
    }

    /// Makes the entry of `key` stand for `weight`, to start from an earlier model.
    public void start(long key, float weight) {
        Shard shard = shards[shardOf(key)];
        synchronized (shard) {
            int slot = shard.slot(key);
            rule.start(Slabs.slab(slabs.view(), slot), slabs.offset(slot), weight);
        }
    }

    /// Shows every entry: its key, and the floats from `at` on. Not while others push.
    public void forEach(Visitor visitor) {
        float[][] view = slabs.view();
        for (Shard shard : shards) {
            synchronized (shard) {
                shard.index.forEach((key, slot) -> visitor.visit(key, Slabs.slab(view, slot), slabs.offset(slot)));
            }
        }
    }

    @FunctionalInterface
    public interface Visitor {
        void visit(long key, float[] entries, int at);
    }

    private static int shardOf(long key) {
        return (int) (key >>> (64 - SHARD_BITS));
    }

    /// A range of the key space; guarded by its own monitor.
    private final class Shard {

        private final KeyIndex index;
        private int next;
        private int end;

        Shard(long first, long salt) {
            index = new KeyIndex(first, SHARDS, salt);
        }

        int slot(long key) {
            if (next == end) {
                next = slabs.grow();
                end = next + Slabs.SLAB;
            }
            int slot = index.findOrPut(key, next);
            if (slot == next) {
                next++;
            }
            return slot;
        }
    }
}
