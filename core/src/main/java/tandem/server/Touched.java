package tandem.server;

import java.util.Arrays;
import tandem.wire.Part;

/// The rows of a shard that several parts are about, each once, ascending by key as unsigned.
record Touched(long[] keys, int[] slots) {

    static final Touched NONE = new Touched(new long[0], new int[0]);

    /// With those of another part, whose keys ascend too; without the ones that have no slot.
    Touched with(Part part, int[] at) {
        long[] merged = new long[keys.length + part.count()];
        int[] places = new int[merged.length];
        int count = 0;
        int mine = 0;
        for (int k = 0; k < part.count(); k++) {
            if (at[k] == KeyIndex.NONE) {
                continue;
            }
            long key = part.key(k);
            for (; mine < keys.length && Long.compareUnsigned(keys[mine], key) < 0; mine++) {
                merged[count] = keys[mine];
                places[count++] = slots[mine];
            }
            if (mine < keys.length && keys[mine] == key) {
                mine++;
            }
            merged[count] = key;
            places[count++] = at[k];
        }
        int rest = keys.length - mine;
        System.arraycopy(keys, mine, merged, count, rest);
        System.arraycopy(slots, mine, places, count, rest);
        return new Touched(Arrays.copyOf(merged, count + rest), Arrays.copyOf(places, count + rest));
    }
}
