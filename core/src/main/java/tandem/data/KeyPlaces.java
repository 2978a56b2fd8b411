package tandem.data;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import tandem.math.KeySpace;
import tandem.math.RadixSort;

/// Keys under which the features of a part follow each other, so that a range of keys, and with it a shard of a table,
/// has features of one part. The keys are cut into as many ranges as there are parts, and a feature that was given to
/// part p has a key of range p, in the place in which its mixed key is among all: evenly spread, and in the same order.
///
/// Every mixed key has a key of its own, and every key is that of some mixed key. Where a placed feature has taken the
/// key of one that nobody has placed, that one gets the key that became free, and so on.
public final class KeyPlaces {

    /// Keys as they are.
    public static final KeyPlaces NONE = new KeyPlaces(1, new long[0], new byte[0]);

    private final int parts;

    /// Of the features that are placed, ascending as unsigned.
    private final long[] mixed;

    /// Their parts.
    private final byte[] owners;

    /// How many places each range has, which may be one or two keys less than it has keys.
    private final long width;

    /// @param mixed ascending as unsigned, no two of a part in the same place
    private KeyPlaces(int parts, long[] mixed, byte[] owners) {
        this.parts = parts;
        this.mixed = mixed;
        this.owners = owners;
        width = Long.divideUnsigned(-1L, parts);
    }

    /// Places the features whose mixed keys these are. Of two that would have the same key, which chance does not bring
    /// about, only the first is placed.
    ///
    /// @param owners the part of each
    static KeyPlaces of(long[] keys, byte[] owners, int parts) {
        if (parts == 1) {
            return NONE;
        }
        long[] ascending = keys.clone();
        double[] order = new double[keys.length];
        Arrays.setAll(order, k -> k);
        RadixSort.sort(ascending, order);
        byte[] moved = new byte[keys.length];
        long width = Long.divideUnsigned(-1L, parts);
        long[] last = new long[parts];
        Arrays.fill(last, -1L); // where no place is
        int count = 0;
        for (int k = 0; k < keys.length; k++) {
            byte owner = owners[(int) order[k]];
            long place = Math.unsignedMultiplyHigh(ascending[k], width);
            if (place != last[owner]) {
                last[owner] = place;
                ascending[count] = ascending[k];
                moved[count++] = owner;
            }
        }
        return new KeyPlaces(parts, Arrays.copyOf(ascending, count), Arrays.copyOf(moved, count));
    }

    /// Reads what [#write] has written. What is damaged is refused.
    public static KeyPlaces read(Path file) throws IOException {
        return KeyPlacesFile.read(file);
    }

    public void write(Path file) throws IOException {
        KeyPlacesFile.write(this, file);
    }

    public boolean isNone() {
        return mixed.length == 0;
    }

    int parts() {
        return parts;
    }

    /// How many features are placed.
    int count() {
        return mixed.length;
    }

    /// The mixed key of a feature that is placed, by number, ascending.
    long mixedAt(int number) {
        return mixed[number];
    }

    /// The part of the same.
    byte ownerAt(int number) {
        return owners[number];
    }

    /// The key of the feature with a mixed key.
    public long key(long mixedKey) {
        int number = find(mixedKey);
        if (number >= 0) {
            return placed(number);
        }
        long key = mixedKey;
        for (int other = at(key); other >= 0; other = at(key)) {
            key = mixed[other];
        }
        return key;
    }

    /// The mixed key of the feature with a key: [#key] the other way.
    public long mixed(long key) {
        int number = at(key);
        if (number >= 0) {
            return mixed[number];
        }
        long found = key;
        for (int other = find(found); other >= 0; other = find(found)) {
            found = placed(other);
        }
        return found;
    }

    /// The same batches with keys in the place of mixed ones.
    public Batches placed(Batches batches) {
        return isNone() || batches == null ? batches : new RekeyedBatches(batches, this::key);
    }

    /// The same batches with mixed keys again.
    public Batches mixed(Batches batches) {
        return isNone() ? batches : new RekeyedBatches(batches, this::mixed);
    }

    private long placed(int number) {
        return KeySpace.first(owners[number], parts) + place(number);
    }

    /// The place of a feature in the range of its part.
    private long place(int number) {
        return Math.unsignedMultiplyHigh(mixed[number], width);
    }

    /// The number of a mixed key that is placed; −1 if it is not.
    private int find(long mixedKey) {
        int low = 0;
        int high = mixed.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Long.compareUnsigned(mixed[middle], mixedKey);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }

    /// The number of the feature that is placed at a key; −1 if none is.
    private int at(long key) {
        int part = KeySpace.range(key, parts);
        long place = key - KeySpace.first(part, parts);
        int low = 0;
        int high = mixed.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(place(middle), place) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        for (int number = low; number < mixed.length && place(number) == place; number++) {
            if (owners[number] == part) {
                return number;
            }
        }
        return -1;
    }
}
