package tandem.server;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import tandem.wire.Address;

/// The rows of a shard that workers keep: by slot who does, and which slots changed since they were last told.
final class Watched {

    /// By slot; null where nobody keeps the row.
    private Watch[] bySlot = {};

    private final BitSet changed = new BitSet();

    /// Whose rows are not in their slot any more, which somebody else keeps by now.
    private final List<Watch> gone = new ArrayList<>();

    /// Who keeps a row, each with the number of the pull that it came by.
    private static final class Watch {
        final long key;
        Address[] who = new Address[1];
        long[] requests = new long[1];
        int count;

        Watch(long key) {
            this.key = key;
        }

        int find(Address one) {
            int place = 0;
            while (place < count && !who[place].equals(one)) {
                place++;
            }
            return place;
        }
    }

    /// Told of each worker that keeps a row which changed, or is gone: then it is not watched any more.
    @FunctionalInterface
    interface Visitor {
        void visit(Address who, long key, boolean isGone);
    }

    /// Whether `one` is known to keep the row in `slot`, which is that of `key`.
    boolean has(int slot, long key, Address one) {
        Watch watch = slot < bySlot.length ? bySlot[slot] : null;
        return watch != null && watch.key == key && watch.find(one) < watch.count;
    }

    /// `one` keeps the row in `slot` since its pull number `request`.
    void add(int slot, long key, Address one, long request) {
        if (slot >= bySlot.length) {
            bySlot = Arrays.copyOf(bySlot, Math.max(16, slot + (slot >> 1) + 1));
        }
        if (bySlot[slot] != null && bySlot[slot].key != key) {
            gone.add(bySlot[slot]);
            bySlot[slot] = null;
        }
        if (bySlot[slot] == null) {
            bySlot[slot] = new Watch(key);
        }
        Watch watch = bySlot[slot];
        int place = watch.find(one);
        if (place < watch.count) {
            watch.requests[place] = Math.max(watch.requests[place], request);
            return;
        }
        if (place == watch.who.length) {
            watch.who = Arrays.copyOf(watch.who, 2 * place);
            watch.requests = Arrays.copyOf(watch.requests, 2 * place);
        }
        watch.who[place] = one;
        watch.requests[place] = request;
        watch.count++;
    }

    /// `one` no longer keeps the row, unless it has asked for it after `request`; false if it stays or was not known.
    boolean remove(int slot, Address one, long request) {
        Watch watch = slot >= 0 && slot < bySlot.length ? bySlot[slot] : null;
        int place = watch == null ? 0 : watch.find(one);
        if (watch == null || place == watch.count || watch.requests[place] > request) {
            return false;
        }
        watch.count--;
        watch.who[place] = watch.who[watch.count];
        watch.requests[place] = watch.requests[watch.count];
        watch.who[watch.count] = null;
        if (watch.count == 0) {
            bySlot[slot] = null;
            changed.clear(slot);
        }
        return true;
    }

    /// The rows in these slots are about to change, or to go.
    void touch(int[] slots, int count) {
        if (bySlot.length == 0) {
            return;
        }
        for (int k = 0; k < count; k++) {
            int slot = slots[k];
            if (slot >= 0 && slot < bySlot.length && bySlot[slot] != null) {
                changed.set(slot);
            }
        }
    }

    /// The same for slots side by side.
    void touch(int first, int count) {
        for (int slot = first; slot < Math.min(first + count, bySlot.length); slot++) {
            if (bySlot[slot] != null) {
                changed.set(slot);
            }
        }
    }

    /// The row in a slot goes, and another key may come there.
    void evict(int slot) {
        if (slot < bySlot.length && bySlot[slot] != null) {
            gone.add(bySlot[slot]);
            bySlot[slot] = null;
            changed.clear(slot);
        }
    }

    /// Any row may be about to change.
    void touchAll() {
        touch(0, bySlot.length);
    }

    /// Shows who keeps each row that changed or went since the last call.
    void takeChanged(Visitor visitor) {
        for (int slot = changed.nextSetBit(0); slot >= 0; slot = changed.nextSetBit(slot + 1)) {
            show(bySlot[slot], false, visitor);
        }
        gone.forEach(watch -> show(watch, true, visitor));
        changed.clear();
        gone.clear();
    }

    private static void show(Watch watch, boolean isGone, Visitor visitor) {
        for (int place = 0; place < watch.count; place++) {
            visitor.visit(watch.who[place], watch.key, isGone);
        }
    }

    void clear() {
        bySlot = new Watch[0];
        changed.clear();
        gone.clear();
    }
}
