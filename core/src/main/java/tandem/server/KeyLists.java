package tandem.server;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.function.Predicate;
import tandem.math.Hash;

/// Key lists that came before, as the slots they stand for, by shard and by the signature of the whole list. A list
/// that comes again costs neither the bytes of its keys nor finding them. The least used go when memory is short;
/// who sends a list that has gone is told so, and sends its keys.
final class KeyLists {

    /// What an entry takes besides its slots.
    private static final int ENTRY_BYTES = 120;

    private final long mostBytes;
    private final LinkedHashMap<Name, Resolved> lists = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /// What a list is known by where it is resolved.
    private record Name(int table, int shard, Hash.Signature signature, int count) {}

    /// What a list stands for.
    ///
    /// @param keys       the list itself, where keys can lose their slot or not have one yet, or where others have
    ///                   to be told it; else null
    /// @param generation the generation of the table that the slots are of; 0 where there is only one
    record Resolved(int[] slots, long[] keys, long generation) {

        private long bytes() {
            return ENTRY_BYTES + 4L * slots.length + (keys == null ? 0 : 8L * keys.length);
        }
    }

    KeyLists(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /// What a list stands for, or null if it is not known.
    Resolved find(int table, int shard, Hash.Signature signature, int count) {
        return lists.get(new Name(table, shard, signature, count));
    }

    /// Remembers a list, unless it is longer than all that there is room for; its arrays are taken over.
    void put(int table, int shard, Hash.Signature signature, Resolved list) {
        Resolved before = lists.put(new Name(table, shard, signature, list.slots.length), list);
        bytes += list.bytes() - (before == null ? 0 : before.bytes());
        Iterator<Resolved> eldest = lists.values().iterator();
        while (bytes > mostBytes) {
            bytes -= eldest.next().bytes();
            eldest.remove();
        }
    }

    /// Forgets the lists of a table that is gone.
    void forget(int table) {
        forget(list -> list.table == table);
    }

    /// Forgets the lists of a shard.
    void forget(Shard.Place place) {
        forget(list -> list.table == place.table() && list.shard == place.shard());
    }

    private void forget(Predicate<Name> which) {
        lists.entrySet().removeIf(entry -> {
            boolean gone = which.test(entry.getKey());
            bytes -= gone ? entry.getValue().bytes() : 0;
            return gone;
        });
    }

    long bytes() {
        return bytes;
    }
}
