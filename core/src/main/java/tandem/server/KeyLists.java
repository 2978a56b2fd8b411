package tandem.server;

import java.util.Iterator;
import java.util.LinkedHashMap;
import tandem.math.Hash;

/// Key lists that came before, as the slots they stand for, by shard and by the signature of the whole list. A list
/// that comes again costs neither the bytes of its keys nor finding them. The least used go when memory is short;
/// who sends a list that has gone is told so, and sends its keys.
final class KeyLists {

    /// What an entry takes besides its slots.
    private static final int ENTRY_BYTES = 120;

    private final long mostBytes;
    private final LinkedHashMap<Name, int[]> lists = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /// What a list is known by where it is resolved.
    private record Name(int table, int shard, Hash.Signature signature, int count) {}

    KeyLists(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /// The slots of a list, or null if it is not known.
    int[] find(int table, int shard, Hash.Signature signature, int count) {
        return lists.get(new Name(table, shard, signature, count));
    }

    /// Remembers a list; `slots` is taken over.
    void put(int table, int shard, Hash.Signature signature, int[] slots) {
        int[] before = lists.put(new Name(table, shard, signature, slots.length), slots);
        bytes += size(slots) - (before == null ? 0 : size(before));
        Iterator<int[]> eldest = lists.values().iterator();
        while (bytes > mostBytes && lists.size() > 1) {
            bytes -= size(eldest.next());
            eldest.remove();
        }
    }

    /// Forgets the lists of a table that is gone.
    void forget(int table) {
        lists.entrySet().removeIf(entry -> {
            boolean gone = entry.getKey().table == table;
            bytes -= gone ? size(entry.getValue()) : 0;
            return gone;
        });
    }

    long bytes() {
        return bytes;
    }

    private static long size(int[] slots) {
        return ENTRY_BYTES + 4L * slots.length;
    }
}
